import { randomUUID } from 'node:crypto';
import { type Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { SNIFF_BYTES } from '../../analysis';
import { type Config, InjectConfig } from '../../platform/config';
import { DatabaseUnavailable } from '../../platform/database';
import { ProblemError } from '../../platform/errors';
import { ObjectStore, ObjectTooLarge, type WrittenObject } from '../../platform/object-store';
import { IngestQuotasRepository, StoredBytes } from '../quotas';
import { artifactObjectKey } from './artifact-uploads.service';
import { answersKeptSince, idempotentRequest, type Answer } from './idempotency';
import { peekStream } from './peek-stream';
import { RunDispatcher } from './run-dispatcher';
import { type NewRun } from './run-metadata';
import { RunsIntakeRepository } from './runs-intake.repository';
import { type StoredRun } from './stored-run.repository';
import { refuseUnknownFormat } from './sniff-upload';
import { VerifiedCopies } from './verified-copies';

/** One file that comes in the body of a request. */
export interface IncomingFile {
  run: NewRun;
  name: string;
  body: Readable;
  /** Content-Length, when the client knows it. */
  declaredBytes: number | undefined;
  /** SHA-256 that the client declares, hex. */
  declaredSha256: string | undefined;
  idempotencyKey: string | undefined;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
}

/** Takes one file by one request: stores it while it arrives, creates its run, and queues it. */
@Injectable()
export class IngestFileService {
  private readonly log = new Logger(IngestFileService.name);

  constructor(
    private readonly runs: RunsIntakeRepository,
    private readonly copies: VerifiedCopies,
    private readonly objects: ObjectStore,
    private readonly dispatcher: RunDispatcher,
    private readonly quotas: IngestQuotasRepository,
    private readonly storedBytes: StoredBytes,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** Of a file that is refused, for whatever reason, nothing is kept. */
  async ingest(teamId: string, file: IncomingFile): Promise<Answer<StoredRun>> {
    // Before the body is read: a bad key must not cost an upload.
    idempotentRequest('PUT /v1/ingest', file.idempotencyKey, null);
    this.refuseTooLarge(file.declaredBytes);
    const isAnswered = await this.quotas.foresee(teamId, file.idempotencyKey, answersKeptSince());
    const { head, all } = await peekStream(file.body, SNIFF_BYTES);
    await refuseUnknownFormat(head);

    const artifactId = randomUUID();
    // The hash that names the object is known only at its end, so such objects are named by their id alone.
    const objectKey = artifactObjectKey(teamId, 'ingested', artifactId);
    const reservedBytes = isAnswered ? 0 : (file.declaredBytes ?? 0);
    return this.storedBytes.withRoom(teamId, reservedBytes, async (room) => {
      const isMetered = !isAnswered && file.declaredBytes === undefined;
      const bytes = isMetered ? room.metered(all) : all;
      const written = await this.store(objectKey, bytes, file.signal);
      try {
        return await this.createRun(teamId, file, { artifactId, objectKey, ...written });
      } catch (error) {
        // When it is not known whether the run was created, its file must stay; if it was not, the sweep of orphans finds it.
        const isRefusal = error instanceof ProblemError && !(error instanceof DatabaseUnavailable);
        if (isRefusal) await this.remove(objectKey);
        throw error;
      }
    });
  }

  private refuseTooLarge(sizeBytes: number | undefined): void {
    const { ingestMaxBytes } = this.config.uploads;
    if (sizeBytes !== undefined && sizeBytes > ingestMaxBytes) throw tooLarge(ingestMaxBytes);
  }

  private async store(
    objectKey: string,
    bytes: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<WrittenObject> {
    const { ingestMaxBytes } = this.config.uploads;
    try {
      return await this.objects.write(objectKey, bytes, { maxBytes: ingestMaxBytes, signal });
    } catch (error) {
      if (error instanceof ObjectTooLarge) throw tooLarge(ingestMaxBytes);
      throw error;
    }
  }

  private async createRun(
    teamId: string,
    file: IncomingFile,
    stored: { artifactId: string; objectKey: string } & WrittenObject,
  ): Promise<Answer<StoredRun>> {
    const { artifactId, objectKey, sizeBytes, sha256Hex: sha256 } = stored;
    if (file.declaredSha256 !== undefined && file.declaredSha256 !== sha256) {
      throw new ProblemError('checksum-mismatch', `Declared ${file.declaredSha256}, received ${sha256}.`);
    }
    const { run, name } = file;
    const request = idempotentRequest('PUT /v1/ingest', file.idempotencyKey, { run, name, sha256 });
    const copyKey = await this.copies.find(teamId, sha256, sizeBytes);
    const content = { artifactId, name, sizeBytes, sha256, objectKey, copyKey };
    const answer = await this.runs.createIngested(teamId, run, content, request);
    // The bytes were there already, by an earlier run or by the first request with this key.
    if (answer.replayed || !answer.stands) await this.remove(objectKey);
    if (!answer.replayed) await this.dispatcher.dispatch(teamId, answer.body);
    return answer;
  }

  /** An object that cannot be deleted costs space, and must not hide why it was to be deleted. */
  private async remove(objectKey: string): Promise<void> {
    try {
      await this.objects.delete(objectKey);
    } catch (error) {
      this.log.warn({ objectKey, err: error }, 'an object that nothing refers to could not be deleted');
    }
  }
}

const tooLarge = (maxBytes: number) =>
  new ProblemError('payload-too-large', `A file in a request may have ${maxBytes} bytes at most.`, {
    action: 'Upload the file in parts: POST /v1/runs and then POST /v1/runs/{id}/artifacts.',
  });
