import { analyzeTexts, traceOfRank } from '../../../test/builders/analyze-texts';
import { hostEvent, kernelEvent, runtimeEvent } from '../../../test/builders/kineto-trace';
import { type Analysis } from '../report-schema';
import { explainChange } from './explain-change';
import { flattenFacts } from './configuration-change';

const STEP_US = 1_000;
const STEPS = [0, 1, 2, 3];

interface Kernel {
  name: string;
  us: number;
}

/** A run of one rank: in each step the loader, then kernels one after the other. */
async function runOf(kernels: Kernel[], { loaderUs = 50, stepUs = STEP_US } = {}): Promise<Analysis> {
  const events = STEPS.flatMap((n) => {
    const start = 100 + n * stepUs;
    let at = start + loaderUs + 10;
    const launched = kernels.flatMap(({ name, us }, i) => {
      const id = 1 + n * 100 + i;
      const pair = [runtimeEvent('cudaLaunchKernel', at - 5, 2, id), kernelEvent(name, at, us, id)];
      at += us;
      return pair;
    });
    return [
      hostEvent(`ProfilerStep#${n}`, start, stepUs, { cat: 'user_annotation' }),
      hostEvent('enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__', start, loaderUs, {
        cat: 'user_annotation',
      }),
      ...launched,
    ];
  });
  return analyzeTexts([traceOfRank(events)]);
}

const group = (analyses: Analysis[], facts: object = {}) => ({
  analyses,
  configuration: flattenFacts(facts),
});
const base = [
  { name: 'sm90_xmma_gemm_a', us: 300 },
  { name: 'elementwise_kernel', us: 100 },
];

