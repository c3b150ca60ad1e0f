import { Injectable, Logger } from '@nestjs/common';
import { type Chore, passTime } from '../../../platform/chores';
import { RollUpsRepository } from './roll-ups.repository';

const dayMs = 86_400_000;
/** So long daily values outlive the runs they were made from; while the runs are there, they stay. */
export const POINT_DAYS_KEPT = 730;
const ROWS_AT_ONCE = 5_000;

/** Makes the partitions of points before they are needed, drops those that nothing is in, and deletes old daily values. */
@Injectable()
export class KeepPointStorage implements Chore {
  readonly name = 'keep-point-storage';
  readonly isExclusive = true;
  readonly intervalS = 3_600;
  private readonly log = new Logger(KeepPointStorage.name);

  constructor(private readonly rollUps: RollUpsRepository) {}

  /** One pass; gives what was dropped and deleted. */
  async pass(signal: AbortSignal): Promise<{ partitions: number; days: number }> {
    const mayGoOn = passTime(signal);
    const now = new Date();
    await this.rollUps.ensurePartition(now);
    await this.rollUps.ensurePartition(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)));
    const partitions = await this.rollUps.dropEmptyPartitions();
    const before = new Date(now.getTime() - POINT_DAYS_KEPT * dayMs);
    let days = 0;
    for (let deleted = ROWS_AT_ONCE; deleted === ROWS_AT_ONCE && mayGoOn(); days += deleted)
      deleted = await this.rollUps.deleteBefore(before, ROWS_AT_ONCE);
    if (partitions + days > 0)
      this.log.log({ partitions, days }, 'empty partitions of points and old daily values were deleted');
    return { partitions, days };
  }
}
