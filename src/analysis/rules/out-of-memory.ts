import { type OomFailure } from '../evidence/memory-schema';
import { mostHeldBy } from '../evidence/snapshot-causes';
import { type Fix } from '../report-schema';
import { cause, defineRule, evidence, figure, fix } from './define-rule';

/** An allocation failed: the run ended, or went on with what is smaller than it needs to be. */
export const outOfMemory = defineRule({
  id: 'out-of-memory',
  bottleneck: 'memory-pressure',
  diagnose({ evidence: { memory }, meanStep }) {
    const failures = memory?.failures ?? [];
    if (failures.length === 0)
      return memory
        ? { outcome: 'absent', reason: 'no message of a failed allocation was uploaded' }
        : {
            outcome: 'not-measurable',
            reason:
              'needs memory_stats.rank<N>.json, memory_summary.rank<N>.txt or the message of a failed job',
          };
    // Ranks fail one after the other: what the first one says is the cause, and one that has figures says more.
    const told = failures.find((failure) => failure.requestedBytes !== null) ?? failures[0];
    const held = mostHeldBy(memory);
    return {
      outcome: 'finding',
      diagnosis: {
        costNs: 0,
        stepNs: 0,
        // With steps in a trace it is one event among them, however it ended.
        stopsTheRun: meanStep === null,
        confidence: told.cause === 'not-told' ? 'low' : 'high',
        evidence: evidence(figures(told, memory?.failureCount ?? 1), [], undefined, ranksOf(failures)),
        causes: [
          cause('failed-allocation', valuesOf(told)),
          ...(held ? [cause('memory-held', { ...held })] : []),
        ],
        fixes: fixesFor(told),
      },
    };
  },
});

type Failure = OomFailure;

const ranksOf = (failures: readonly Failure[]) =>
  [...new Set(failures.flatMap(({ rank }) => rank ?? []))].sort((a, b) => a - b);

function figures(failure: Failure, count: number): ReturnType<typeof figure>[] {
  const { requestedBytes, missingBytes, freeBytes, capacityBytes, reservedBytes, unallocatedBytes } = failure;
  const bytes = { requestedBytes, missingBytes, freeBytes, capacityBytes, reservedBytes, unallocatedBytes };
  const names: Record<keyof typeof bytes, string> = {
    requestedBytes: 'requested',
    missingBytes: 'missing',
    freeBytes: 'free-on-device',
    capacityBytes: 'device-memory',
    reservedBytes: 'reserved-by-allocator',
    unallocatedBytes: 'reserved-but-unused',
  };
  return [
    ...Object.entries(bytes).flatMap(([id, value]) =>
      value === null ? [] : [figure(names[id as keyof typeof bytes], value, 'bytes')],
    ),
    figure('failed-allocations', count, 'count'),
  ];
}

const valuesOf = ({
  cause: why,
  backend,
  requestedBytes,
  missingBytes,
  allowedBytes,
  freeBytes,
  unallocatedBytes,
}: Failure) => ({
  ...{ why, backend, requestedBytes, missingBytes, allowedBytes, freeBytes, unallocatedBytes },
});

function fixesFor({ cause: why, allowedBytes, missingBytes }: Failure): Fix[] {
  const smaller = [
    fix('smaller-memory-not-smaller-batch'),
    fix('accumulate-last'),
    fix('record-memory-snapshot'),
  ];
  switch (why) {
    case 'own-cap':
      return [fix('raise-own-cap', { allowedBytes, missingBytes }), ...smaller];
    case 'fragmentation':
      return [fix('expandable-segments'), fix('record-memory-snapshot')];
    case 'graph-pools':
      return [fix('share-graph-pools'), ...smaller];
    case 'other-processes':
      return [fix('end-other-processes'), ...smaller];
    default:
      return smaller;
  }
}
