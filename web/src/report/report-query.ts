import { queryOptions } from '@tanstack/react-query';
import { type Report } from '../../../src/presentation/present-report';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';

/** What the page shows; kernels, roofline and the like are asked for where they are shown. */
const FIELDS = [
  ...['verdict', 'metadata', 'stepTime', 'calibratedStep', 'ranks', 'metrics', 'findings', 'ruleOutcomes'],
  ...['stepDistributions', 'monitors', 'network', 'memory', 'disagreements', 'problems', 'steps'],
].join(',');

/** The parts of a report that the page shows. */
export type ShownReport = Pick<
  Report,
  | 'verdict'
  | 'metadata'
  | 'stepTime'
  | 'calibratedStep'
  | 'ranks'
  | 'metrics'
  | 'findings'
  | 'ruleOutcomes'
  | 'stepDistributions'
  | 'monitors'
  | 'network'
  | 'memory'
  | 'disagreements'
  | 'problems'
> & { generation: number; analyzedAt: string; stepsOmitted: number };

/** The report of one analysis of a run; it never changes. */
export const reportQuery = (team: string, runId: string, generation: number) =>
  queryOptions({
    queryKey: [team, 'report', runId, generation],
    queryFn: async ({ signal }) => {
      const parameters = { path: { id: runId }, query: { generation, fields: FIELDS } };
      const answer = teamApi(team).GET('/v1/runs/{id}/report', { params: parameters, signal });
      return (await unwrap(answer)) as unknown as ShownReport;
    },
    staleTime: Infinity,
  });

/** A run; asked again while it is under way. */
export const runQuery = (team: string, runId: string) =>
  queryOptions({
    queryKey: [team, 'run', runId],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/runs/{id}', { params: { path: { id: runId } }, signal })),
    refetchInterval: ({ state }) =>
      state.data?.state === 'done' || state.data?.state === 'failed' ? false : 2_000,
  });
