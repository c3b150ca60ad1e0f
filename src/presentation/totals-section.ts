import { type OperatorTotalsReport } from '../analysis';
import { type AdviceRow, type AdviceSection } from './advice-sections';
import { formatFigure, formatNs, formatRatio } from './quantity';

type Table = OperatorTotalsReport['tables'][number];
type Row = Table['rows'][number];

const MAX_OPERATORS = 10;
const MAX_KERNELS = 6;

/** Totals of the PyTorch profiler as tables: which operators and kernels take the time, and what totals cannot tell. */
export function totalsSections({ tables }: OperatorTotalsReport, hasTimeline: boolean): AdviceSection[] {
  return tables.map((table) => ({
    title: `Totals of ${table.device === null ? 'the host' : 'host and device'}${table.rank === null ? '' : `, rank ${table.rank}`} (key_averages)`,
    about: hasTimeline
      ? 'totals without a timeline; the trace says more, and is believed where they differ'
      : 'totals without a timeline: neither idle time nor overlap nor single steps can be told from them',
    rows: tableRows(table),
  }));
}

function tableRows(table: Table): AdviceRow[] {
  const of = (kind: Row['kind']): Row[] => table.rows.filter((row) => row.kind === kind);
  return [
    ...totalRow('time of the host', table.selfCpuTotalNs),
    ...(table.device === null
      ? []
      : totalRow(`time of the device (${table.device})`, table.selfDeviceTotalNs)),
    ...of('operator')
      .slice(0, MAX_OPERATORS)
      .map((row) => totalOf(row, table)),
    ...of('kernel')
      .slice(0, MAX_KERNELS)
      .map((row) => totalOf(row, table)),
  ];
}

function totalRow(label: string, totalNs: number | null): AdviceRow[] {
  return totalNs === null ? [] : [{ label, value: formatNs(totalNs), text: '', lines: [], strong: true }];
}

function totalOf(row: Row, { device, selfCpuTotalNs, selfDeviceTotalNs }: Table): AdviceRow {
  const deviceNs = row.selfDeviceNs ?? row.deviceTotalNs;
  const [ns, ofNs] =
    device === null || deviceNs === null ? [row.selfCpuNs, selfCpuTotalNs] : [deviceNs, selfDeviceTotalNs];
  const share =
    ofNs === null || ofNs === 0
      ? ''
      : `${formatRatio(ns / ofNs)} of the ${device === null ? 'host' : 'device'}`;
  const host = row.kind === 'operator' && device !== null ? `${formatNs(row.selfCpuNs)} of the host` : '';
  const calls = `${row.calls} ${row.kind === 'kernel' ? 'launches' : 'calls'}`;
  const flop = row.flop === null || row.flop === 0 ? '' : formatFigure({ value: row.flop, unit: 'flop' });
  return {
    label: `${row.kind === 'kernel' ? 'kernel ' : ''}${row.name}`,
    value: formatNs(ns),
    text: [share, calls, host, flop, row.inputShapes ?? ''].filter(Boolean).join(', '),
    lines: [],
    strong: false,
  };
}
