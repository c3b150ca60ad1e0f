import { Injectable } from '@nestjs/common';
import { type Config, InjectConfig } from '../../platform/config';
import { ProblemError } from '../../platform/errors';
import { ObjectStore } from '../../platform/object-store';
import { type StoredArtifact, ArtifactsRepository } from './artifacts.repository';
import { CompleteArtifactsService, refuseLacks, refuseRejected } from './complete-artifacts.service';
import { type Completed, RunsIntakeRepository } from './runs-intake.repository';
import { RunDispatcher } from './run-dispatcher';
import { refuseClosedUpload } from './upload-window';

/** Ends the upload of a run, or of some of its artifacts, and sees to it that an analysis has them. */
@Injectable()
export class CompleteRunService {
  constructor(
    private readonly runs: RunsIntakeRepository,
    private readonly artifacts: ArtifactsRepository,
    private readonly completion: CompleteArtifactsService,
    private readonly objects: ObjectStore,
    private readonly dispatcher: RunDispatcher,
    @InjectConfig() private readonly config: Config,
  ) {}

  /**
   * Completes the named artifacts, or all that are awaited, and queues the run unless an analysis that has them is to
   * come anyway. The call may be repeated, also after a crash in its middle. The first time without names every artifact
   * must be there; later, those that are not yet are left to whoever uploads them.
   */
  async complete(teamId: string, runId: string, only?: readonly string[]): Promise<Completed> {
    const run = await this.runs.find(teamId, runId);
    if (!run) throw notFound();
    const all = await this.artifacts.list(teamId, runId);
    if (all.length === 0) throw new ProblemError('no-artifacts', 'No artifact was registered for this run.');
    const named = only === undefined ? all : all.filter(({ id }) => only.includes(id));
    refuseUnknown(named, only ?? []);
    if (only !== undefined) refuseRejected(named.filter(({ state }) => state === 'rejected'));
    const awaited = named.filter(({ state }) => state === 'awaitingUpload');
    if (awaited.length > 0) refuseClosedUpload(run, this.config.uploads.lateArtifactsS);

    const { wholeIds, ...lacks } = await this.completion.complete(teamId, awaited);
    if (only !== undefined || run.state === 'awaitingUpload') refuseLacks(lacks);
    const completed = await this.runs.completeUploaded(teamId, runId, wholeIds, {
      wantsAll: only === undefined,
    });
    if (!completed) throw notFound();
    if (completed.run.state === 'awaitingUpload') {
      throw new ProblemError(
        'upload-incomplete',
        'Another artifact was registered while the run was completed.',
      );
    }
    if (completed.queued) await this.dispatcher.dispatch(teamId, completed.run);
    const whole = awaited.filter(({ id }) => wholeIds.includes(id));
    const givenUp = await this.deleteGivenUp(teamId, runId, whole);
    // When all of the run was given up, its failure says so.
    if (completed.run.failureCode !== 'upload-abandoned') refuseRejected(givenUp);
    // Others may still be uploading; when nothing new came, what is missing is this caller's.
    refuseLacks(completed.newArtifacts > 0 ? { ...lacks, incomplete: [] } : lacks);
    return completed;
  }

  /** The upload may have been given up meanwhile; what was completed after that would stay for ever. Gives what that is. */
  private async deleteGivenUp(
    teamId: string,
    runId: string,
    whole: readonly StoredArtifact[],
  ): Promise<StoredArtifact[]> {
    if (whole.length === 0) return [];
    const now = new Map((await this.artifacts.list(teamId, runId)).map(({ id, state }) => [id, state]));
    const givenUp = whole.filter(({ id }) => now.get(id) === 'rejected');
    for (const { objectKey } of givenUp) await this.objects.delete(objectKey);
    return givenUp;
  }
}

function refuseUnknown(named: readonly { id: string }[], only: readonly string[]): void {
  const unknown = only.find((id) => !named.some((artifact) => artifact.id === id));
  if (unknown !== undefined)
    throw new ProblemError('artifact-not-found', `The run has no artifact with the id ${unknown}.`);
}

const notFound = () => new ProblemError('run-not-found', 'Your team has no run with this id.');
