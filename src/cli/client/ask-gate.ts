import { setTimeout as sleep } from 'node:timers/promises';
import { type GateEvaluation } from '../../presentation';
import { type ApiClient, type GateQuestion, NOT_READY } from './api-client';
import { ApiError } from './api-error';

const SHORTEST_PAUSE_MS = 500;

/**
 * Judges a run as soon as its analysis is done. When that takes longer than `waitS` seconds the answer is inconclusive, and
 * says so. `onWaiting` is told once, when the first answer is to wait.
 */
export async function askGate(
  client: ApiClient,
  question: GateQuestion,
  waitS: number,
  onWaiting: (text: string) => void,
): Promise<GateEvaluation> {
  const deadlineMs = Date.now() + waitS * 1000;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await client.evaluateGate(question);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === NOT_READY)) throw error;
      const leftMs = deadlineMs - Date.now();
      if (leftMs <= 0) return unanswered(client, question, waitS, error.message);
      if (isFirst) onWaiting(`waiting up to ${waitS} s for the analysis of run ${question.runId}.`);
      await sleep(Math.min(leftMs, Math.max(SHORTEST_PAUSE_MS, (error.retryAfterS ?? 1) * 1000)));
    }
  }
}

/** The answer in the server's place, so that a job which waits in vain has its files too. */
function unanswered(
  client: ApiClient,
  { runId, policy }: GateQuestion,
  waitS: number,
  why: string,
): GateEvaluation {
  return {
    outcome: 'inconclusive',
    reasons: [`After ${waitS} s of waiting there was nothing to judge: ${why}`],
    policy: { name: policy ?? null, revision: null, whenInconclusive: 'inconclusive' },
    run: {
      id: runId,
      model: '',
      cluster: '',
      workload: null,
      branch: null,
      commit: null,
      at: new Date().toISOString(),
    },
    rules: [],
    links: { run: client.runUrl(runId), report: client.reportUrl(runId), series: null },
    compare: null,
  };
}
