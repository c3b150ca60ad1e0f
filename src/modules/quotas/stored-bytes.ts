import { Injectable } from '@nestjs/common';
import { Room, type Account } from './room';
import { StoredBytesRepository } from './stored-bytes.repository';

/** How old a measured sum may be; it is an index scan over all artifacts of the team. */
const MEASURED_FOR_MS = 10_000;
/** Nobody is refused because of an older one: runs may have been deleted since. */
const REFUSED_BY_MS = 1_000;
const MOST_ACCOUNTS = 10_000;

/**
 * Keeps teams within the bytes that they may store. Exact within one process, whatever arrives at the same time; several
 * processes together may go over by what the others let in within MEASURED_FOR_MS, and by uploads still streaming there.
 */
@Injectable()
export class StoredBytes {
  private readonly accounts = new Map<string, Account>();
  private readonly measurements = new Map<string, Promise<Account>>();

  constructor(private readonly repository: StoredBytesRepository) {}

  /**
   * Does work that stores `bytes`, and as many more as `room` is asked for, if they fit. Work that fails gives them back.
   * Throws `quota-bytes-exceeded`.
   */
  async withRoom<T>(teamId: string, bytes: number, work: (room: Room) => Promise<T>): Promise<T> {
    let account = await this.measured(teamId, MEASURED_FOR_MS);
    if (!Room.fits(account, bytes)) account = await this.measured(teamId, REFUSED_BY_MS);
    const room = new Room(account);
    try {
      room.take(bytes);
      const result = await work(room);
      account.addedBytes += room.bytes;
      return result;
    } finally {
      account.pendingBytes -= room.bytes;
    }
  }

  private async measured(teamId: string, maxAgeMs: number): Promise<Account> {
    const known = this.accounts.get(teamId);
    if (known && performance.now() - known.measuredAtMs <= maxAgeMs) return known;
    let measurement = this.measurements.get(teamId);
    if (!measurement) {
      measurement = this.measure(teamId).finally(() => this.measurements.delete(teamId));
      this.measurements.set(teamId, measurement);
    }
    return measurement;
  }

  private async measure(teamId: string): Promise<Account> {
    const startedMs = performance.now();
    // What is added from here on may be missing in the sum.
    const summedBytes = this.accounts.get(teamId)?.addedBytes ?? 0;
    const measured = await this.repository.measure(teamId);
    const account = this.accounts.get(teamId) ?? {
      addedBytes: 0,
      pendingBytes: 0,
      ...measured,
      measuredAtMs: 0,
    };
    Object.assign(account, measured, {
      addedBytes: account.addedBytes - summedBytes,
      measuredAtMs: startedMs,
    });
    this.accounts.delete(teamId);
    this.accounts.set(teamId, account);
    if (this.accounts.size > MOST_ACCOUNTS) this.forgetOldest();
    return account;
  }

  /** Never one with uploads on their way: they would be forgotten. */
  private forgetOldest(): void {
    for (const [teamId, { pendingBytes }] of this.accounts) {
      if (pendingBytes > 0) continue;
      this.accounts.delete(teamId);
      return;
    }
  }
}
