import { useQuery } from '@tanstack/react-query';
import { type Schemas, teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';

/** Members that are offered; all others are found by the button beside their name. */
const MOST_MEMBERS = 200;

/** Who can be filtered by: names by id, of members and of those who act in these entries. */
export function useActors(team: string, entries: readonly Schemas['AuditEntry'][]): Map<string, string> {
  const { data } = useQuery({
    queryKey: [team, 'members', 'names'],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/members', { params: { query: { limit: MOST_MEMBERS } }, signal })),
    staleTime: 60_000,
  });
  const members = (data?.items ?? []).map(({ userId, email }) => [userId, email] as const);
  const acting = entries.flatMap(({ actor: { id, name } }) =>
    id === null ? [] : [[id, name ?? id] as const],
  );
  return new Map([...acting, ...members]);
}
