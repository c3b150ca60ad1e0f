import { MantineProvider } from '@mantine/core';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { hasCode, ProblemError } from './api/problem';
import { HomeRedirect } from './session/home-redirect';
import { sessionKey } from './session/session-query';
import { InvitePage } from './invite/invite-page';
import { SignInPage } from './session/sign-in-page';
import { NotFoundPage } from './shell/not-found-page';
import { TeamLayout } from './shell/team-layout';
import { TEAM_ROUTES } from './team-routes';
import { cssVariables, theme } from './theme';

/** The whole application: what every page needs, and which page an address is. */
export function App() {
  const [queries] = useState(createQueries);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <BrowserRouter>
          <Routes>
            <Route index element={<HomeRedirect />} />
            <Route path="sign-in" element={<SignInPage />} />
            <Route path="invite" element={<InvitePage />} />
            <Route path="t/:team" element={<TeamLayout />}>
              <Route index element={<HomeRedirect />} />
              {TEAM_ROUTES.map(({ path, Page }) => (
                <Route key={path} path={path} element={<Page />} />
              ))}
              <Route path="*" element={<NotFoundPage />} />
            </Route>
            <Route
              path="*"
              element={
                <main>
                  <NotFoundPage />
                </main>
              }
            />
          </Routes>
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function createQueries(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // Whoever is signed out while a page is open is asked to sign in, by what guards the team's pages.
      onError: (error, { queryKey }) => {
        const isSignedOut = error instanceof ProblemError && error.problem.status === 401;
        if (isSignedOut && queryKey[0] !== sessionKey)
          void queries.invalidateQueries({ queryKey: [sessionKey] });
        // The role is another one by now.
        if (hasCode(error, 'scope-missing'))
          void queries.invalidateQueries({ queryKey: [queryKey[0], 'me'] });
      },
    }),
    defaultOptions: {
      mutations: { networkMode: 'always' },
      queries: {
        staleTime: 10_000,
        // Without a network a request fails and the page says so, rather than wait for ever.
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && isPassing(error),
      },
    },
  });
  return queries;
}

/** Whether asking again may help. */
function isPassing(error: Error): boolean {
  return error instanceof ProblemError && (error.problem.status === 0 || error.problem.status >= 502);
}
