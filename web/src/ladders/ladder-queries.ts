import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';

export type Ladder = Schemas['LadderTable'];
export type Rung = Ladder['rungs'][number];

/** First part of the keys of all that is known of ladders, after the team. */
const LADDERS = 'ladders';

export const laddersQuery = (team: string, cursor: string | null) =>
  queryOptions({
    queryKey: [team, LADDERS, 'list', cursor],
    queryFn: ({ signal }) =>
      unwrap(
        teamApi(team).GET('/v1/ladders', { params: { query: { cursor: cursor ?? undefined } }, signal }),
      ),
  });

export const ladderQuery = (team: string, id: string) =>
  queryOptions({
    queryKey: [team, LADDERS, id],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/ladders/{id}', { params: { path: { id } }, signal })),
  });

/** An act on ladders; what is known of them is asked for again afterwards. */
export function useLadderAct<Given, Answer>(
  team: string,
  act: (given: Given) => Promise<Answer>,
  onDone?: (answer: Answer) => unknown,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer) => {
      await onDone?.(answer);
      await queries.invalidateQueries({ queryKey: [team, LADDERS] });
    },
  });
}
