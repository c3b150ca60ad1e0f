import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { HostProfileBuilder } from '../host-profile-builder';
import { readSmallText } from '../read-text';
import { rankFromName } from '../step-series';
import { addEvented } from './evented';
import { framesOf, listOf, memberOf, textOf } from './members';
import { addSampled } from './sampled';

/** Units of speedscope that are time, in ns. */
const UNIT_NS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    nanoseconds: 1,
    microseconds: 1e3,
    milliseconds: 1e6,
    seconds: 1e9,
  }),
);

/** The JSON of speedscope, as py-spy and others write it: sampled and evented profiles, one per thread. */
export const speedscopeFormat: ArtifactFormat = {
  id: 'speedscope',
  sniffOrder: 17,
  sniff: (head) => {
    const text = new TextDecoder('latin1').decode(head);
    if (!/^\s*\{/.test(text) || text.includes('"traceEvents"')) return false;
    if (text.includes('speedscope.app/file-format-schema')) return true;
    return /"shared"\s*:\s*\{\s*"frames"/.test(text) || /"type"\s*:\s*"(sampled|evented)"/.test(text);
  },
  async read(chunks, context) {
    const { path, problems } = context;
    const root = parse(await readSmallText(chunks, context), path);
    const profile = new HostProfileBuilder();
    const frames = framesOf(memberOf(memberOf(root, 'shared'), 'frames'), profile);
    const all = listOf(memberOf(root, 'profiles'));
    // Profiles of memory say nothing of what the host does.
    const profiles = all.filter((one) => memberOf(one, 'unit') !== 'bytes');
    const timed = profiles.every((one) => UNIT_NS.has(textOf(memberOf(one, 'unit'))));
    let malformed = all.length - profiles.length;
    for (const one of profiles) {
      const scale = (timed ? UNIT_NS.get(textOf(memberOf(one, 'unit'))) : null) ?? 1;
      const into = { profile, frames, scale, ...threadOf(textOf(memberOf(one, 'name'))) };
      const type = memberOf(one, 'type');
      if (type === 'sampled') malformed += addSampled(one, into);
      else if (type === 'evented') malformed += addEvented(one, into);
      else malformed++;
    }
    if (profile.isEmpty)
      throw new InputRefused(
        'unreadable',
        `${path}: a speedscope file without samples. Record with py-spy record --format speedscope.`,
      );
    problems.add('malformed-event', path, malformed);
    problems.add('record-limit-reached', path, profile.joinedCount);
    const about = { source: 'speedscope', rank: rankFromName(path), unit: timed ? 'ns' : 'samples' } as const;
    return { kind: 'host-profile', profile: profile.build(about) };
  },
};

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = String(error).replace(/\s+/g, ' ');
    throw new InputRefused(
      'unreadable',
      `${path}: not valid JSON (${why}). Upload it after the profiler has ended.`,
    );
  }
}

/** py-spy names a profile `Process 12 Thread 0x7F "MainThread"`; other writers name it as they like. */
function threadOf(name: string): { process: string | null; thread: string | null } {
  const process = /^Process (\d+)/.exec(name)?.[1] ?? null;
  if (!/\bThread\b/.test(name)) return { process, thread: null };
  const quote = name.indexOf('"');
  const isQuoted = quote >= 0 && quote < name.length - 1 && name.endsWith('"');
  return { process, thread: isQuoted ? name.slice(quote + 1, -1) : name };
}
