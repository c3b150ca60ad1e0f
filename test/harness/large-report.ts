import { type Analysis } from '../../src/analysis';
import { sampleReport } from './stored-report';

type Collective = NonNullable<Analysis['communication']>['collectives'][number];

export const LARGE = { ranks: 64, steps: 400, kernels: 200, collectives: 100 };

const CLASSES = ['gemm', 'attention', 'elementwise', 'reduction', 'copy', 'norm', 'optimizer', 'other'];
const many = <Item>(length: number, make: (i: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => make(i));

/** What the analysis of a trace of hundreds of megabytes gives: every list of the report as long as it gets. */
export async function largeReport(): Promise<Analysis> {
  const small = await sampleReport();
  const [rank] = small.ranks;
  const [step] = rank.steps;
  const topKernels = many(LARGE.kernels, (i) => ({
    name: `void at::native::kernel_${i}<${'Functor<float>, '.repeat(60)}>`,
    ...{ kind: CLASSES[i % CLASSES.length], count: 1_000 - i, totalNs: 1e9 - i * 1e6, rank: null },
  }));
  return {
    ...small,
    ranks: many(LARGE.ranks, (number) => ({
      ...{ ...rank, rank: number },
      steps: many(LARGE.steps, (index) => ({
        ...step,
        index,
        wallNs: step.wallNs + number * 1_000,
        computeNs: step.computeNs + number * 1_000,
        excluded: index === 0 ? 'first-recorded-step' : null,
      })),
    })),
    topKernels,
    kernelClasses: CLASSES.map((name) => ({ class: name, count: 20_000, totalNs: 4e10 })),
    kernelsLeftOut: { names: 700, totalNs: 1e10 },
    communication: {
      ...{ matchedBy: 'sequence', reason: null, stragglerRank: 63, clockOffsets: [] },
      collectives: many(LARGE.collectives, collective),
      collectivesLeftOut: 3,
      perRank: many(LARGE.ranks, (number) => ({
        ...{ rank: number, transferNs: 3e6, waitNs: (63 - number) * 1e6, latenessNs: number * 1e6 },
      })),
    },
  };
}

function collective(i: number): Collective {
  return {
    ...{ name: `all_gather_${i}`, dtype: 'BFloat16', groupSize: LARGE.ranks, count: 96, sizeBytes: 5e7 },
    ...{ transferNs: 2e5, busBandwidthBytesPerSec: 2.4e11 },
    waitNsByRank: many(LARGE.ranks, (rank) => (rank % 9 === 8 ? null : (63 - rank) * 1e5)),
  };
}
