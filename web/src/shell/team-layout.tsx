import { Anchor, AppShell, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link, Navigate, NavLink, Outlet, useLocation, useParams } from 'react-router';
import { ProblemError } from '../api/problem';
import { runsAddress, signInAddress } from '../session/addresses';
import { sessionQuery } from '../session/session-query';
import { Loading } from '../states/loading';
import { PageBoundary } from '../states/page-boundary';
import { ProblemAlert } from '../states/problem-alert';
import { ColorSchemeToggle } from './color-scheme-toggle';
import { NotFoundPage } from './not-found-page';
import { PAGES } from './pages';
import { TeamMenu } from './team-menu';
import classes from './team-layout.module.css';

/** What is around every page of a team, for its members only. */
export function TeamLayout() {
  const { team = '' } = useParams();
  const { pathname, search, hash } = useLocation();
  const { data, error } = useQuery(sessionQuery(team));
  if (error) {
    const status = error instanceof ProblemError ? error.problem.status : 0;
    if (status === 401) return <Navigate to={signInAddress(pathname + search + hash)} replace />;
    // Not a member, or no name that a team could have.
    if (status === 403 || status === 400)
      return (
        <main>
          <NotFoundPage />
        </main>
      );
    return <ProblemAlert error={error} m="xl" />;
  }
  if (!data) return <Loading what="Signing in" />;
  return (
    <AppShell header={{ height: { base: 88, sm: 52 } }} padding={{ base: 'sm', sm: 'lg' }}>
      <a href="#content" className="skip-link">
        Skip to content
      </a>
      <AppShell.Header>
        <div className={classes.header}>
          <Anchor
            component={Link}
            to={runsAddress(team)}
            fw={700}
            c="var(--mantine-color-text)"
            underline="never"
          >
            Stallscope
          </Anchor>
          <nav aria-label="Pages" className={classes.pages}>
            {PAGES.map(({ path, label }) => (
              <NavLink key={path} to={`/t/${team}/${path}`} className={classes.link}>
                {label}
              </NavLink>
            ))}
          </nav>
          <Group gap="xs" wrap="nowrap" className={classes.person}>
            <ColorSchemeToggle />
            <TeamMenu team={data} />
          </Group>
        </div>
      </AppShell.Header>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <Suspense fallback={<Loading what="Loading the page" />}>
          <PageBoundary place={pathname}>
            <Outlet />
          </PageBoundary>
        </Suspense>
      </AppShell.Main>
    </AppShell>
  );
}
