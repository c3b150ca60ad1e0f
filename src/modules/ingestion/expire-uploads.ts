import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { Database } from '../../platform/database';
import { ObjectStore } from '../../platform/object-store';
import { RunWorkRepository } from './run-work.repository';

/** Runs given up in one pass; the oldest come first, so a longer backlog is worked off pass by pass. */
const RUNS_PER_PASS = 100;
const LONGEST_INTERVAL_MS = 3_600_000;
const LOCK = 'stallscope:expire-uploads';
/** Where all artifacts lie, see artifactObjectKey. */
const ARTIFACTS = 'teams/';

/**
 * Gives up uploads that nobody completed within UPLOAD_EXPIRY_S: their runs fail with a reason, what was uploaded is
 * freed, and so are uploads in the store that no run knows of any more (an API that died in between). Every worker
 * process runs it; a lock lets one at a time.
 */
@Injectable()
export class ExpireUploads implements OnApplicationShutdown {
  private readonly log = new Logger(ExpireUploads.name);
  private timer: NodeJS.Timeout | undefined;
  private pass: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly work: RunWorkRepository,
    private readonly objects: ObjectStore,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** Starts passing, the first time at once. */
  start(): void {
    const everyMs = Math.min(LONGEST_INTERVAL_MS, (this.config.uploads.expiryS * 1000) / 4);
    const run = () => {
      this.pass = this.expire().then(
        () => undefined,
        (error: unknown) => this.log.warn({ err: error }, 'abandoned uploads could not be looked for'),
      );
      void this.pass.then(() => {
        if (this.timer) this.timer = setTimeout(run, everyMs);
      });
    };
    this.timer = setTimeout(run, 0);
  }

  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.pass;
  }

  /** One pass; gives the number of runs that were given up. */
  async expire(): Promise<number> {
    const count = await this.database.exclusively(LOCK, async () => {
      const { expiryS } = this.config.uploads;
      const before = new Date(Date.now() - expiryS * 1000);
      let abandoned = 0;
      for (const { id: runId, teamId, ...version } of await this.work.findAbandoned(before, RUNS_PER_PASS)) {
        const failure = {
          code: 'upload-abandoned',
          reason: `The upload was not completed within ${expiryS} seconds (UPLOAD_EXPIRY_S). Upload the run again.`,
        };
        const freed = await this.work.abandon(teamId, { runId, ...version }, failure);
        // Null when the upload was completed meanwhile.
        if (!freed) continue;
        abandoned++;
        this.log.log({ runId, teamId, artifacts: freed.length }, 'an abandoned upload was given up');
        for (const { objectKey, uploadId } of freed) {
          if (uploadId !== null) await this.objects.abortMultipartUpload(objectKey, uploadId);
          // There already, when completing the run got no further than this artifact.
          await this.objects.delete(objectKey);
        }
      }
      const aborted = await this.objects.abortUploadsUnder(ARTIFACTS, before);
      if (aborted > 0) this.log.log({ aborted }, 'uploads that no run waits for were aborted');
      return abandoned;
    });
    return count ?? 0;
  }
}
