import { type RankAttribution } from '../attribution/attribute-rank';
import { memoize } from '../attribution/device-activity';
import { type DtypeId } from '../gpu-specs/dtype';
import { isTensorCoreKernel, kernelClass } from '../timeline/kernel-class';
import { attributeOps } from './attribute-ops';
import { type CostedOp, type OpAttribution, type UncostedKernel } from './attributed-work';
import { type DeviceRoofs, type OpRoof, roofOf } from './device-roofs';
import { OpGroups } from './op-groups';
import { type RooflineReport, type RooflineTotals } from './roofline-schema';
import { findStepWork } from './step-work';

type WithoutModel = RooflineReport['withoutModel'][number];

/** Classes of kernels that do matrix work. */
const MATRIX_CLASSES: ReadonlySet<string> = new Set(['gemm', 'attention', 'convolution']);

/** Sums over ranks. Kernels, calls, flop and bytes belong to the step that launched them. */
export class WorkTally {
  readonly groups = new OpGroups();
  readonly totals: RooflineTotals = {
    windowComputeNs: 0,
    computeNs: 0,
    computeRoofNs: 0,
    memoryRoofNs: 0,
    withoutPeakNs: 0,
    withoutModelNs: 0,
    tensorCoreNs: 0,
    modelledNs: 0,
    modelledLeastNs: null,
    matrixFlop: 0,
    vectorFlop: 0,
    leastBytes: 0,
  };
  stepCount = 0;
  /** Parts of `totals.matrixFlop`: ops that ran a second time, and what fused attention computes again. */
  recomputeFlop = 0;
  repeatedFlop = 0;
  attentionFlop = 0;
  hasUpperBounds = false;
  /** Time of matrix kernels, and the part of it whose flop is known, by format. */
  matrixNs = 0;
  readonly matrixNsByDtype = new Map<DtypeId, number>();
  /** Trained parameters by rank, where gradients show them. */
  readonly parameterCounts: number[] = [];
  private readonly uncosted = new Map<string, WithoutModel>();

  addRank(attribution: RankAttribution, roofs: DeviceRoofs): void {
    const { ops, byKernel, parameterCount } = attributeOps(attribution);
    const counted = attribution.windows.windows.map((w) => w.excluded === null);
    this.stepCount += counted.filter(Boolean).length;
    if (parameterCount > 0) this.parameterCounts.push(parameterCount);
    const roofByOp = new Map<CostedOp, OpRoof | null>();
    for (const op of ops) {
      const roof = roofOf(roofs.spec, op.cost);
      roofByOp.set(op, roof);
      if (counted[op.step] === true) this.addOp(op, roofs, roof);
    }
    this.addKernels(attribution, byKernel, roofs, roofByOp);
  }

  /** Kernels without a cost, longest first. */
  withoutModel(): WithoutModel[] {
    return [...this.uncosted.values()].sort((a, b) => b.shareNs - a.shareNs);
  }

  private addOp(op: CostedOp, roofs: DeviceRoofs, roof: OpRoof | null): void {
    const group = this.groups.of(op, roofs, roof);
    const { totals } = this;
    const { cost, durationNs, isRecompute } = op;
    group.calls++;
    if (isRecompute) group.recomputeCalls++;
    group.deviceNs += durationNs;
    totals.leastBytes += cost.leastBytes;
    if (roof) {
      group.leastNs += roof.leastNs;
      totals.modelledNs += durationNs;
      totals.modelledLeastNs = (totals.modelledLeastNs ?? 0) + roof.leastNs;
    }
    if (cost.flopKind === 'vector') {
      totals.vectorFlop += cost.flop;
      return;
    }
    totals.matrixFlop += cost.flop;
    if (isRecompute) this.recomputeFlop += cost.flop;
    else {
      this.repeatedFlop += cost.repeatedFlop;
      if (op.call.family.id === 'attention') this.attentionFlop += cost.flop - cost.repeatedFlop;
    }
    this.hasUpperBounds ||= cost.notes.includes('flop-upper-bound');
  }

  private addKernels(
    attribution: RankAttribution,
    byKernel: OpAttribution['byKernel'],
    roofs: DeviceRoofs,
    roofByOp: ReadonlyMap<CostedOp, OpRoof | null>,
  ): void {
    const { device, strings } = attribution.timeline;
    const isTensorCore = memoize((nameId) => isTensorCoreKernel(strings.get(nameId)));
    const isMatrix = memoize((nameId) => MATRIX_CLASSES.has(kernelClass(strings.get(nameId))));
    const { counts, shareNs: shares, windowNs } = findStepWork(attribution);
    this.totals.windowComputeNs += windowNs;
    for (let i = 0; i < device.count; i++) {
      const work = byKernel[i];
      if (!work || counts[i] === 0) continue;
      const shareNs = shares[i];
      this.totals.computeNs += shareNs;
      if (isTensorCore(device.nameId[i])) this.totals.tensorCoreNs += shareNs;
      if ('reason' in work) {
        if (isMatrix(device.nameId[i])) this.matrixNs += shareNs;
        this.addUncosted(work, shareNs);
        continue;
      }
      const roof = roofByOp.get(work) ?? null;
      this.groups.of(work, roofs, roof).shareNs += shareNs;
      if (!roof) this.totals.withoutPeakNs += shareNs;
      else if (roof.roof === 'compute') this.totals.computeRoofNs += shareNs;
      else this.totals.memoryRoofNs += shareNs;
      if (work.cost.flopKind === 'vector') continue;
      this.matrixNs += shareNs;
      const { dtype } = work.cost;
      if (dtype) this.matrixNsByDtype.set(dtype, (this.matrixNsByDtype.get(dtype) ?? 0) + shareNs);
    }
  }

  private addUncosted({ reason, opName }: UncostedKernel, shareNs: number): void {
    this.totals.withoutModelNs += shareNs;
    const key = `${reason} ${opName ?? ''}`;
    let entry = this.uncosted.get(key);
    if (!entry) this.uncosted.set(key, (entry = { reason, op: opName, kernels: 0, shareNs: 0 }));
    entry.kernels++;
    entry.shareNs += shareNs;
  }
}
