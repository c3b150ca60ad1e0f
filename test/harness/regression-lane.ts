import { type InProcessApi } from './in-process-api';
import { type Credential } from './team-people';
import { addAnalysedRun, type AnalysedRun, trendChores } from './trend-runs';

const MINUTE_MS = 60_000;
/** Noise of half a percent, the same every time. */
export const noisy = (i: number, level: number) => level * (1 + 0.005 * Math.sin(i * 2.399963));

/** A regression, as far as tests look at it. */
export interface ShownRegression {
  id: string;
  state: string;
  resolution: string | null;
  metricId: string;
  before: number;
  after: number;
  changeRatio: number;
  metrics: { metricId: string; before: number; after: number }[];
  firstBad: { runId: string | null; commit: string | null };
  lastGood: { runId: string | null; commit: string | null };
  timesReopened: number;
  assignedTo: { userId: string } | null;
  mutedUntil: string | null;
  acts?: { act: string; reason: string | null; actor: { id: string } | null }[];
}

/** One model of a team, run again and again: each run a minute after the one before, the last ones now. */
export class RegressionLane {
  private next = 0;
  private readonly startMs: number;

  /** `ageMs`: how long ago the first of its runs was. */
  constructor(
    private readonly api: InProcessApi,
    readonly teamId: string,
    private readonly place: Partial<AnalysedRun> & { model: string },
    ageMs = 3 * 86_400_000,
  ) {
    this.startMs = Date.now() - ageMs;
  }

  /** So many runs of this step time, recorded; gives their ids. `apart`: other metrics of each. */
  async add(count: number, stepNs: number, apart: Record<string, number> = {}): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const n = this.next++;
      const at = new Date(this.startMs + n * MINUTE_MS);
      ids.push(await this.addAt(at, `commit-${n}`, noisy(n, stepNs), apart));
    }
    await trendChores(this.api.database).record();
    return ids;
  }

  /** Runs of this step time that begin now, recorded. */
  async addLater(count: number, stepNs: number): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) {
      const n = this.next++;
      ids.push(await this.addAt(new Date(), `commit-${n}`, noisy(n, stepNs)));
    }
    await trendChores(this.api.database).record();
    return ids;
  }

  private addAt(at: Date, commit: string, stepNs: number, apart: Record<string, number> = {}) {
    const metrics = { 'step-time': stepNs, 'device-idle': stepNs / 10, ...apart };
    return addAnalysedRun(this.api.database, this.teamId, { at, commit, metrics, ...this.place });
  }

  /** Its regressions, the newest first, with their acts. */
  async regressions(headers: Credential): Promise<ShownRegression[]> {
    const query = { model: this.place.model, state: 'any' };
    const { body } = await this.api.http().get('/v1/regressions').query(query).set(headers).expect(200);
    const { items } = body as { items: ShownRegression[] };
    return Promise.all(items.map(({ id }) => showRegression(this.api, headers, id)));
  }
}

export async function showRegression(
  api: InProcessApi,
  headers: Credential,
  id: string,
): Promise<ShownRegression> {
  const { body } = await api.http().get(`/v1/regressions/${id}`).set(headers).expect(200);
  return body as ShownRegression;
}

/** What happened to a regression, oldest first. */
export const actsOf = ({ acts = [] }: ShownRegression) => acts.map(({ act }) => act).reverse();

/** Types of the events of regressions that the team's webhooks are told of, in order. */
export async function newsOf({ database }: InProcessApi, teamId: string): Promise<string[]> {
  const events = await database.forTeam(teamId, ({ teamEvent }) =>
    teamEvent.findMany({ where: { teamId, type: { startsWith: 'regression.' } }, orderBy: { seq: 'asc' } }),
  );
  return events.map(({ type }) => type.replace('regression.', ''));
}
