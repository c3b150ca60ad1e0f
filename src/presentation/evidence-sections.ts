import { type Analysis, type MemorySnapshotDevice } from '../analysis';
import { type AdviceRow, type AdviceSection } from './advice-sections';
import { formatBytes, formatFigure, formatNs, formatRatio } from './quantity';
import { CAUSE_WORDING } from './wording/causes';
import { functionName } from './wording/host-profile';
import { BELIEF_WORDING, DISAGREEMENT_WORDING } from './wording/disagreements';

/** Series, devices and processes that a table lists; the report has all of them. */
const MOST_ROWS = 8;

/** The parts of a report that the tables are made of. */
export type Evidence = Pick<
  Analysis,
  'stepDistributions' | 'monitors' | 'network' | 'memory' | 'disagreements' | 'findings'
>;

/** What step times, monitors, NCCL logs and allocators say, as tables; those of which nothing was uploaded are left out. */
export function evidenceSections(report: Evidence): AdviceSection[] {
  return [
    stepTimeSection(report),
    monitorSection(report),
    networkSection(report),
    memorySection(report),
    disagreementSection(report),
  ].filter((section) => section.rows.length > 0);
}

const row = (label: string, value: string, text: string, strong = false): AdviceRow => ({
  ...{ label, value, text, strong, lines: [] },
});
const rank = (number: number | null) => (number === null ? 'all ranks' : `rank ${number}`);
const orDash = (value: number | null, format: (value: number) => string) =>
  value === null ? 'not told' : format(value);

/** Step times that were measured without the profiler. */
export function stepTimeSection({
  stepDistributions = [],
}: Pick<Evidence, 'stepDistributions'>): AdviceSection {
  return {
    title: 'Step times without the profiler',
    about: null,
    rows: stepDistributions.slice(0, MOST_ROWS).map((one) => {
      const { spikes } = one;
      const range = `p10 ${formatNs(one.p10Ns)}, p90 ${formatNs(one.p90Ns)}, longest ${formatNs(one.maxNs)}`;
      const even = spikes?.periodSteps ? `, every ${spikes.periodSteps} steps` : '';
      const slow = spikes
        ? `; ${spikes.count} spikes${even}, ${formatNs(spikes.meanExtraNs)} longer each: ${formatNs(spikes.extraPerStepNs)} a step`
        : '';
      const of = one.isOfSingleSteps ? `${one.stepCount} steps` : `${one.stepCount} means of several steps`;
      return row(
        `median, ${rank(one.rank)} (${one.source})`,
        formatNs(one.medianNs),
        `${of}; ${range}${slow}`,
        spikes !== null,
      );
    }),
  };
}

/** What monitors saw of each device. */
export function monitorSection({ monitors: report }: Pick<Evidence, 'monitors'>): AdviceSection {
  const devices = report?.devices ?? [];
  return {
    title: 'GPU monitor',
    about:
      report && report.idleDeviceCount > 0
        ? `Devices that were watched and had no work: ${report.idleDeviceCount}.`
        : null,
    rows: devices.slice(0, MOST_ROWS).map((d) => {
      const parts = [
        d.smActive && `multiprocessors at work ${formatRatio(d.smActive.mean)}`,
        d.tensorActive && `tensor cores ${formatRatio(d.tensorActive.mean)}`,
        d.dramActive && `memory bandwidth ${formatRatio(d.dramActive.mean)}`,
        d.smClockMhz && `clock ${d.smClockMhz.p50.toFixed(0)} MHz`,
        d.powerW &&
          `${d.powerW.mean.toFixed(0)} W${d.powerLimitW === null ? '' : ` of ${d.powerLimitW.toFixed(0)} W`}`,
        d.maxTemperatureC !== null && `up to ${d.maxTemperatureC.toFixed(0)} °C`,
        d.maxMemoryUsedBytes !== null && `${formatBytes(d.maxMemoryUsedBytes)} used`,
        d.throttledShare !== null &&
          d.throttledShare > 0 &&
          `clock held down by ${d.throttleCause ?? 'unknown'} in ${formatRatio(d.throttledShare)} of the busy samples`,
        d.sawTooth &&
          `goes up and down every ${d.sawTooth.periodS === null ? `${d.sawTooth.periodSamples} samples` : `${d.sawTooth.periodS.toFixed(1)} s`}`,
      ];
      return row(
        `GPU-Util of device ${d.id} (${d.tool})`,
        d.smUtilisation ? formatRatio(d.smUtilisation.mean) : 'not recorded',
        `mean of ${d.sampleCount}${d.samplesLeftOut > 0 ? ` of ${d.sampleCount + d.samplesLeftOut}` : ''} samples; ${parts.filter(Boolean).join(', ')}`,
        (d.throttledShare ?? 0) >= NOTABLE_THROTTLING || d.sawTooth !== null,
      );
    }),
  };
}

const NOTABLE_THROTTLING = 0.1;

