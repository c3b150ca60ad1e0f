import { Injectable, Logger } from '@nestjs/common';
import { type Chore, passTime } from '../../platform/chores';
import { type Config, InjectConfig } from '../../platform/config';
import { ObjectStore } from '../../platform/object-store';
import { BucketOwner } from '../retention';
import { RunWorkRepository } from './run-work.repository';

const ROWS_AT_ONCE = 500;
/** A pass has little time, so that a backlog is worked off in many of them. */
const LONGEST_INTERVAL_S = 60;
/** Where all artifacts lie, see artifactObjectKey. */
const ARTIFACTS = 'teams/';

/**
 * Gives up uploads that nobody completed within UPLOAD_EXPIRY_S: their runs fail with a reason, or go without the late
 * artifact; what was uploaded is freed, and so are uploads in the store that no run knows of any more (an API that died in
 * between).
 */
@Injectable()
export class ExpireUploads implements Chore {
  readonly name = 'expire-uploads';
  readonly isExclusive = true;
  private readonly log = new Logger(ExpireUploads.name);

  constructor(
    private readonly work: RunWorkRepository,
    private readonly objects: ObjectStore,
    private readonly owner: BucketOwner,
    @InjectConfig() private readonly config: Config,
  ) {}

  get intervalS(): number {
    return Math.min(LONGEST_INTERVAL_S, this.config.uploads.expiryS / 4);
  }

  /** One pass; gives the number of runs that were given up. */
  async pass(signal: AbortSignal): Promise<number> {
    const before = new Date(Date.now() - this.config.uploads.expiryS * 1000);
    const mayGoOn = passTime(signal);
    const runs = await this.failAbandoned(before, mayGoOn);
    await this.rejectLate(before, mayGoOn);
    if (!(await this.owner.isOurs())) return runs;
    const aborted = await this.objects.abortUploadsUnder(ARTIFACTS, before);
    if (aborted > 0) this.log.log({ aborted }, 'uploads that no run waits for were aborted');
    return runs;
  }

  private async failAbandoned(before: Date, mayGoOn: () => boolean): Promise<number> {
    const { expiryS } = this.config.uploads;
    const failure = {
      code: 'upload-abandoned',
      reason: `The upload was not completed within ${expiryS} seconds (UPLOAD_EXPIRY_S). Upload the run again.`,
    };
    let runs = 0;
    for (let found = ROWS_AT_ONCE; found === ROWS_AT_ONCE && mayGoOn();) {
      const abandoned = await this.work.findAbandoned(before, ROWS_AT_ONCE);
      found = abandoned.length;
      for (const { id: runId, teamId, ...version } of abandoned) {
        if (!mayGoOn()) break;
        const artifacts = await this.work.abandon(teamId, { runId, ...version }, failure);
        // Null when the upload was completed meanwhile.
        if (artifacts === null) continue;
        runs++;
        this.log.log({ runId, teamId, artifacts }, 'an abandoned upload was given up');
      }
    }
    return runs;
  }

  /** Artifacts that came after their run was completed, and never whole. */
  private async rejectLate(before: Date, mayGoOn: () => boolean): Promise<void> {
    for (let found = ROWS_AT_ONCE; found === ROWS_AT_ONCE && mayGoOn();) {
      const late = await this.work.findAbandonedArtifacts(before, ROWS_AT_ONCE);
      found = late.length;
      for (const { id, teamId } of late) {
        if (!mayGoOn()) break;
        if (!(await this.work.rejectAwaited(teamId, id))) continue;
        this.log.log({ artifactId: id, teamId }, 'a late artifact that nobody uploaded was given up');
      }
    }
  }
}
