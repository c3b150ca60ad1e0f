import { skipToken, useQueries, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { type Schemas, teamApi } from '../api/client';
import { ProblemError, unwrap } from '../api/problem';
import { runQuery } from '../report/report-query';
import { idsOf, readSide, toRequest } from './sides';

/** Runs of a side that are told of one by one. */
export const SHOWN_RUNS = 3;

export type Comparison = Schemas['Comparison'];

/** What the address compares: both sides, the runs that are known by id, and the comparison when there is one. */
export function useComparison(team: string) {
  const [parameters] = useSearchParams();
  const texts = { base: parameters.get('base'), head: parameters.get('head') };
  const [base, head] = [readSide(texts.base), readSide(texts.head)];
  const baseRuns = useRuns(team, idsOf(base));
  const headRuns = useRuns(team, idsOf(head));
  const request = base && head && toRequest(base, head, headRuns.runs[0]);
  const named = [...baseRuns.runs, ...headRuns.runs];
  const comparison = useQuery({
    // A run that is analysed again is compared anew.
    queryKey: [team, 'compare', request, named.map(({ generation, state }) => [generation, state])],
    queryFn:
      request === null || baseRuns.isPending || headRuns.isPending
        ? skipToken
        : ({ signal }) => unwrap(teamApi(team).POST('/v1/compare', { body: request, signal })),
    staleTime: 60_000,
  });
  return {
    texts,
    base,
    head,
    baseRuns: baseRuns.runs,
    headRuns: headRuns.runs,
    request,
    comparison: comparison.data,
    error: baseRuns.error ?? headRuns.error ?? comparison.error,
    isPending: baseRuns.isPending || headRuns.isPending || comparison.isLoading,
    retry: comparison.refetch,
  };
}

/** The first of these runs; each is asked again while it is under way. */
export function useRuns(team: string, ids: readonly string[]) {
  return useQueries({
    queries: ids.slice(0, SHOWN_RUNS).map((id) => runQuery(team, id)),
    combine: (results) => ({
      runs: results.flatMap(({ data }) => data ?? []),
      error: results.find(({ error }) => error)?.error ?? null,
      isPending: results.some(({ isPending }) => isPending),
    }),
  });
}

/** Whether an error says that a run of the address is not there, or that it names none. */
export function isNotThere(error: Error): boolean {
  const problem = error instanceof ProblemError ? error.problem : null;
  return problem?.status === 404 || problem?.code === 'validation-failed';
}

export function isEmpty(error: Error): boolean {
  return error instanceof ProblemError && error.problem.code === 'comparison-empty';
}
