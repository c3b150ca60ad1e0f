import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { HostProfileBuilder } from '../host-profile-builder';
import { readSmallText } from '../read-text';
import { rankFromName } from '../step-series';

/** What `py-spy dump --json` prints: one look at all threads, with who holds the interpreter lock. */
export const pySpyJsonFormat: ArtifactFormat = {
  id: 'py-spy-json',
  sniffOrder: 18,
  sniff: (head) => {
    const text = new TextDecoder('latin1').decode(head);
    return /^\s*\[\s*\{/.test(text) && text.includes('"owns_gil"') && text.includes('"frames"');
  },
  async read(chunks, context) {
    const { path, problems } = context;
    const root = parse(await readSmallText(chunks, context), path);
    const profile = new HostProfileBuilder();
    let malformed = 0;
    for (const thread of Array.isArray(root) ? (root as unknown[]) : []) {
      const frames = memberOf(thread, 'frames');
      if (!Array.isArray(frames)) {
        malformed++;
        continue;
      }
      const pid = memberOf(thread, 'pid');
      const osThread = memberOf(thread, 'os_thread_id');
      const active = memberOf(thread, 'active');
      profile.add({
        process: typeof pid === 'number' ? String(pid) : null,
        thread:
          textOf(memberOf(thread, 'thread_name')) || `Thread ${typeof osThread === 'number' ? osThread : ''}`,
        frames: (frames as unknown[])
          .map((frame) =>
            profile.function(
              textOf(memberOf(frame, 'name')),
              textOf(memberOf(frame, 'short_filename')) || textOf(memberOf(frame, 'filename')),
            ),
          )
          .reverse(),
        weight: 1,
        sampleCount: 1,
        idle: typeof active === 'boolean' ? !active : null,
        gil: memberOf(thread, 'owns_gil') === true,
      });
    }
    if (profile.isEmpty)
      throw new InputRefused(
        'unreadable',
        `${path} holds no thread. Upload what py-spy dump --json --pid PID printed.`,
      );
    problems.add('malformed-event', path, malformed);
    problems.add('record-limit-reached', path, profile.joinedCount);
    const about = { source: 'py-spy-dump', rank: rankFromName(path), unit: 'samples' } as const;
    return { kind: 'host-profile', profile: profile.build(about) };
  },
};

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InputRefused('unreadable', `${path}: not valid JSON (${String(error).replace(/\s+/g, ' ')}).`);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
