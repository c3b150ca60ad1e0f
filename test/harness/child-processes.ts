import { existsSync, readFileSync } from 'node:fs';

/** Whether the system tells the children of a process. */
export const tellsChildren = existsSync('/proc/self/statm');

/** Ids of the processes that a process started; none where the system does not tell, or when it is gone. */
export function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(list)) return [];
  return readFileSync(list, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number);
}

export const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
