import { queryOptions } from '@tanstack/react-query';
import { session } from './session';

/** First part of the keys of what is known about the session. */
export const sessionKey = 'session';

/** A session for the team with this slug, or without one for the last team. */
export const sessionQuery = (team?: string) =>
  queryOptions({
    queryKey: [sessionKey, team ?? null],
    queryFn: () => session.enter(team),
    retry: false,
    staleTime: Infinity,
  });
