/** The page on which to sign in, and afterwards to come back to this one. */
export const signInAddress = (to?: string) => `/sign-in${to ? `?to=${encodeURIComponent(to)}` : ''}`;

/** The page to come back to; only pages of a team are. */
export function pageToReturnTo(to: string | null): { to: string; team: string } | null {
  const [, team] = /^\/t\/([a-z0-9-]+)(?:\/|$)/.exec(to ?? '') ?? [];
  return to !== null && team ? { to, team } : null;
}

/** Runs, all or those of a filter. */
export const runsAddress = (team: string, filter: Record<string, string> = {}) =>
  withQuery(`/t/${team}/runs`, filter);
export const reportAddress = (team: string, runId: string) => `/t/${team}/runs/${runId}`;
export const trendsAddress = (team: string, asked: Record<string, string> = {}) =>
  `/t/${team}/trends?${new URLSearchParams(asked)}`;
export const regressionsAddress = (team: string) => `/t/${team}/regressions`;
export const regressionAddress = (team: string, id: string) => `/t/${team}/regressions/${id}`;
export const laddersAddress = (team: string) => `/t/${team}/ladders`;
export const ladderAddress = (team: string, id: string) => `/t/${team}/ladders/${id}`;
/**
 * A side is ids of runs with commas between them, or conditions as in a query; `base` may also be previous or previous-10: the
 * runs of the series before the other one. One that is null is chosen there.
 */
export const compareAddress = (team: string, base: string | null, head: string | null) =>
  withQuery(`/t/${team}/compare`, { ...(base && { base }), ...(head && { head }) });
export const settingsAddress = (team: string, section: string) => `/t/${team}/settings/${section}`;
export const webhookAddress = (team: string, id: string) => `${settingsAddress(team, 'webhooks')}/${id}`;
/** Where an invitation is accepted. What comes after `#` is not sent to any server. */
export const inviteAddress = (token: string) => `/invite#token=${token}`;

function withQuery(path: string, query: Record<string, string>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
}
