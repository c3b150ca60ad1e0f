import { queryOptions, useQuery } from '@tanstack/react-query';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';

export type Me = Schemas['Me'];
type Scope = Me['scopes'][number];

/** Who is signed in, and what they may do in the team. */
export const meQuery = (team: string) =>
  queryOptions({
    queryKey: [team, 'me'],
    queryFn: () => unwrap(teamApi(team).GET('/v1/me')),
    staleTime: 60_000,
  });

/** Whether whoever is signed in has the scope in the team; no until that is known. */
export function useMay(team: string, scope: Scope): boolean {
  const { data } = useQuery(meQuery(team));
  return data?.scopes.includes(scope) ?? false;
}
