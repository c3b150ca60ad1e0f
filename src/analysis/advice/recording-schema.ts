import { z } from 'zod';
import { valuesSchema } from './values';

/** The method, step by step. */
export const RECORDING_STEPS = [
  'baseline',
  'step-trace',
  'data-and-cpu',
  'communication',
  'kernels',
  'memory',
] as const;

/** What a step of the method asks for. */
export const RECORDING_ITEMS = [
  'gpu',
  'driver',
  'cuda',
  'framework',
  'parameters',
  'batch-size',
  'peak-memory',
  'commit',
  'step-times',
  'power-and-clocks',
  'trace',
  'whole-file',
  'host-operators',
  'device-activity',
  'step-markers',
  'counted-steps',
  'shapes',
  'loader-in-trace',
  'loader-arguments',
  'python-functions',
  'all-ranks',
  'collective-sizes',
  'nccl-log',
  'kernel-counters',
  'memory-summary',
  'memory-timeline',
  'model-shape',
] as const;
export type RecordingItem = (typeof RECORDING_ITEMS)[number];

/** Ways to record what is missing; the presentation has the exact commands. */
export const RECORDING_COMMANDS = [
  'write-metadata',
  'record-step-times',
  'monitor-gpu',
  'record-trace',
  'time-loader',
  'sample-python',
  'record-all-ranks',
  'log-nccl',
  'count-kernels',
  'print-memory-summary',
  'snapshot-memory',
  'write-model-shape',
] as const;
export type RecordingCommand = (typeof RECORDING_COMMANDS)[number];

/** One step of the method: what this run's evidence has for it, what is missing, and how to record that. */
export const recordingStepSchema = z.object({
  step: z.number().int().min(1).max(RECORDING_STEPS.length),
  id: z.enum(RECORDING_STEPS),
  state: z.enum(['complete', 'incomplete', 'not-needed']),
  have: z.array(z.enum(RECORDING_ITEMS)),
  missing: z.array(z.enum(RECORDING_ITEMS)),
  commands: z.array(z.object({ id: z.enum(RECORDING_COMMANDS), values: valuesSchema })),
});
export type RecordingStep = z.infer<typeof recordingStepSchema>;
