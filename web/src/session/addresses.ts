/** The page on which to sign in, and afterwards to come back to this one. */
export const signInAddress = (to?: string) => `/sign-in${to ? `?to=${encodeURIComponent(to)}` : ''}`;

/** The page to come back to; only pages of a team are. */
export function pageToReturnTo(to: string | null): { to: string; team: string } | null {
  const [, team] = /^\/t\/([a-z0-9-]+)(?:\/|$)/.exec(to ?? '') ?? [];
  return to !== null && team ? { to, team } : null;
}

export const runsAddress = (team: string) => `/t/${team}/runs`;
export const reportAddress = (team: string, runId: string) => `/t/${team}/runs/${runId}`;
