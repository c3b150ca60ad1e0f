import { queryOptions } from '@tanstack/react-query';
import { teamApi } from '../../api/client';
import { unwrap } from '../../api/problem';

/** More than a team has; the page says when there are others. */
export const MOST_ACCOUNTS = 200;

/** The service accounts of a team, the newest first. */
export const serviceAccountsQuery = (team: string) =>
  queryOptions({
    queryKey: [team, 'service-accounts'],
    queryFn: ({ signal }) =>
      unwrap(
        teamApi(team).GET('/v1/service-accounts', { params: { query: { limit: MOST_ACCOUNTS } }, signal }),
      ),
  });
