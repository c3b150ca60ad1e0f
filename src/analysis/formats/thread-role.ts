import { type ThreadRole } from './host-profile';

/** Names that PyTorch and its users give to processes and threads that load data. */
const LOADER_NAME = /pt_data_worker|dataloader|data[_ -]?worker/i;
/** Functions at the root of a worker of the loader, and of every other thread or process that Python starts. */
const LOADER_ROOT = '_worker_loop';
const OTHER_ROOT = /^(_bootstrap|_bootstrap_inner|spawn_main|_pin_memory_loop|thread_main)$/;
/** Frames from the outermost one in which a root is looked for. */
const ROOT_FRAMES = 12;

/**
 * The part that a thread plays, by the names of process and thread, then by the root of its stack (outermost first): worker
 * processes of the loader call their thread `MainThread` too.
 */
export function roleOfThread(
  process: string | null,
  thread: string | null,
  frames: readonly { name: string }[],
): ThreadRole {
  const roots = frames.slice(0, ROOT_FRAMES);
  if (roots.some(({ name }) => name === LOADER_ROOT)) return 'loader-worker';
  if (LOADER_NAME.test(`${process ?? ''}\n${thread ?? ''}`)) return 'loader-worker';
  if (roots.some(({ name }) => OTHER_ROOT.test(name))) return 'other';
  return thread === null || thread === '' || /^MainThread$/.test(thread) ? 'main' : 'other';
}