describe('explainChange', () => {
  it('says where the time went, in parts that add up to the change', async () => {
    const [before, after] = [await runOf(base), await runOf(base, { loaderUs: 400, stepUs: 1_350 })];
    const found = explainChange(group([before, before]), group([after]));
    expect(found).not.toBeNull();
    const sum = found!.parts.reduce((total, { changeNs }) => total + changeNs, 0);
    expect(sum).toBeCloseTo(found!.changeNs, 3);
    expect(found!.changeNs).toBeCloseTo(350_000, -1);
    expect(found!.parts[0]).toMatchObject({ part: 'inputWait', changeNs: expect.closeTo(350_000, -4) });
    expect(found!.kernels).toEqual([]);
  });

  it('names kernels that came, went and changed, with their calls', async () => {
    const after = [
      { name: 'sm90_xmma_gemm_a', us: 380 },
      { name: 'triton_fused', us: 60 },
    ];
    const found = explainChange(group([await runOf(base)]), group([await runOf(after)]));
    expect(found?.kernels).toEqual([
      {
        ...{ name: 'elementwise_kernel', status: 'gone', beforeNs: 100_000, afterNs: null },
        ...{ changeNs: -100_000, beforeCalls: 1, afterCalls: null },
      },
      {
        ...{ name: 'sm90_xmma_gemm_a', status: 'slower', beforeNs: 300_000, afterNs: 380_000 },
        ...{ changeNs: 80_000, beforeCalls: 1, afterCalls: 1 },
      },
      {
        ...{ name: 'triton_fused', status: 'added', beforeNs: null, afterNs: 60_000 },
        ...{ changeNs: 60_000, beforeCalls: null, afterCalls: 1 },
      },
    ]);
  });

  it('does not call a kernel new that the other side may only not have listed', async () => {
    const many = Array.from({ length: 30 }, (_, i) => ({ name: `kernel_${i}`, us: 20 }));
    const listed = (one: Analysis) => ({ ...one, topKernels: one.topKernels.slice(0, 15) });
    const before = listed(await runOf(many));
    const after = listed(await runOf([...many, { name: 'aaa_kernel', us: 25 }]));
    const found = explainChange(group([before]), group([after]));
    expect(found?.kernels.find(({ name }) => name === 'aaa_kernel')?.status).toBe('unknown');
  });

  it('tells of ops by their device time, and of ranks and stragglers', async () => {
    const report = await runOf(base);
    const withOps = (ns: number): Analysis => {
      const copy = structuredClone(report);
      const op = { op: 'aten::mm', deviceNs: ns, calls: 8 } as NonNullable<
        Analysis['roofline']
      >['ops'][number];
      if (copy.roofline) Object.assign(copy.roofline, { ops: [op], withoutModel: [], stepCount: 4 });
      const late = { rank: 0, transferNs: 1, waitNs: 1, latenessNs: ns / 10 };
      const collective = { name: 'all_reduce', dtype: 'bf16', groupSize: 2, count: 8, sizeBytes: 1 };
      copy.communication = {
        ...{
          matchedBy: 'sequence',
          reason: null,
          perRank: [late],
          clockOffsets: [],
          stragglerRank: ns > 5e5 ? 0 : null,
        },
        collectives: [{ ...collective, transferNs: ns / 100, busBandwidthBytesPerSec: null }],
      };
      return copy;
    };
    const found = explainChange(group([withOps(400_000)]), group([withOps(800_000)]));
    const steps = report.ranks[0].steps.filter(({ excluded }) => excluded === null).length;
    expect(found?.ops).toMatchObject([
      { name: 'aten::mm', status: 'slower', changeNs: 100_000, afterCalls: 2 },
    ]);
    expect(found?.collectives).toMatchObject([
      { name: 'all_reduce (bf16)', changeNs: (8 * 4_000) / steps, beforeCalls: 8 / steps },
    ]);
    expect(found?.ranks).toMatchObject([{ rank: 0, beforeLatenessNs: 40_000, afterLatenessNs: 80_000 }]);
    expect(found?.stragglerRank).toEqual({ before: null, after: 0 });
  });

  it.each([
    ['loader.numWorkers', { loader: { numWorkers: 8 } }, { loader: { numWorkers: 0 } }, true],
    ['framework.cuda', { framework: { cuda: '12.8' } }, { framework: { cuda: '13.0' } }, true],
    ['optimizer', { optimizer: 'adam' }, { optimizer: 'adamw' }, true],
    ['environment.NCCL_ALGO', { environment: { NCCL_ALGO: 'Ring' } }, { environment: {} }, false],
    ['notes', { notes: 'a' }, { notes: 'b' }, false],
  ])('%s may explain that the loader is waited for: %j → %j, %s', async (name, old, recent, mayExplain) => {
    const [before, after] = [await runOf(base), await runOf(base, { loaderUs: 400, stepUs: 1_350 })];
    const found = explainChange(group([before], old), group([after], recent));
    expect(found?.configuration).toMatchObject([{ name, mayExplain }]);
    expect(found?.explainedByConfiguration).toBe(mayExplain);
  });

  it('reads what the files tell of the configuration, once, and no readings', async () => {
    const recorded = (metadata: Record<string, string>, analysis: Analysis): Analysis => ({
      ...analysis,
      metadata,
    });
    const old = {
      'loader.num_workers': '8',
      batch_size: '16',
      model_flops_per_s: '1',
      'env.NCCL_ALGO': 'Ring',
    };
    const recent = { 'loader.num_workers': '0', batch_size: '32', storage: 'jsonl', rank: '1' };
    const before = recorded(old, await runOf(base));
    const after = recorded(recent, await runOf(base, { loaderUs: 400, stepUs: 1_350 }));
    const found = explainChange(
      group([before], { uploadSha256: 'a' }),
      group([after], { uploadSha256: 'b' }),
    );
    expect(found?.configuration).toMatchObject([
      { name: 'batch_size', kind: 'workload', before: '16', after: '32', mayExplain: true },
      { name: 'environment.NCCL_ALGO', before: 'Ring', after: null },
      { name: 'loader.num_workers', before: '8', after: '0', mayExplain: true },
      { name: 'storage', kind: 'other', before: null, after: 'jsonl', mayExplain: false },
    ]);
    const told = { loader: { numWorkers: 8 } };
    expect(explainChange(group([before], told), group([after], told))?.configuration).toMatchObject([
      ...[{ name: 'batch_size' }, { name: 'environment.NCCL_ALGO' }, { name: 'storage' }],
    ]);
  });

  it('does not blame the loader for what kernels took', async () => {
    const slower = [{ name: 'sm90_xmma_gemm_a', us: 500 }, base[1]];
    const [before, after] = [await runOf(base), await runOf(slower, { stepUs: 1_200 })];
    const found = explainChange(
      group([before], { loader: { numWorkers: 8 } }),
      group([after], { loader: { numWorkers: 4 } }),
    );
    expect(found?.parts[0].part).toBe('compute');
    expect(found?.explainedByConfiguration).toBe(false);
  });

  it('says nothing without steps', async () => {
    const empty = { ...(await runOf(base)), ranks: [], calibratedStep: null };
    expect(explainChange(group([empty]), group([await runOf(base)]))).toBeNull();
  });
});
