import { type Schemas } from '../../api/client';

type Token = Pick<Schemas['CreatedToken'], 'token' | 'scopes' | 'limits'>;

/** A command that works with the token as it is: an upload when it may upload, otherwise a question that it may ask. */
export function commandWith({ token, scopes, limits }: Token, origin: string): string {
  const header = `-H "Authorization: Bearer ${token}"`;
  if (scopes.includes('runs:write')) {
    const run = new URLSearchParams({
      model: limits.models[0] ?? 'mine',
      cluster: limits.clusters[0] ?? 'here',
    });
    return `curl -T trace.json.gz ${header} "${origin}/v1/ingest?${run}"`;
  }
  return `curl ${header} "${origin}/v1/${scopes.includes('runs:read') ? 'runs?limit=10' : 'me'}"`;
}
