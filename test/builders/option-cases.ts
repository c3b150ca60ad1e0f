import { readConfiguration } from '../../src/analysis/advice/configuration';
import { type OptionId, type OptionReport } from '../../src/analysis/advice/option-schema';
import { gatherEvidence } from '../../src/analysis/advice/trace-evidence';
import { type StepEvent, type TrainingRun, trainingRun } from './training-run';

/** A run, and what the advisor must say of one option in it. */
export interface OptionCase {
  run: TrainingRun;
  is: Partial<Omit<OptionReport, 'note'>> & { note: string };
}

/** Options that save memory; their cases stand in another file than those of speed. */
export type MemoryOption =
  'activation-checkpointing' | 'sharding' | 'lora' | 'quantisation' | 'gradient-accumulation';

/** A test for each case of each option. */
export function describeOptions(cases: Partial<Record<OptionId, Record<string, OptionCase>>>): void {
  describe.each(Object.entries(cases))('%s', (option, casesOfOption) => {
    test.each(Object.entries(casesOfOption))('%s', async (_, { run, is }) => {
      const options = readConfiguration(gatherEvidence(await trainingRun(run)));
      const found = options.find((o) => o.option === option);
      expect({ ...found, note: found?.note.id }).toMatchObject(is);
    });
  });
}

/** An operator of 20 µs. */
export const op = (name: string, at: number, more: Partial<StepEvent> = {}): StepEvent => ({
  ...{ name, at, dur: 20 },
  ...more,
});
export const annotation = (name: string, at: number, dur: number): StepEvent => ({
  ...{ name, at, dur, cat: 'user_annotation' },
});
/** Arguments of an operator on tensors of these types. */
export const types = (...names: string[]): Record<string, unknown> => ({
  'Input type': names,
  'Input Dims': names.map(() => [8, 8]),
});

export const GEMM = op('aten::mm', 0, {
  ...{ kernel: 'sm90_xmma_gemm_bf16', kernelDur: 500, args: types('c10::BFloat16') },
});

/** A run of one rank that says these things of itself. */
export const meta = (metadata: Record<string, unknown>, step: StepEvent[] = [GEMM]): TrainingRun => ({
  step,
  metadata: { world_size: 1, batch_size: 4, ...metadata },
});

/** Exposed collectives of 100 µs, one after the other. */
export const collectives = (...names: string[]): StepEvent[] =>
  names.map((name, i) =>
    op('c10d::collective', 100 * i, {
      kernel: `ncclDevKernel_${name}`,
      kernelAt: 100 * i,
      kernelDur: 100,
      kernelArgs: { 'Collective name': name, 'Group size': 2, dtype: 'Float', 'In msg nelems': 8 },
    }),
  );
