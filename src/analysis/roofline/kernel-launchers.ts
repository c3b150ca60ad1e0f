import { memoize } from '../attribution/device-activity';
import { NO_INDEX, type RankTimeline } from '../timeline/rank-timeline';
import { type UncostedKernel } from './attributed-work';
import { type EnclosingOps, findEnclosingOps } from './enclosing-ops';
import { type OpCall, OpCalls } from './op-calls';
import { type NoModelReason } from './roofline-schema';

/** The op call that a kernel belongs to: the innermost around its launch, on the launching thread, that has a cost. */
export interface Launcher {
  /** Row of the op in the host events. */
  row: number;
  call: OpCall;
}

/** Finds the op behind each kernel of a trace. */
export class KernelLaunchers {
  private readonly calls: OpCalls;
  private readonly enclosing: EnclosingOps;
  private readonly isGraph: (nameId: number) => boolean;
  private readonly isTriton: (nameId: number) => boolean;

  constructor(private readonly timeline: RankTimeline) {
    const { strings } = timeline;
    this.calls = new OpCalls(timeline);
    this.enclosing = findEnclosingOps(timeline, (row) => this.calls.at(row) !== null);
    this.isGraph = memoize((nameId) => /GraphLaunch/i.test(strings.get(nameId)));
    this.isTriton = memoize((nameId) => strings.get(nameId).startsWith('triton_'));
  }

  /** Who launched device op `i`. Graph replays and generated kernels are nobody's: no op says what they do. */
  of(i: number): Launcher | UncostedKernel {
    const { device, host, strings } = this.timeline;
    const launch = device.launchIndex[i];
    if (launch < 0) return { reason: 'launch-not-recorded', opName: null };
    const opRow = this.enclosing.innermost[launch];
    const row = this.enclosing.costed[launch];
    const opName = opRow < 0 ? null : strings.get(host.nameId[opRow]);
    if (this.isGraph(host.nameId[launch])) return { reason: 'graph-replay', opName };
    if (this.isTriton(device.nameId[i])) return { reason: 'compiled', opName };
    const call = row < 0 ? null : this.calls.at(row);
    return call ? { row, call } : { reason: this.reasonAt(opRow), opName };
  }

  /** Row of the innermost op with a cost around the op at `row`, or NO_INDEX. */
  around(row: number): number {
    return this.enclosing.costed[row] ?? NO_INDEX;
  }

  private reasonAt(opRow: number): NoModelReason {
    const { host } = this.timeline;
    if (opRow < 0) return 'outside-ops';
    if (this.isTriton(host.nameId[opRow])) return 'compiled';
    if (!this.calls.isModelled(opRow)) return 'op-not-modelled';
    return host.inputDimsId[opRow] === 0 ? 'no-shapes' : 'inputs-not-modelled';
  }
}