/** How ranks are connected, as logs and topology tell. */
export function networkSection({
  network: found,
  findings,
}: Pick<Evidence, 'network' | 'findings'>): AdviceSection {
  if (!found) return { title: 'Links between ranks', about: null, rows: [] };
  // A finding that names the cause says it already.
  const slow = findings.some(({ causes }) => causes?.some(({ id }) => id === 'slow-transport'))
    ? null
    : found.slowTransport;
  const reasons = slow?.reasons ?? [];
  return {
    title: 'Links between ranks',
    about: found.library && `${found.library} ${found.version ?? ''}`.trim(),
    rows: [
      ...found.transports.map(({ kind, connections }) =>
        row(
          `connections by ${kind}`,
          String(connections),
          found.networks.length > 0 && kind !== 'p2p' && kind !== 'shm'
            ? `network ${found.networks.join(', ')}`
            : '',
        ),
      ),
      ...(slow
        ? [
            row(
              'slower than it could be',
              slow.used,
              CAUSE_WORDING['slow-transport']({ ...slow, reasons: null, library: found.library }),
              true,
            ),
          ]
        : []),
      ...reasons.map((reason) =>
        row(`not taken: ${reason.path}`, '', CAUSE_WORDING['faster-path-not-taken']({ ...reason }), true),
      ),
      ...found.warnings
        .slice(0, MOST_ROWS)
        .map(({ text, count }) => row('warning', `${count} times`, text, true)),
      ...(found.gpuLinks ?? []).map(({ link, pairs }) =>
        row(`GPU pairs linked by ${link}`, String(pairs), ''),
      ),
    ],
  };
}

/** Holders of one snapshot that a table lists. */
const MOST_HOLDERS = 4;

function snapshotRows(d: MemorySnapshotDevice): AdviceRow[] {
  const where = `${rank(d.rank)}, device ${d.device}`;
  const { trace } = d;
  const parts = [
    `${formatBytes(d.freeBytes)} of ${formatBytes(d.reservedBytes)} reserved are free, ${formatBytes(d.splitFreeBytes)} of it between blocks in use`,
    d.pendingFreeBytes > 0 && `${formatBytes(d.pendingFreeBytes)} wait for another stream`,
    trace &&
      `in the last ${trace.spanS.toFixed(2)} s ${trace.segmentAllocCount} reservations from the driver (${formatBytes(trace.segmentAllocBytes)}) and ${trace.segmentFreeCount} given back`,
    trace && (trace.retryCount ?? 0) > 0 && `${trace.retryCount} retries`,
    trace && trace.oomCount > 0 && `${trace.oomCount} failed`,
  ];
  const churns = (trace?.emptyCacheCount ?? 0) + (trace?.retryCount ?? 0) + (trace?.oomCount ?? 0) > 0;
  return [
    row(
      `fits without the driver, ${where}`,
      formatBytes(d.largestFreeBytes),
      parts.filter(Boolean).join('; '),
      churns,
    ),
    ...d.holders
      .slice(0, MOST_HOLDERS)
      .map(({ site, sizeBytes, blockCount }) =>
        row(
          site ? `held by ${functionName(site)}` : 'held by blocks without a stack',
          formatBytes(sizeBytes),
          `${blockCount} blocks, ${where}${site?.line ? `, line ${site.line}` : ''}`,
        ),
      ),
  ];
}

/** Allocators, snapshots of them and allocations that failed. */
export function memorySection({ memory: found }: Pick<Evidence, 'memory'>): AdviceSection {
  return {
    title: 'Memory',
    about: null,
    rows: [
      ...(found?.failures ?? []).map((failure) =>
        row(
          `allocation failed, ${rank(failure.rank)}`,
          orDash(failure.requestedBytes, formatBytes),
          CAUSE_WORDING['failed-allocation']({ ...failure, why: failure.cause }),
          true,
        ),
      ),
      ...(found?.devices ?? []).slice(0, MOST_ROWS).map((d) => {
        const parts = [
          d.reservedPeakBytes !== null && `${formatBytes(d.reservedPeakBytes)} reserved at most`,
          d.headroomBytes !== null &&
            `${formatFigure({ value: Math.max(0, d.headroomBytes), unit: 'bytes' })} of the device left`,
          d.fragmentationRatio !== null && `fragmentation ${formatRatio(d.fragmentationRatio)}`,
          d.retryCount !== null && `${d.retryCount} retries`,
          d.oomCount !== null && `${d.oomCount} failed`,
        ];
        return row(
          `peak allocated, ${rank(d.rank)} (${d.source})`,
          orDash(d.allocatedPeakBytes, formatBytes),
          parts.filter(Boolean).join(', '),
          (d.retryCount ?? 0) > 0 || (d.oomCount ?? 0) > 0,
        );
      }),
      ...(found?.snapshots ?? []).slice(0, MOST_ROWS).flatMap(snapshotRows),
    ],
  };
}

/** Where artifacts say different things of the same. */
export function disagreementSection({
  disagreements: found = [],
}: Pick<Evidence, 'disagreements'>): AdviceSection {
  const say = (value: number | string, unit: string | null) =>
    typeof value === 'number' && unit !== null ? formatFigure({ value, unit }) : String(value);
  return {
    title: 'Where artifacts disagree',
    about: null,
    rows: found.map(({ subject, unit, believed, others }) =>
      row(
        DISAGREEMENT_WORDING[subject],
        say(believed.value, unit),
        `as ${believed.source} says, believed because ${BELIEF_WORDING[subject]}; ${others.map((o) => `${o.source}: ${say(o.value, unit)}`).join(', ')}`,
        true,
      ),
    ),
  };
}
