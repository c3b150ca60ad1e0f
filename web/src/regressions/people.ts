import { useQuery } from '@tanstack/react-query';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { meQuery, useMay } from '../session/me-query';

export type Person = NonNullable<Schemas['RegressionSummary']['assignedTo']>;

/** Members and regressions that are asked for; a team with more people than this types an id into the API. */
const MOST = 200;

/** By the name, where there is one besides the address. */
export const personName = ({ name, email }: Person): string =>
  name === '' || name === email ? email : `${name} (${email})`;

/**
 * Who a regression may be given to: the members of the team where the list of them may be seen, else whoever is signed in and
 * has regressions already.
 */
export function usePeople(team: string): { people: Person[]; isComplete: boolean } {
  const mayList = useMay(team, 'admin');
  const { data: me } = useQuery(meQuery(team));
  const { data: members } = useQuery({
    queryKey: [team, 'members'],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/members', { params: { query: { limit: MOST } }, signal })),
    enabled: mayList,
    staleTime: 60_000,
  });
  const { data: assigned } = useQuery({
    queryKey: [team, 'regressions', 'people'],
    queryFn: ({ signal }) => {
      const query = { state: 'any', limit: MOST } as const;
      return unwrap(teamApi(team).GET('/v1/regressions', { params: { query }, signal }));
    },
    select: ({ items }) => items.flatMap(({ assignedTo }) => assignedTo ?? []),
    enabled: me !== undefined && !mayList,
    staleTime: 60_000,
  });
  const self = me?.kind === 'user' ? [{ userId: me.id, name: me.name ?? '', email: me.email ?? '' }] : [];
  const found = [...self, ...(members?.items ?? assigned ?? [])];
  const byId = new Map(found.map(({ userId, name, email }) => [userId, { userId, name, email }]));
  const people = [...byId.values()].sort((a, b) => personName(a).localeCompare(personName(b)));
  return { people, isComplete: members !== undefined && members.nextCursor === null };
}
