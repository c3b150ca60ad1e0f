import { Injectable, Logger } from '@nestjs/common';
import { AnalyzeRunService, analyzeRunJob, type AnalyzeRunPayload } from '../src/modules/ingestion';
import { childEnvironment, type Config, InjectConfig } from '../src/platform/config';
import { type JobContext } from '../src/platform/queue';
import { inSpan } from '../src/platform/telemetry';
import { analyzeInChild } from './analysis-child';
import { type JobWorker } from './job-worker';

/** Compressed traces of one repeated event are small and harmless; only beyond this the ratio counts. */
const MIN_BYTES_BEFORE_RATIO = 64 * 2 ** 20;

/** Analyses runs, each in a child process. */
@Injectable()
export class AnalyzeRunWorker implements JobWorker<AnalyzeRunPayload> {
  readonly job = analyzeRunJob;
  private readonly log = new Logger(AnalyzeRunWorker.name);

  constructor(
    private readonly service: AnalyzeRunService,
    @InjectConfig() private readonly config: Config,
  ) {}

  get concurrency(): number {
    return this.config.worker.concurrency;
  }

  get longestS(): number {
    return this.config.analysis.timeoutS;
  }

  async handle(payload: AnalyzeRunPayload, { signal }: JobContext): Promise<void> {
    const { analysis, objectStore } = this.config;
    await this.service.process(payload, signal, (task, stop) =>
      inSpan('analysis process', () =>
        analyzeInChild(
          {
            task,
            objectStore,
            decompression: {
              maxBytes: analysis.maxDecompressedBytes,
              maxRatio: analysis.maxCompressionRatio,
              minBytesBeforeRatio: MIN_BYTES_BEFORE_RATIO,
            },
            maxEvents: analysis.maxEvents,
            maxScratchBytes: analysis.maxScratchBytes,
          },
          {
            limits: analysis,
            env: childEnvironment(),
            onStderr: (line) =>
              this.log.warn({ runId: task.runId, teamId: task.teamId, line }, 'the analysis process says'),
          },
          stop,
        ),
      ),
    );
  }
}
