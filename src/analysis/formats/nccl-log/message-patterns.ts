import { maskSecrets } from '../mask-secrets';
import { ownText } from '../own-text';
import { type NcclLogBuilder } from './nccl-log-builder';
import { type ObstacleKind } from './nccl-log-record';
import { type NcclMessage } from './split-messages';
import { readTransportPath } from './transport-path';

/** What one kind of message says. `read` returns false when the message is damaged. */
interface MessagePattern {
  /** Cheap first look: the message begins with it, or holds it where it is a pattern. */
  begins: RegExp;
  read(message: NcclMessage, log: NcclLogBuilder): boolean;
}

const MAX_TEXT_CHARS = 300;
const MAX_NAME_CHARS = 60;
const BYTES_PER_GB = 1e9;
/** Numbers that early versions wrote for names. */
const ALGORITHMS = ['TREE', 'RING', 'COLLNET_DIRECT', 'COLLNET_CHAIN', 'NVLS', 'NVLS_TREE', 'PAT'];
const PROTOCOLS = ['LL', 'LL128', 'SIMPLE'];

/** Variables of libraries for communication and devices; others may be secrets, and are not kept. */
const VARIABLE =
  /^((?:TORCH_NCCL|NCCL|RCCL|CUDA|HSA|HIP|ROCR|UCX|FI|GLOO)_\w{1,100}) set (?:by environment )?to (\S*)/;

