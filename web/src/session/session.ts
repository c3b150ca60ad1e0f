import { type components } from '../api/schema';
import { hasCode, ProblemError, toProblem, unreachable } from '../api/problem';

type SignedIn = components['schemas']['SignedIn'];
export type Team = SignedIn['team'];

interface Held {
  accessToken: string;
  goodUntilMs: number;
  team: Team;
}

export interface Credentials {
  email: string;
  password: string;
  team?: string;
}

/** A token that is about to expire is renewed before it is used. */
const MARGIN_MS = 30_000;
/** Tabs share one cookie, whose token works once: they take turns. */
const LOCK = 'stallscope-session';

/**
 * The session of whoever sits at the browser. The access token is in the memory of this page only; what renews it is a
 * cookie that no script can read. Every method throws ProblemError.
 */
export class Session {
  #held: Held | null = null;
  readonly #renewals = new Map<string, Promise<Held>>();

  async signIn(credentials: Credentials): Promise<Team> {
    return (this.#held = toHeld(await post('login', { ...credentials, delivery: 'cookie' }))).team;
  }

  /** Makes sure that there is a session for the team with this slug, or for the last one. */
  async enter(team?: string): Promise<Team> {
    return (await this.#tokenOf(team)).team;
  }

  async signOut(): Promise<void> {
    this.#held = null;
    await post('logout', {}).catch((error: unknown) => {
      // A session that has ended already is as good as ended.
      if (!(error instanceof ProblemError) || error.problem.status !== 401) throw error;
    });
  }

  /** Sends a request in the name of the team's member; once more when the token turns out to be no good any more. */
  async fetch(team: string, request: Request): Promise<Response> {
    const again = request.clone();
    const held = await this.#tokenOf(team);
    const response = await send(request, held);
    if (response.status !== 401) return response;
    if (this.#held === held) this.#held = null;
    return send(again, await this.#tokenOf(team));
  }

  async #tokenOf(team?: string): Promise<Held> {
    const held = this.#held;
    const fits = held !== null && (team === undefined || held.team.slug === team);
    if (fits && Date.now() < held.goodUntilMs) return held;
    const key = team ?? '';
    const renewal = this.#renewals.get(key) ?? this.#renew(team).finally(() => this.#renewals.delete(key));
    this.#renewals.set(key, renewal);
    return renewal;
  }

  async #renew(team: string | undefined): Promise<Held> {
    const body = team === undefined ? {} : { team };
    const ask = () => post<SignedIn>('refresh', { ...body, delivery: 'cookie' });
    const refresh = async () => {
      try {
        return await ask();
      } catch (error) {
        if (!hasCode(error, 'refresh-token-in-use')) throw error;
        // By a page that was left a moment ago: now that it has its answer, ask again.
        return ask();
      }
    };
    // Browsers have locks on pages that came over https or from this machine.
    const locks = navigator.locks as LockManager | undefined;
    return (this.#held = toHeld(await (locks ? locks.request(LOCK, refresh) : refresh())));
  }
}

function toHeld({ accessToken, expiresInS, team }: SignedIn): Held {
  return { accessToken, team, goodUntilMs: Date.now() + expiresInS * 1000 - MARGIN_MS };
}

async function send(request: Request, { accessToken }: Held): Promise<Response> {
  request.headers.set('Authorization', `Bearer ${accessToken}`);
  return fetch(request).catch((error: unknown) => {
    if (request.signal.aborted) throw error;
    throw unreachable(new URL(request.url).pathname);
  });
}

async function post<T = SignedIn>(act: 'login' | 'refresh' | 'logout', body: object): Promise<T> {
  const path = `/v1/auth/${act}`;
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    // A page that is left meanwhile still gets the next cookie: the one that was sent is used up.
    keepalive: true,
  }).catch(() => {
    throw unreachable(path);
  });
  const answer: unknown = response.status === 204 ? null : await response.json().catch(() => null);
  if (!response.ok) throw new ProblemError(toProblem(answer, response));
  return answer as T;
}

/** There is one person at a browser. */
export const session = new Session();
