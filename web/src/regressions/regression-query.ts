import { queryOptions } from '@tanstack/react-query';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';

export type Regression = Schemas['Regression'];

/** So that what others do meanwhile appears. */
const ASK_EVERY_MS = 15_000;

/** A regression with everything. */
export const regressionQuery = (team: string, id: string) =>
  queryOptions({
    queryKey: [team, 'regression', id],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/regressions/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ASK_EVERY_MS,
  });
