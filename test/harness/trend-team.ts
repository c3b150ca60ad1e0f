import { type InProcessApi } from './in-process-api';
import { addAnalysedRun, type AnalysedRun, trendChores } from './trend-runs';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 5, 1);
const H200 = { hardware: { gpu: 'NVIDIA H200' }, dtype: 'bf16' };
const B200 = { hardware: { gpu: 'NVIDIA B200' }, dtype: 'bf16' };

export interface Line {
  value: string | null;
  seriesIds: string[];
  runs: { atMs: number[]; value: number[]; runId: string[] } | null;
  commits: {
    atMs: number[];
    value: number[];
    commit: (string | null)[];
    runs: number[];
    firstRunId: string[];
  } | null;
  days: { day: string[]; runs: number[]; min: number[]; p50: number[]; p95: number[]; max: number[] } | null;
}
export interface Trend {
  metric: object;
  noiseFloorRatio: number;
  resolution: string;
  resolutionReason: string;
  lines: Line[];
  series: { id: string; model: string }[];
  segments: { at: string; reason: string }[];
  regressions: { metricId: string; state: string }[];
}

/** When the i-th run of a series ran, ms: four a day. */
export const timeOf = (i: number) => START_MS + (i * DAY_MS) / 4;
/** Step time of the i-th run of alpha on main, ns. */
export const stepOf = (i: number) => 100e6 + ((i * 7) % 40) * 1e4;

/** Three series: alpha on two clusters with 40 runs and 20 on a topic branch, and 8; beta with 4. Every commit of alpha runs twice. */
export async function fillTrendTeam({ database }: InProcessApi, teamId: string): Promise<void> {
  const add = (i: number, run: Partial<AnalysedRun>, base = 100e6) =>
    addAnalysedRun(database, teamId, {
      ...{ at: new Date(timeOf(i)), metrics: { 'step-time': base - 100e6 + stepOf(i), mfu: 0.4 } },
      ...run,
    });
  for (let i = 0; i < 40; i++) {
    const tags = i % 4 === 0 ? ['nightly'] : [];
    await add(i, { model: 'alpha', setup: H200, commit: `c${i >> 1}`, tags });
    if (i % 2 === 0) await add(i, { model: 'alpha', setup: H200, branch: 'topic' }, 50e6);
    if (i < 8) await add(i, { model: 'alpha', cluster: 'other', setup: B200 }, 70e6);
    if (i < 4) await add(i, { model: 'beta', setup: H200, workload: 'tuning', branch: null }, 30e6);
  }
  const chores = trendChores(database);
  await chores.record();
  await chores.rollUp();
}

type Headers = Record<string, string>;

/** Asks for the trend of the step time. */
export async function readTrend(
  api: InProcessApi,
  headers: Headers,
  query: Record<string, string | number>,
): Promise<Trend> {
  const asked = { metric: 'step-time', ...query };
  const { body } = await api.http().get('/v1/trends').query(asked).set(headers).expect(200);
  return body as Trend;
}
