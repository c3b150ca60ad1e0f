import { HostEventKind } from '../../timeline/rank-timeline';
import { KeyTable } from './key-table';

/** What events of a category become. Roles below `kernel` are kinds of host events. */
export const Role = {
  ...HostEventKind,
  kernel: 10,
  memcpy: 11,
  memset: 12,
  /** `[memory]` and other instants. */
  instant: 20,
  /** Known, and of no use: flows (correlation ids say the same), device copies of annotations, the profiler's span. */
  ignored: 21,
} as const;

/** The categories of 2021, of 2022, of today, and of the other back ends that kineto names. */
const ROLES: Record<string, number> = {
  cpu_op: Role.op,
  Operator: Role.op,
  user_annotation: Role.annotation,
  cuda_runtime: Role.runtime,
  cuda_driver: Role.runtime,
  Runtime: Role.runtime,
  hip_runtime: Role.runtime,
  hip_driver: Role.runtime,
  xpu_runtime: Role.runtime,
  xpu_driver: Role.runtime,
  mtia_runtime: Role.runtime,
  glow_runtime: Role.runtime,
  hpu_op: Role.runtime,
  privateuse1_runtime: Role.runtime,
  privateuse1_driver: Role.runtime,
  python_function: Role.python,
  overhead: Role.overhead,
  kernel: Role.kernel,
  Kernel: Role.kernel,
  mtia_ccp_events: Role.kernel,
  gpu_memcpy: Role.memcpy,
  Memcpy: Role.memcpy,
  gpu_memset: Role.memset,
  Memset: Role.memset,
  cpu_instant_event: Role.instant,
  gpu_user_annotation: Role.ignored,
  ac2g: Role.ignored,
  fwdbwd: Role.ignored,
  async: Role.ignored,
  async_gpu: Role.ignored,
  async_cpu_to_gpu: Role.ignored,
  Trace: Role.ignored,
};

const TABLE = new KeyTable(Object.keys(ROLES));
const ROLE_BY_INDEX = Uint8Array.from(Object.values(ROLES));

/** Role of the category that stands from `start` to `end`, or -1 when it is not known. */
export function roleOf(bytes: Uint8Array, start: number, end: number): number {
  const index = TABLE.find(bytes, start, end);
  return index < 0 ? -1 : ROLE_BY_INDEX[index];
}
