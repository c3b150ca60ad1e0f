import { Injectable, Logger } from '@nestjs/common';
import { type Chore, passTime } from '../../platform/chores';
import { type ListedObject, ObjectStore } from '../../platform/object-store';
import { BucketOwner } from './bucket-owner';
import { ObjectDeletionsRepository } from './object-deletions.repository';

/** Where all artifacts lie, each under the id of its team. */
const ARTIFACTS = 'teams/';
/**
 * Younger objects may be on their way to their row. A request may take four hours to arrive, and what it stores is as old as
 * its beginning; files uploaded in parts have their row before their object.
 */
const YOUNG_MS = 24 * 3_600_000;
const teamOfKey = /^teams\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//;

/**
 * Finds objects that no artifact stands on, such as that of a process that died between the object and its row, and hands
 * them to `DeleteObjects`. Goes through the whole bucket, a piece in each pass.
 */
@Injectable()
export class SweepOrphans implements Chore {
  readonly name = 'sweep-orphans';
  readonly isExclusive = true;
  readonly intervalS = 600;
  private readonly log = new Logger(SweepOrphans.name);
  /** Last key looked at; the next pass goes on after it. */
  private position: string | undefined;

  constructor(
    private readonly deletions: ObjectDeletionsRepository,
    private readonly objects: ObjectStore,
    private readonly owner: BucketOwner,
  ) {}

  /** One pass; gives the number of objects that were found. `youngMs` is for tests. */
  async pass(signal: AbortSignal, youngMs = YOUNG_MS): Promise<number> {
    if (!(await this.owner.isOurs())) return 0;
    const mayGoOn = passTime(signal);
    const before = new Date(Date.now() - youngMs);
    let found = 0;
    do {
      const page = await this.objects.list(ARTIFACTS, this.position);
      for (const [teamId, keys] of keysByTeam(page.filter(({ modifiedAt }) => modifiedAt < before)))
        found += await this.handOver(teamId, keys);
      this.position = page.at(-1)?.key;
    } while (this.position !== undefined && mayGoOn());
    if (found > 0) this.log.warn({ objects: found }, 'objects that no artifact stands on are to be deleted');
    return found;
  }

  private async handOver(teamId: string, keys: readonly string[]): Promise<number> {
    const orphans = await this.deletions.findUnreferenced(teamId, keys);
    await this.deletions.add(teamId, orphans);
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
