import { type GpuTopology, type GpuTopologyDevice } from './gpu-topology-record';

const DEVICE = /^[A-Za-z][\w.:-]{1,60}$/;
const LINK = /^(?:X|NV\d{1,3}|NODE|SYS|SOC|PHB|PXB|PIX|PSB|C2C|XGMI)$/;
const NUMA = /^\d{1,4}(?:[-,]\d{1,4})*$/;
// eslint-disable-next-line no-control-regex -- the tool underlines its header on a terminal
const TERMINAL_CODES = /\u001b?\[\d{0,3}m/g;

/** First line of the matrix: devices, then the affinity columns. Null for any other line. */
export function parseHeader(line: string): string[] | null {
  const affinity = line.indexOf('CPU Affinity');
  if (affinity < 0) return null;
  const cells = plain(line.slice(0, affinity)).split(/\s+/).filter(Boolean);
  return cells.at(0) === 'GPU0' && cells.every((cell) => DEVICE.test(cell)) ? cells : null;
}

export interface MatrixRow {
  name: string;
  links: (string | null)[];
  cpuAffinity: string | null;
  numaNode: string | null;
}

/** A line that begins with the name of a device of the header; null for any other. */
export function parseRow(line: string, names: readonly string[]): MatrixRow | null {
  const [name, ...cells] = plain(line).split(/\s+/).filter(Boolean);
  if (name === undefined || !names.includes(name) || cells.length === 0) return null;
  const links = names.map((_, i) => (LINK.test(cells[i] ?? '') ? cells[i] : null));
  const [cpuAffinity, numaNode] = cells.slice(names.length);
  return {
    name,
    links,
    cpuAffinity: cpuAffinity && /^\d[\d,-]*$/.test(cpuAffinity) ? cpuAffinity : null,
    numaNode: numaNode && NUMA.test(numaNode) ? numaNode : null,
  };
}

/** `  NIC0: mlx5_0` of the legend. */
export function parseNicName(line: string): [string, string] | null {
  const match = /^\s*(NIC\d{1,3}): ([\w.:-]{1,60})\s*$/.exec(line);
  return match ? [match[1], match[2]] : null;
}

/** Puts rows in the order of the header; rows that are missing have no links. */
export function topologyOf(
  names: readonly string[],
  rows: ReadonlyMap<string, MatrixRow>,
  nicNames: ReadonlyMap<string, string>,
): GpuTopology {
  const devices = names.map((name): GpuTopologyDevice => {
    const row = rows.get(name);
    return {
      name,
      kind: name.startsWith('GPU') ? 'gpu' : 'nic',
      systemName: nicNames.get(name) ?? null,
      cpuAffinity: row?.cpuAffinity ?? null,
      numaNode: row?.numaNode ?? null,
    };
  });
  return { devices, links: names.map((name) => rows.get(name)?.links ?? names.map(() => null)) };
}

function plain(line: string): string {
  return line.replace(TERMINAL_CODES, '');
}
