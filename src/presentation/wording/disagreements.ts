import { type Analysis } from '../../analysis';

type Subject = NonNullable<Analysis['disagreements']>[number]['subject'];

/** What the artifacts disagree about. */
export const DISAGREEMENT_WORDING: Readonly<Record<Subject, string>> = {
  'step-time': 'median step without the profiler',
  'peak-memory': 'peak memory allocated',
  gpu: 'GPU',
  'world-size': 'number of ranks',
};

/** Why one of them is believed. */
export const BELIEF_WORDING: Readonly<Record<Subject, string>> = {
  'step-time': 'times of single steps say more than means and figures of the whole job',
  'peak-memory': 'the allocator counts itself',
  gpu: 'the trace names the device that ran the kernels',
  'world-size': 'the trace was written by the process group itself',
};
