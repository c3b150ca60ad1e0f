import { Injectable, Logger } from '@nestjs/common';
import { type Chore } from '../../platform/chores';
import { type Config, InjectConfig } from '../../platform/config';
import { Database } from '../../platform/database';
import { ObjectStore } from '../../platform/object-store';
import { RunWorkRepository } from './run-work.repository';

/** Runs given up in one pass; the oldest come first, so a longer backlog is worked off pass by pass. */
const RUNS_PER_PASS = 100;
const LATE_ARTIFACTS_PER_PASS = 1_000;
const LONGEST_INTERVAL_S = 3_600;
const LOCK = 'stallscope:expire-uploads';
/** Where all artifacts lie, see artifactObjectKey. */
const ARTIFACTS = 'teams/';

/**
 * Gives up uploads that nobody completed within UPLOAD_EXPIRY_S: their runs fail with a reason, or go without the late
 * artifact; what was uploaded is freed, and so are uploads in the store that no run knows of any more (an API that died in between). Every worker
 * process runs it; a lock lets one at a time.
 */
@Injectable()
export class ExpireUploads implements Chore {
  readonly name = 'expire-uploads';
  private readonly log = new Logger(ExpireUploads.name);

  constructor(
    private readonly database: Database,
    private readonly work: RunWorkRepository,
    private readonly objects: ObjectStore,
    @InjectConfig() private readonly config: Config,
  ) {}

  get intervalS(): number {
    return Math.min(LONGEST_INTERVAL_S, this.config.uploads.expiryS / 4);
  }

  /** One pass; gives the number of runs that were given up. */
  async pass(): Promise<number> {
    const before = new Date(Date.now() - this.config.uploads.expiryS * 1000);
    const abandoned = await this.database.exclusively(LOCK, () => this.failAbandoned(before));
    // Another process is at it.
    if (!abandoned) return 0;
    for (const { objectKey, uploadId } of abandoned.freed) {
      if (uploadId !== null) await this.objects.abortMultipartUpload(objectKey, uploadId);
      // There already, when completing the run got no further than this artifact.
      await this.objects.delete(objectKey);
    }
    const aborted = await this.objects.abortUploadsUnder(ARTIFACTS, before);
    if (aborted > 0) this.log.log({ aborted }, 'uploads that no run waits for were aborted');
    return abandoned.runs;
  }

  private async failAbandoned(before: Date) {
    const { expiryS } = this.config.uploads;
    const freed: { objectKey: string; uploadId: string | null }[] = [];
    let runs = 0;
    for (const { id: runId, teamId, ...version } of await this.work.findAbandoned(before, RUNS_PER_PASS)) {
      const failure = {
        code: 'upload-abandoned',
        reason: `The upload was not completed within ${expiryS} seconds (UPLOAD_EXPIRY_S). Upload the run again.`,
      };
      const unfinished = await this.work.abandon(teamId, { runId, ...version }, failure);
      // Null when the upload was completed meanwhile.
      if (!unfinished) continue;
      runs++;
      freed.push(...unfinished);
      this.log.log({ runId, teamId, artifacts: unfinished.length }, 'an abandoned upload was given up');
    }
    freed.push(...(await this.rejectLate(before)));
    return { runs, freed };
  }

  /** Artifacts that came after their run was completed, and never whole. */
  private async rejectLate(before: Date): Promise<{ objectKey: string; uploadId: string | null }[]> {
    const freed: { objectKey: string; uploadId: string | null }[] = [];
    for (const { id, teamId } of await this.work.findAbandonedArtifacts(before, LATE_ARTIFACTS_PER_PASS)) {
      const artifact = await this.work.rejectAwaited(teamId, id);
      if (!artifact) continue;
      freed.push(artifact);
      this.log.log({ artifactId: id, teamId }, 'a late artifact that nobody uploaded was given up');
    }
    return freed;
  }
}
