import { InputRefused } from '../../timeline/input-refused';
import { type ArtifactFormat } from '../artifact-format';
import { readLines } from '../read-lines';
import { type MatrixRow, parseHeader, parseNicName, parseRow, topologyOf } from './parse-matrix';

/** Devices of one machine; the matrix grows with the square. */
const MAX_DEVICES = 256;

/** What `nvidia-smi topo -m` prints: how GPUs and network cards of one machine are connected. */
export const gpuTopologyFormat: ArtifactFormat = {
  id: 'gpu-topology',
  sniffOrder: 84,
  sniff: (head) => {
    const lines = new TextDecoder('latin1').decode(head).split('\n', 200);
    const header = lines.findIndex((line) => parseHeader(line) !== null);
    return header >= 0 && /^\s*GPU0\s+X\b/.test(lines.at(header + 1) ?? '');
  },
  async read(chunks, context) {
    const { path, problems } = context;
    let names: string[] | null = null;
    const rows = new Map<string, MatrixRow>();
    const nicNames = new Map<string, string>();
    for await (const line of readLines(chunks, context)) {
      if (!names) {
        names = parseHeader(line);
        continue;
      }
      if (names.length > MAX_DEVICES)
        throw new InputRefused(
          'too-large',
          `${path} names ${names.length} devices; a machine has at most ${MAX_DEVICES}.`,
        );
      const row = parseRow(line, names);
      // A second matrix in the file, of another time or machine, does not overwrite the first.
      if (row && !rows.has(row.name)) rows.set(row.name, row);
      const nic = parseNicName(line);
      if (nic && nicNames.size < MAX_DEVICES) nicNames.set(...nic);
    }
    if (!names || rows.size === 0)
      throw new InputRefused('unreadable', `${path} holds no matrix of nvidia-smi topo -m that can be read.`);
    const topology = topologyOf(names, rows, nicNames);
    const unreadable = topology.links.flat().filter((link) => link === null).length;
    problems.add('malformed-event', path, unreadable);
    return { kind: 'gpu-topology', topology };
  },
};
