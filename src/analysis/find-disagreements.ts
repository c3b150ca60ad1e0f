import { type RunFacts } from './attribution/run-facts';
import { disagreementOf, type Statement } from './evidence/disagreements';
import { type Disagreement } from './evidence/evidence-schema';
import { normalizeGpuName } from './gpu-specs/gpu-name';
import { largest } from './units/largest';

/** Where artifacts of the run contradict each other, with what was believed. */
export function findDisagreements(facts: RunFacts): Disagreement[] {
  return [
    disagreementOf('step-time', stepTimes(facts)),
    disagreementOf('peak-memory', peakMemory(facts)),
    disagreementOf('gpu', gpus(facts)),
    disagreementOf('world-size', worldSizes(facts)),
  ].filter((found) => found !== null);
}

/** Medians without the profiler: each step timed by itself is believed before means, and both before one figure of the job. */
function stepTimes({ evidence, metadata }: RunFacts): Statement[] {
  // Ranks step together, and a mean over steps with spikes is no median.
  const steady = evidence.stepDistributions.filter(
    ({ isOfSingleSteps, spikes }) => isOfSingleSteps || !spikes,
  );
  return [
    ...steady.map(({ source, medianNs }) => ({ source: `step times of ${source}`, value: medianNs })),
    // A mean is no median either.
    ...metadata
      .filter((m) => m.unprofiledStepNs !== m.unprofiledMeanStepNs)
      .map(({ origin, unprofiledStepNs }) => ({
        source: `${origin} metadata`,
        value: unprofiledStepNs,
      })),
  ];
}

function peakMemory({ evidence, metadata }: RunFacts): Statement[] {
  const devices = evidence.memory?.devices ?? [];
  const sources = [...new Set(devices.map(({ source }) => source))];
  return [
    ...sources.map((source) => ({
      source,
      value: largest(devices.filter((d) => d.source === source).map((d) => d.allocatedPeakBytes)),
    })),
    { source: 'metadata', value: largest(metadata.map((m) => m.peakMemoryBytes)) },
  ];
}

function gpus({ deviceRanks, evidence, metadata }: RunFacts): Statement[] {
  const named = (source: string, name: string | null | undefined): Statement => ({
    source,
    value: name ? normalizeGpuName(name) : null,
  });
  return [
    ...deviceRanks.map((rank) => named('trace', rank.timeline.metadata.devices.at(0)?.name)),
    ...(evidence.monitors?.devices ?? []).map(({ tool, name }) => named(tool, name)),
    ...metadata.map(({ origin, gpu }) => named(`${origin} metadata`, gpu)),
  ];
}

function worldSizes({ ranks, metadata, evidence }: RunFacts): Statement[] {
  return [
    ...ranks.map((rank) => ({ source: 'trace', value: rank.timeline.metadata.worldSize })),
    ...metadata.map(({ origin, worldSize }) => ({ source: `${origin} metadata`, value: worldSize })),
    { source: 'NCCL log', value: evidence.network?.rankCount ?? null },
  ];
}
