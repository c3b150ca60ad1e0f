import { DeviceColumns } from '../../timeline/device-columns';
import { HostColumns } from '../../timeline/host-columns';
import { type HostThread } from '../../timeline/rank-timeline';
import { processIdOf } from './global-id';

/** `threadIndex` is a 16-bit column; the threads of a hostile file beyond it share the last index. */
const MAX_THREADS = 0xffff;
/** Processes on one host that drive a GPU; a host has 16 GPUs at most. */
const MAX_PROCESSES = 256;

/** What one process did on host and devices. */
export class ProcessEvents {
  readonly device = new DeviceColumns();
  readonly host = new HostColumns();
  readonly threadNames = new Map<number, string>();
  /** Rank that the MPI of the process gave it; null when nothing says it. */
  rank: number | null = null;
  recordShapes = false;
  private readonly threadIndexes = new Map<number, number>();

  constructor(readonly process: number) {}

  /** Index of the thread, added when it is new. */
  threadIndex(thread: number): number {
    let index = this.threadIndexes.get(thread);
    if (index === undefined) {
      index = Math.min(this.threadIndexes.size, MAX_THREADS - 1);
      if (this.threadIndexes.size < MAX_THREADS) this.threadIndexes.set(thread, index);
    }
    return index;
  }

  hasThread(thread: number): boolean {
    return this.threadIndexes.has(thread);
  }

  threads(): HostThread[] {
    return [...this.threadIndexes.keys()].map((thread) => ({
      processId: String(processIdOf(this.process)),
      threadId: String(thread),
      name: this.threadNames.get(thread) ?? '',
    }));
  }
}

/** The processes that put work on a device, by machine and process id. */
export class ProcessTable {
  private readonly processes = new Map<number, ProcessEvents>();

  /** When the file does not tell processes apart, all of it is one. */
  constructor(private readonly tellsApart: boolean) {}

  /** The process, added when it is new; undefined when there are too many. */
  add(process: number): ProcessEvents | undefined {
    const key = this.tellsApart ? process : 0;
    let events = this.processes.get(key);
    if (!events && this.processes.size < MAX_PROCESSES) {
      events = new ProcessEvents(key);
      this.processes.set(key, events);
    }
    return events;
  }

  /** The process when it has put work on a device. */
  find(process: number): ProcessEvents | undefined {
    return this.processes.get(this.tellsApart ? process : 0);
  }

  /** In the order of machine and process id, which is the order in which a launcher starts ranks. */
  list(): ProcessEvents[] {
    return [...this.processes.values()].sort((a, b) => a.process - b.process);
  }
}
