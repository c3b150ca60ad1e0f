import {
  type AllocatorBytes,
  type AllocatorCounts,
  type AllocatorGauge,
  type AllocatorStatistics,
  type PooledGauge,
} from '../../timeline/allocator-statistics';

const BYTE_MEMBERS: Readonly<Record<AllocatorBytes, string>> = {
  allocated: 'allocated_bytes',
  active: 'active_bytes',
  requested: 'requested_bytes',
  reserved: 'reserved_bytes',
  inactiveSplit: 'inactive_split_bytes',
};
const COUNT_MEMBERS: Readonly<Record<AllocatorCounts, string>> = {
  allocations: 'allocation',
  active: 'active',
  segments: 'segment',
  inactiveSplits: 'inactive_split',
  oversizeAllocations: 'oversize_allocations',
  oversizeSegments: 'oversize_segments',
};

export interface StatisticsRead {
  statistics: AllocatorStatistics;
  /** Members that should hold a number and do not. */
  unreadable: string[];
}

/** Figures of the allocator in a JSON value, flat (`a.all.peak`) or nested; what is missing is null. */
export function statisticsOf(root: unknown): StatisticsRead {
  const unreadable: string[] = [];
  const figure = (...path: string[]): number | null => {
    const value = memberOf(root, path);
    if (value === undefined) return null;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    unreadable.push(path.join('.'));
    return null;
  };
  const gauge = (...path: string[]): AllocatorGauge | null => {
    const read: AllocatorGauge = {
      current: figure(...path, 'current'),
      peak: figure(...path, 'peak'),
      allocated: figure(...path, 'allocated'),
      freed: figure(...path, 'freed'),
    };
    return Object.values(read).some((value) => value !== null) ? read : null;
  };
  const pooled = (member: string): PooledGauge | null => {
    // Oversize blocks have no pools, so their figures stand right under the member.
    const all = gauge(member, 'all') ?? gauge(member);
    return all && { all, largePool: gauge(member, 'large_pool'), smallPool: gauge(member, 'small_pool') };
  };
  const group = <K extends string>(members: Readonly<Record<K, string>>): Partial<Record<K, PooledGauge>> =>
    Object.fromEntries(
      (Object.keys(members) as K[]).flatMap((key) => {
        const read = pooled(members[key]);
        return read ? [[key, read] as const] : [];
      }),
    ) as Partial<Record<K, PooledGauge>>;
  const statistics: AllocatorStatistics = {
    device: figure('device'),
    bytes: group(BYTE_MEMBERS),
    counts: group(COUNT_MEMBERS),
    oomCount: figure('num_ooms'),
    retryCount: figure('num_alloc_retries'),
  };
  return { statistics, unreadable };
}

function memberOf(root: unknown, path: readonly string[]): unknown {
  const flat = ownMember(root, path.join('.'));
  return flat ?? path.reduce<unknown>(ownMember, root);
}

function ownMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
