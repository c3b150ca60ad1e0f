import { type AllocationSite } from './memory-snapshot-record';

/** How much a frame tells about whose memory it is: the first frame of the highest telling names the stack. */
const Telling = { nothing: 0, operator: 1, library: 2, user: 3 } as const;

/** Frames of the allocator and of recording itself, which stand above every stack. */
const MACHINERY = /^(torch::(unwind|CapturedTraceback)|c10::|torch::cuda::|at::(detail|empty|TensorBase))/;
const OPERATOR = /^(at::native::|at::_ops::|torch::autograd::generated::)/;
/** Python that belongs to an installation, not to the program. */
const INSTALLED = /(site|dist)-packages\/|\/lib\/python[\d.]+\/|^<frozen |^torch\//;

/** One frame of a stack. */
export class Frame implements AllocationSite {
  readonly telling: number;
  readonly isEmptyCache: boolean;

  constructor(
    readonly name: string,
    readonly file: string,
    readonly line: number | null,
  ) {
    this.telling = tellingOf(name, file);
    this.isEmptyCache = name === 'empty_cache' || name.includes('::emptyCache(');
  }
}

function tellingOf(name: string, file: string): number {
  if (file.endsWith('.py') || file.startsWith('<ipython'))
    return INSTALLED.test(file) ? Telling.library : Telling.user;
  return !MACHINERY.test(name) && OPERATOR.test(name) ? Telling.operator : Telling.nothing;
}

/** What is kept of a list of frames: the frame that names it, and whether it gives the cache back. Kept once each. */
export class Stack {
  private constructor(
    readonly site: Frame,
    readonly inEmptyCache: boolean,
  ) {}

  private static readonly kept = new WeakMap<Frame, [Stack?, Stack?]>();

  /** The stack that one more frame, farther out, makes of `stack`. */
  static with(stack: Stack | null, frame: Frame): Stack {
    const site = !stack || frame.telling > stack.site.telling ? frame : stack.site;
    const inEmptyCache = frame.isEmptyCache || (stack?.inEmptyCache ?? false);
    const pair = Stack.kept.get(site) ?? [];
    Stack.kept.set(site, pair);
    return (pair[inEmptyCache ? 1 : 0] ??= new Stack(site, inEmptyCache));
  }
}

/** Distinct frames that are kept; programs have thousands. */
const MAX_FRAMES = 1 << 18;

/** Frames, each kept once. */
export class FrameTable {
  private readonly byKey = new Map<string, Frame>();
  turnedAway = 0;

  /** Null beyond the bound. */
  frame(name: string, file: string, line: number): Frame | null {
    const key = `${line} ${file} ${name}`;
    const known = this.byKey.get(key);
    if (known) return known;
    if (this.byKey.size >= MAX_FRAMES) {
      this.turnedAway++;
      return null;
    }
    const frame = new Frame(name, file, line > 0 ? line : null);
    this.byKey.set(key, frame);
    return frame;
  }
}
