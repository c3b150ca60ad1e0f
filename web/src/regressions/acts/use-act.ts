import { useMutation, useQueryClient } from '@tanstack/react-query';
import { teamApi, type Schemas } from '../../api/client';
import { ProblemError, unwrap } from '../../api/problem';
import { type Regression, regressionQuery } from '../regression-query';

type Api = ReturnType<typeof teamApi>;

/** What somebody does with a regression; what it says afterwards is read out. */
export type Act =
  | { kind: 'acknowledge' | 'reopen'; body: Schemas['Reason'] }
  | { kind: 'assign'; body: Schemas['Assign'] }
  | { kind: 'mute'; body: Schemas['Mute'] }
  | { kind: 'unmute' }
  | { kind: 'resolve'; body: Schemas['Resolve'] };

const DONE: Readonly<Record<Act['kind'], string>> = {
  acknowledge: 'Acknowledged.',
  reopen: 'Open again.',
  assign: 'Assigned.',
  mute: 'Muted.',
  unmute: 'Unmuted.',
  resolve: 'Resolved.',
};

/** What is said when the act is done. */
export const doneWords = (act: Act): string =>
  act.kind === 'assign' && act.body.userId === null ? 'Assigned to nobody.' : DONE[act.kind];

/** Whether the regression has become another one than was looked at. */
export const isConflict = (error: Error | null): boolean =>
  error instanceof ProblemError && error.problem.status === 409;

/** Acts on a regression; pages then show what the API answered. After a conflict they show what others did. */
export function useAct(team: string, id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (act: Act) => unwrap(send(teamApi(team), id, act)),
    onSuccess: async (regression: Regression) => {
      queries.setQueryData(regressionQuery(team, id).queryKey, regression);
      await queries.invalidateQueries({ queryKey: [team, 'regressions'] });
    },
    onError: async (error) => {
      if (isConflict(error)) await queries.invalidateQueries({ queryKey: [team, 'regression', id] });
    },
  });
}

function send(api: Api, id: string, act: Act) {
  const params = { path: { id } };
  switch (act.kind) {
    case 'acknowledge':
      return api.POST('/v1/regressions/{id}/acknowledge', { params, body: act.body });
    case 'reopen':
      return api.POST('/v1/regressions/{id}/reopen', { params, body: act.body });
    case 'assign':
      return api.POST('/v1/regressions/{id}/assign', { params, body: act.body });
    case 'mute':
      return api.POST('/v1/regressions/{id}/mute', { params, body: act.body });
    case 'unmute':
      return api.POST('/v1/regressions/{id}/unmute', { params });
    case 'resolve':
      return api.POST('/v1/regressions/{id}/resolve', { params, body: act.body });
  }
}