/** Every message that says something of use, over all versions since 2.4. One entry adds one. */
export const MESSAGE_PATTERNS: readonly MessagePattern[] = [
  {
    begins: /^(?:Channel|Ring) \d+(?:\/\d+)? : (?:\d+\[|\d+ -> \d+ (?:\[|via))/,
    read: readConnection,
  },
  { begins: /^Channel \d+\/\d+ :/, read: readRing },
  { begins: /^Ring \d+ : -?\d+ -> -?\d+ -> -?\d+/, read: readRingPlace },
  { begins: /^Trees \[/, read: readTreePlaces },
  { begins: /\bcomm 0x\w+ rank \d+ n[rR]anks \d+/, read: readRank },
  { begins: VARIABLE, read: readVariable },
  { begins: /^Using network /, read: readNetwork },
  { begins: /^NET\/\w+ ?: Using \[/, read: readAdapters },
  { begins: /^Pattern 4,/, read: readPathTypes },
  { begins: /\+ (?:NVL|XGMI)\[/, read: readNvlink },
  { begins: /^\w+: \d+ Bytes -> Algo /, read: readCollective },
];

/** Messages that name the reason why a faster path was not taken. */
const OBSTACLES: readonly (readonly [RegExp, ObstacleKind])[] = [
  [/^NET\/IB ?: No device found/, 'ib-device-missing'],
  [/Failed to open libibverbs/, 'ib-library-missing'],
  // With NCCL_IB_DISABLE set, the plugin for IB gives up with "internal error" (3) before it looks for devices.
  [/net_ib[\w/]{0,40}\.cc:\d+ -> 3\b/, 'ib-declined'],
  [/^Failed to initialize NET plugin/, 'network-start-failed'],
  [
    /^NET\/Plugin ?: (?:Could not find|No plugin found|Plugin load .* returned|dlerror=)/,
    'network-plugin-missing',
  ],
  [/^Could not enable P2P between|^P2P is disabled between/, 'p2p-refused'],
  [/GPU Direct RDMA Disabled for HCA/, 'gpu-direct-off'],
];

/** Takes in one message. False when it is of a known kind and damaged. */
export function readMessage(message: NcclMessage, log: NcclLogBuilder): boolean {
  readVersion(message.text, log);
  if (message.level === 'WARN') addWarning(message, log);
  const obstacle = OBSTACLES.find(([pattern]) => pattern.test(message.text));
  if (obstacle) addObstacle(obstacle[1], message.text, log);
  const pattern = MESSAGE_PATTERNS.find(({ begins }) => begins.test(message.text));
  return pattern?.read(message, log) ?? true;
}

/** Also stands on a line of its own without a prefix. */
export function readVersion(text: string, log: NcclLogBuilder): void {
  const match = /\b([NR]CCL) version ?:? ?(\d+\.\d[\w.-]*)(?:\+((?:cuda|hip)[\d.]+))?/.exec(text);
  if (!match) return;
  if (match[1] === 'RCCL') log.library = 'RCCL';
  log.version ??= ownText(match[2].slice(0, MAX_NAME_CHARS));
  log.builtFor ??= match[3] ? ownText(match[3].slice(0, MAX_NAME_CHARS)) : null;
}

function readConnection({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const match =
    /^(?:Channel|Ring) (\d{1,9}(?:\/\d{1,9})?) : (\d+)(?:\[\w+\])? -> (\d+)(?:\[\w+\])? (?:\[(?:send|receive)\] )?via (.+)/.exec(
      text,
    );
  const path = match ? readTransportPath(match[4]) : null;
  // What another process wrote over the end may look like part of the path.
  if (!match || !path?.clean) return false;
  const { kind, gpuDirect } = path;
  const ends = { from: Number(match[2]), to: Number(match[3]) };
  log.connect({ ...ends, kind, path: path.path, gpuDirect }, match[1]);
  return true;
}

function readRing({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const match = /^Channel (\d+)\/\d+ :((?: +\d+)+)\s*(?:comm 0x|$)/.exec(text);
  if (!match) return false;
  const ranks = match[2].trim().split(/ +/).map(Number);
  log.rings.at(`${match[1]} of ${ranks.length}`, () => ({ channel: Number(match[1]), ranks }));
  return true;
}

function readRingPlace({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const [channel, previous, rank, next] = (text.match(/-?\d+/g) ?? []).map(Number);
  log.ringPlaces.at(`${channel} ${previous} ${rank} ${next}`, () => ({ channel, previous, rank, next }));
  return true;
}

function readTreePlaces({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const places = [...text.matchAll(/\[(\d{1,9})\] (-?\d{1,9}(?:\/-?\d{1,9}){0,7})->(\d{1,9})->(-?\d{1,9})/g)];
  for (const [, channel, children, rank, parent] of places) {
    log.treePlaces.at(`${channel} ${children} ${rank} ${parent}`, () => ({
      channel: Number(channel),
      parent: Number(parent) < 0 ? null : Number(parent),
      rank: Number(rank),
      children: children
        .split('/')
        .map(Number)
        .filter((child) => child >= 0),
    }));
  }
  return places.length > 0;
}

function readRank({ text, host, pid }: NcclMessage, log: NcclLogBuilder): boolean {
  const match = /\bcomm (0x\w{1,32}) rank (\d{1,9}) n[rR]anks (\d{1,9})/.exec(text);
  if (!match) return false;
  const rank = log.ranks.at(`${pid} ${match[1]} ${match[2]}`, () => ({
    rank: Number(match[2]),
    rankCount: Number(match[3]),
    host,
    pid,
    cudaDevice: null,
    busId: null,
    communicator: null,
    nodeCount: null,
    localRankCount: null,
    initialised: false,
  }));
  if (!rank) return true;
  const word = (name: string): string | null => {
    const found = new RegExp(`\\b${name} (\\w{1,${MAX_NAME_CHARS}})`).exec(text)?.[1];
    return found === undefined ? null : ownText(found);
  };
  const number = (name: string): number | null => (word(name) === null ? null : Number(word(name)));
  rank.cudaDevice ??= number('cudaDev');
  rank.busId ??= word('busId');
  rank.communicator ??= word('commId');
  rank.nodeCount ??= number('nNodes');
  rank.localRankCount ??= number('localRanks');
  rank.initialised ||= text.includes('Init COMPLETE');
  return true;
}

function readVariable({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const match = VARIABLE.exec(text);
  if (!match) return false;
  // Before 2.21 numbers end with a full stop.
  const value = shortOf(match[2].replace(/^(-?\d+)\.$/, '$1'));
  if (value !== '') log.environment.at(match[1], () => [match[1], value]);
  return true;
}

function readNetwork({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const name = /^Using network ([A-Za-z][\w .+-]{0,60})/.exec(text)?.[1].trim();
  if (name === undefined) return false;
  log.networks.at(name, () => name);
  return true;
}

function readAdapters({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const usable = text.split('; OOB')[0];
  for (const [, device, port, link] of usable.matchAll(/\[\d+\](?:\{\d+\} )?([\w.+-]+):(\d+)\/(IB|RoCE)\b/g))
    log.adapters.at(`${device}:${port}`, () => ({
      device,
      port: Number(port),
      link: link as 'IB' | 'RoCE',
      address: null,
    }));
  if (!text.startsWith('NET/Socket')) return true;
  for (const [, device, address] of usable.matchAll(/\[\d+\]([\w.+-]+):([\w.:%]*)<\d+>/g))
    log.adapters.at(device, () => ({ device, port: null, link: 'Ethernet', address: address || null }));
  return true;
}

function readPathTypes({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const types = /\btype (\w{3,4})\/(\w{3,4}),/.exec(text);
  for (const type of types?.slice(1) ?? []) log.pathTypes.at(type, () => type);
  return types !== null;
}

function readNvlink({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const gigabytesPerSec = /\+ (?:NVL|XGMI)\[(\d+(?:\.\d+)?)\]/.exec(text)?.[1];
  if (gigabytesPerSec === undefined) return false;
  const known = log.nvlinkBandwidthBytesPerSec ?? 0;
  log.nvlinkBandwidthBytesPerSec = Math.max(known, Math.round(Number(gigabytesPerSec) * BYTES_PER_GB));
  return true;
}

function readCollective({ text }: NcclMessage, log: NcclLogBuilder): boolean {
  const match = /^(\w{1,60}): (\d{1,15}) Bytes -> Algo (\w{1,60}) proto (\w{1,60})/.exec(text);
  if (!match) return false;
  const collective = match[1];
  const algorithm = named(match[3], ALGORITHMS);
  const protocol = named(match[4], PROTOCOLS);
  const use = log.collectives.at(`${collective} ${algorithm} ${protocol}`, () => ({
    ...{ collective, algorithm, protocol },
    calls: 0,
    sizeBytes: 0,
  }));
  if (!use) return true;
  use.calls++;
  use.sizeBytes += Number(match[2]);
  return true;
}

function named(word: string, names: readonly string[]): string {
  return /^\d+$/.test(word) ? (names.at(Number(word)) ?? word) : word;
}

function addWarning({ text, where }: NcclMessage, log: NcclLogBuilder): void {
  const short = shortOf(text);
  const warning = log.warnings.at(`${where} ${short}`, () => ({ text: short, where, count: 0 }));
  if (warning) warning.count++;
}

function addObstacle(kind: ObstacleKind, text: string, log: NcclLogBuilder): void {
  const obstacle = log.obstacles.at(kind, () => ({
    kind,
    text: shortOf(text),
    count: 0,
  }));
  if (obstacle) obstacle.count++;
}

/** Masked before it is cut, since half a password is one as well. */
function shortOf(text: string): string {
  return maskSecrets(text.trim().slice(0, 4 * MAX_TEXT_CHARS)).slice(0, MAX_TEXT_CHARS);
}
