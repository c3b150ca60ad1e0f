import { MAX_PLAUSIBLE_NS, NS_PER_MS, NS_PER_S } from '../../units/time';
import { type ArtifactFormat, type StepTimes } from '../artifact-format';
import { readSmallText } from '../read-text';

/** First line of a series: a JSON object with a step number and at least one of the two times. */
const FIRST_LINE = /^\s*\{[^{}\n]*"step"\s*:[^{}\n]*("host_s"|"device_ms")[^{}\n]*\}/;
const RANK_IN_NAME = /rank[_-]?(\d{1,9})/i;

/**
 * Step times measured without the profiler: JSON Lines of `{"step": n, "host_s": seconds, "device_ms": milliseconds}`,
 * one file per rank, as the post-hook writes them.
 */
export const stepTimesFormat: ArtifactFormat = {
  id: 'step-times',
  sniffOrder: 20,
  sniff: (head) => FIRST_LINE.test(new TextDecoder().decode(head.subarray(0, 4096))),
  async read(chunks, context) {
    const stepTimes: StepTimes = { rank: rankFromName(context.path), step: [], hostNs: [], deviceNs: [] };
    const text = await readSmallText(chunks, context);
    let malformed = 0;
    let example: string | undefined;
    for (const line of text.split('\n')) {
      if (line.trim() === '') continue;
      const entry = parseLine(line);
      if (entry === null) {
        malformed++;
        example ??= line;
        continue;
      }
      stepTimes.step.push(entry.step);
      stepTimes.hostNs.push(entry.hostNs);
      stepTimes.deviceNs.push(entry.deviceNs);
    }
    context.problems.add('malformed-event', context.path, malformed, example);
    return { kind: 'step-times', stepTimes };
  },
};

function parseLine(line: string): { step: number; hostNs: number; deviceNs: number } | null {
  let entry: unknown;
  try {
    entry = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof entry !== 'object' || entry === null || !('step' in entry) || typeof entry.step !== 'number')
    return null;
  const hostNs = 'host_s' in entry ? durationNs(entry.host_s, NS_PER_S) : NaN;
  const deviceNs = 'device_ms' in entry ? durationNs(entry.device_ms, NS_PER_MS) : NaN;
  if (Number.isNaN(hostNs) && Number.isNaN(deviceNs)) return null;
  return { step: entry.step, hostNs: Math.round(hostNs), deviceNs: Math.round(deviceNs) };
}

/** In ns; NaN for anything but a plausible duration. */
function durationNs(value: unknown, scale: number): number {
  return typeof value === 'number' && value >= 0 && value * scale <= MAX_PLAUSIBLE_NS ? value * scale : NaN;
}

function rankFromName(path: string): number | null {
  const match = RANK_IN_NAME.exec(path.split('/').at(-1) ?? path);
  return match ? Number(match[1]) : null;
}
