import createClient, { type Client } from 'openapi-fetch';
import { session } from '../session/session';
import { unreachable } from './problem';
import { type components, type paths } from './schema';

export type Schemas = components['schemas'];

/** A client that knows every operation of the API; requests go out in the name of whoever is signed in to the team. */
export function teamApi(team: string): Client<paths> {
  return createClient<paths>({ baseUrl: location.origin, fetch: (request) => session.fetch(team, request) });
}

/** A client for the operations that are open to everybody. */
export function publicApi(): Client<paths> {
  return createClient<paths>({
    baseUrl: location.origin,
    fetch: (request) =>
      fetch(request).catch((error: unknown) => {
        if (request.signal.aborted) throw error;
        throw unreachable(new URL(request.url).pathname);
      }),
  });
}
