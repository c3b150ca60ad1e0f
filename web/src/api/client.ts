import createClient, { type Client } from 'openapi-fetch';
import { session } from '../session/session';
import { type components, type paths } from './schema';

export type Schemas = components['schemas'];

/** A client that knows every operation of the API; requests go out in the name of whoever is signed in to the team. */
export function teamApi(team: string): Client<paths> {
  return createClient<paths>({ baseUrl: location.origin, fetch: (request) => session.fetch(team, request) });
}
