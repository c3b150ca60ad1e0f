import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { parseFrame } from '../frame-text';
import { HostProfileBuilder, type KnownFunction } from '../host-profile-builder';
import { readLines } from '../read-lines';
import { rankFromName } from '../step-series';

// eslint-disable-next-line no-control-regex
const COLOUR = /\u001b\[[\d;]*m/g;
const PROCESS = /^Process (\d+): (.*)$/;
const THREAD = /^Thread (0x[\dA-Fa-f]+|\d+) \((idle|active|active\+gil)\)(?:: "(.*)")?$/;
/** Frames are indented by four, what `--locals` adds by eight and more. */
const FRAME = /^ {4}(\S.*)$/;
const MAX_DEPTH = 4096;

interface OpenThread {
  process: string | null;
  name: string;
  idle: boolean;
  gil: boolean;
  /** Innermost first. */
  frames: KnownFunction[];
}

/** What `py-spy dump` prints, of one process or of several, once or again and again: one sample of every thread each. */
export const pySpyDumpFormat: ArtifactFormat = {
  id: 'py-spy-dump',
  sniffOrder: 86,
  sniff: (head) => {
    const text = new TextDecoder('latin1').decode(head).replace(COLOUR, '');
    return /^Thread (0x[\dA-Fa-f]+|\d+) \((idle|active|active\+gil)\)(: ".*")?\r?$/m.test(text);
  },
  async read(chunks, context) {
    const profile = new HostProfileBuilder();
    let process: string | null = null;
    let thread: OpenThread | null = null;
    let dropped = 0;
    const close = (): void => {
      if (thread) addThread(profile, thread);
      thread = null;
    };
    for await (const raw of readLines(chunks, context)) {
      const line = raw.replace(COLOUR, '').trimEnd();
      const ofProcess = PROCESS.exec(line);
      const ofThread = THREAD.exec(line);
      const frame = FRAME.exec(line);
      if (ofProcess) {
        close();
        process = `${ofProcess[1]}: ${ofProcess[2]}`;
      } else if (ofThread) {
        close();
        const [, id, state, name] = ofThread;
        thread = {
          process,
          name: name ?? `Thread ${id}`,
          idle: state === 'idle',
          gil: state === 'active+gil',
          frames: [],
        };
      } else if (frame && thread) {
        const { name, file } = parseFrame(frame[1]);
        const open: OpenThread = thread;
        if (open.frames.length < MAX_DEPTH) open.frames.push(profile.function(name, file));
        else dropped++;
      }
    }
    close();
    if (profile.isEmpty)
      throw new InputRefused(
        'unreadable',
        `${context.path} holds no thread. Upload what py-spy dump --pid PID printed.`,
      );
    context.problems.add('record-limit-reached', context.path, dropped + profile.joinedCount);
    const about = { source: 'py-spy-dump', rank: rankFromName(context.path), unit: 'samples' } as const;
    return { kind: 'host-profile', profile: profile.build(about) };
  },
};

function addThread(profile: HostProfileBuilder, { process, name, idle, gil, frames }: OpenThread): void {
  profile.add({ process, thread: name, frames: frames.reverse(), weight: 1, sampleCount: 1, idle, gil });
}
