import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { parseFrame } from '../frame-text';
import { HostProfileBuilder } from '../host-profile-builder';
import { readLines } from '../read-lines';
import { rankFromName } from '../step-series';

const STACK = /^(\S.*) (\d{1,15})$/;
/** py-spy puts these before the stack with --subprocesses and --threads; a command line may hold semicolons itself. */
const PROCESS = /^process (\d+):"(.*?)"(?:;|$)/;
const THREAD = /^thread \((?:0x)?[\dA-Fa-f]+\)(?:: ([^;]*))?(?:;|$)/i;
const MAX_DEPTH = 4096;
/** Of the lines in the head that are whole: a stack each, and more than one frame in most. */
const LEAST_STACKS = 0.9;
const LEAST_DEEP = 0.5;

/** Stacks with their counts, one a line, as FlameGraph reads them and `py-spy record --format raw` writes them. */
export const collapsedStacksFormat: ArtifactFormat = {
  id: 'collapsed-stacks',
  sniffOrder: 96,
  sniff: (head) => {
    const lines = new TextDecoder('latin1').decode(head).split(/\r?\n/);
    if (lines.length > 1) lines.pop();
    const filled = lines.filter((line) => line !== '');
    const stacks = filled.filter((line) => STACK.test(line));
    const deep = stacks.filter((line) => line.includes(';'));
    return (
      deep.length > 0 &&
      stacks.length >= LEAST_STACKS * filled.length &&
      deep.length >= LEAST_DEEP * stacks.length
    );
  },
  async read(chunks, context) {
    const profile = new HostProfileBuilder();
    for await (const line of readLines(chunks, context)) {
      if (line === '') continue;
      const match = STACK.exec(line);
      if (!match) {
        context.problems.add('malformed-event', context.path, 1, line);
        continue;
      }
      const weight = Number(match[2]);
      const { process, thread, stack } = rootsOf(match[1]);
      const frames = stack
        .split(';', MAX_DEPTH)
        .filter((text) => text !== '')
        .map((text) => {
          const { name, file } = parseFrame(text);
          return profile.function(name, file);
        });
      profile.add({ process, thread, frames, weight, sampleCount: weight });
    }
    if (profile.isEmpty)
      throw new InputRefused(
        'unreadable',
        `${context.path} holds no stack with a count. Record with py-spy record --format raw.`,
      );
    context.problems.add('record-limit-reached', context.path, profile.joinedCount);
    const about = { source: 'collapsed-stacks', rank: rankFromName(context.path), unit: 'samples' } as const;
    return { kind: 'host-profile', profile: profile.build(about) };
  },
};

/** Takes processes (parents first) and the thread off the front of a stack; of the processes the last is its own. */
function rootsOf(text: string): { process: string | null; thread: string | null; stack: string } {
  let process: string | null = null;
  let stack = text;
  for (let match = PROCESS.exec(stack); match; match = PROCESS.exec(stack)) {
    process = `${match[1]}: ${match[2]}`;
    stack = stack.slice(match[0].length);
  }
  const thread = THREAD.exec(stack);
  if (!thread) return { process, thread: null, stack };
  return { process, thread: thread[1] ?? thread[0].replace(/;$/, ''), stack: stack.slice(thread[0].length) };
}
