import { Injectable, Logger } from '@nestjs/common';
import { type Chore } from '../../platform/chores';
import { Database } from '../../platform/database';
import { ObjectStore, type ListedObject } from '../../platform/object-store';
import { ObjectDeletionsRepository } from './object-deletions.repository';
import { passTime } from './pass-time';

/** Where all artifacts lie, each under the id of its team. */
const ARTIFACTS = 'teams/';
/**
 * Younger objects may be on their way to their row. A request may take four hours to arrive, and what it stores is as old as
 * its beginning; files uploaded in parts have their row before their object.
 */
const YOUNG_MS = 24 * 3_600_000;
const teamOfKey = /^teams\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//;
const LOCK = 'stallscope:sweep-orphans';

/**
 * Finds objects that no artifact stands on, such as that of a process that died between the object and its row, and deletes
 * them. Goes through the whole bucket, a piece in each pass.
 */
@Injectable()
export class SweepOrphans implements Chore {
  readonly name = 'sweep-orphans';
  readonly intervalS = 600;
  private readonly log = new Logger(SweepOrphans.name);
  /** Last key looked at; the next pass goes on after it. */
  private position: string | undefined;

  constructor(
    private readonly database: Database,
    private readonly deletions: ObjectDeletionsRepository,
    private readonly objects: ObjectStore,
  ) {}

  /** One pass; gives the number of objects that were deleted. `youngMs` is for tests. */
  async pass(signal: AbortSignal, youngMs = YOUNG_MS): Promise<number> {
    return (await this.database.exclusively(LOCK, () => this.sweep(signal, youngMs))) ?? 0;
  }

  private async sweep(signal: AbortSignal, youngMs: number): Promise<number> {
    const mayGoOn = passTime(signal);
    const before = new Date(Date.now() - youngMs);
    let deleted = 0;
    do {
      const page = await this.objects.list(ARTIFACTS, this.position);
      for (const [teamId, keys] of keysByTeam(page.filter(({ modifiedAt }) => modifiedAt < before)))
        deleted += await this.deleteOrphans(teamId, keys);
      this.position = page.at(-1)?.key;
    } while (this.position !== undefined && mayGoOn());
    if (deleted > 0) this.log.warn({ objects: deleted }, 'objects that no artifact stands on were deleted');
    return deleted;
  }

  private async deleteOrphans(teamId: string, keys: readonly string[]): Promise<number> {
    const orphans = await this.deletions.findUnreferenced(teamId, keys);
    for (const key of orphans) await this.objects.delete(key);
    return orphans.length;
  }
}

function keysByTeam(objects: readonly ListedObject[]): Map<string, string[]> {
  const keys = new Map<string, string[]>();
  for (const { key } of objects) {
    const teamId = teamOfKey.exec(key)?.[1];
    if (teamId !== undefined) keys.set(teamId, [...(keys.get(teamId) ?? []), key]);
  }
  return keys;
}
