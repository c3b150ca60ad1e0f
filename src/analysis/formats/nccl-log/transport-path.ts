import { type TransportKind } from './nccl-log-record';

export interface TransportPath {
  kind: TransportKind;
  path: string;
  gpuDirect: boolean;
  /** Nothing but the path was there; else another process wrote over the end of the line. */
  clean: boolean;
}

/** Wordings over the versions. What follows the path in RCCL (`comm 0x… nRanks 02`) is no part of it. */
const PATHS: readonly (readonly [RegExp, TransportKind])[] = [
  [/^P2P\/(?:direct pointer|IPC|CUMEM|MNNVL|indirect\/\d+\[\w+\])(?:\/read)?/, 'p2p'],
  [/^SHM(?:\/(?:direct|CE|CUMEM))*/, 'shm'],
  [/^direct shared memory/, 'shm'],
  [/^NET\/IB(?:\/\d+(?:\(\d+\))?)?(?:\/(?:GDRDMA(?:\(PCI\))?|Shared))*/, 'ib'],
  [/^NET\/Socket(?:\/\d+(?:\(\d+\))?)?(?:\/Shared)*/, 'socket'],
  [/^NET\/[A-Za-z][\w .+-]{0,40}\/\d+(?:\(\d+\))?(?:\/(?:GDRDMA(?:\(PCI\))?|Shared))*/, 'plugin'],
  [/^(?:COLLNET|NVLS)\b[\w/]*/, 'other'],
];

const MAX_PATH_CHARS = 200;

/** Reads what stands after `via`; null when it is no path that the library writes. */
export function readTransportPath(text: string): TransportPath | null {
  for (const [pattern, kind] of PATHS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const rest = text.slice(match[0].length);
    const clean = /^\s*(comm 0x|$)/.test(rest);
    return { kind, path: match[0].slice(0, MAX_PATH_CHARS), gpuDirect: match[0].includes('GDRDMA'), clean };
  }
  return null;
}
