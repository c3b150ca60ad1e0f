import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database';
import { ObjectStore } from '../../platform/object-store';
import { JobQueue } from '../../platform/queue';

/** One thing that must answer before requests can be served. */
export interface ReadinessProbe {
  name: string;
  /** Resolves when it answers. */
  ping(): Promise<void>;
}

/** What a process cannot work without. */
@Injectable()
export class ReadinessProbes {
  readonly all: readonly ReadinessProbe[];
  #stopping = false;

  constructor(database: Database, queue: JobQueue, objectStore: ObjectStore) {
    this.all = [
      { name: 'database', ping: () => database.ping() },
      { name: 'queue', ping: () => queue.ping() },
      { name: 'objectStore', ping: () => objectStore.ping() },
    ];
  }

  /** From now on the process is not ready, whatever answers: nobody shall send it new work. */
  announceStop(): void {
    this.#stopping = true;
  }

  get stopping(): boolean {
    return this.#stopping;
  }
}
