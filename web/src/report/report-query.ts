import { queryOptions } from '@tanstack/react-query';
import { type Report } from '../../../src/presentation/present-report';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';

/** One analysis of a run. */
export interface ReportOf {
  team: string;
  runId: string;
  generation: number;
}

export type ReportField = keyof Report;
export type ReportPartOf<Field extends ReportField> = Pick<Report, Field> & { stepsOmitted: number };
export type Ranks = Report['ranks'];
export type Recording = NonNullable<Report['advice']>['recordings'][number];

/** What the page shows first; all else is asked for where it is shown. */
const FIELDS = [
  ...(['verdict', 'metadata', 'calibratedStep', 'metrics', 'findings', 'ruleOutcomes'] as const),
  ...(['disagreements', 'problems'] as const),
];

/** The parts of a report that the page shows first. */
export type ShownReport = ReportPartOf<(typeof FIELDS)[number]> & { generation: number; analyzedAt: string };

/** The first part of a report; a report never changes. */
export const reportQuery = (team: string, runId: string, generation: number) =>
  queryOptions({
    queryKey: [team, 'report', runId, generation],
    queryFn: ({ signal }) =>
      ask<ShownReport>({ team, runId, generation }, { fields: FIELDS.join(',') }, signal),
    staleTime: Infinity,
  });

/** Some fields of a report. */
export const reportPartQuery = <Field extends ReportField>(of: ReportOf, fields: readonly Field[]) =>
  queryOptions({
    queryKey: [of.team, 'report', of.runId, of.generation, ...fields],
    queryFn: ({ signal }) => ask<ReportPartOf<Field>>(of, { fields: fields.join(',') }, signal),
    staleTime: Infinity,
  });

/** Steps that a page draws; there may be very many more. Some 400 B each. */
const MOST_STEPS = 600;

/** The first steps of all ranks, or of one. */
export const stepsQuery = ({ team, runId, generation }: ReportOf, rank: number | null) =>
  queryOptions({
    queryKey: [team, 'report', runId, generation, 'steps', rank],
    queryFn: ({ signal }) => {
      const query = { fields: 'steps', rank: rank ?? undefined, maxSteps: MOST_STEPS };
      return ask<ReportPartOf<'ranks'>>({ team, runId, generation }, query, signal);
    },
    staleTime: Infinity,
  });

async function ask<Part>(
  { team, runId, generation }: ReportOf,
  query: { fields: string; rank?: number; maxSteps?: number },
  signal: AbortSignal,
): Promise<Part> {
  const parameters = { path: { id: runId }, query: { generation, ...query } };
  const answer = teamApi(team).GET('/v1/runs/{id}/report', { params: parameters, signal });
  return (await unwrap(answer)) as unknown as Part;
}

/** A run; asked again while it is under way. */
export const runQuery = (team: string, runId: string) =>
  queryOptions({
    queryKey: [team, 'run', runId],
    queryFn: ({ signal }) =>
      unwrap(teamApi(team).GET('/v1/runs/{id}', { params: { path: { id: runId } }, signal })),
    refetchInterval: ({ state }) =>
      state.data?.state === 'done' || state.data?.state === 'failed' ? false : 2_000,
  });
