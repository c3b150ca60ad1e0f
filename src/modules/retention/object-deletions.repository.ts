import { Injectable } from '@nestjs/common';
import { Database, type TeamRow } from '../../platform/database';
import { scheduleDeletion } from './schedule-deletion.repository';

export interface ObjectDeletion {
  id: string;
  objectKey: string;
  /** Multipart upload to abort as well. */
  uploadId: string | null;
  /** An artifact stands on it; then it stays. */
  isReferenced: boolean;
}

/** Objects whose rows are gone. */
@Injectable()
export class ObjectDeletionsRepository {
  constructor(private readonly database: Database) {}

  /** Of all teams, the oldest first. */
  async findRows(maxRows: number): Promise<TeamRow[]> {
    return this.database.withoutTeam((scope) => scope.findObjectDeletions(maxRows));
  }

  /** Looks once more whether an artifact stands on the object: deleting it would be for good. */
  async load(teamId: string, ids: readonly string[]): Promise<ObjectDeletion[]> {
    return this.database.forTeam(
      teamId,
      ({ $queryRaw }) => $queryRaw<ObjectDeletion[]>`
        SELECT d.id, d.object_key AS "objectKey", d.upload_id AS "uploadId", EXISTS (
          SELECT 1 FROM artifacts a WHERE a.team_id = ${teamId}::uuid AND a.object_key = d.object_key
            AND a.state <> 'rejected') AS "isReferenced"
        FROM object_deletions d WHERE d.team_id = ${teamId}::uuid AND d.id = ANY(${[...ids]}::uuid[])`,
    );
  }

  /** Forgets what was done, and puts what failed at the end of the line. */
  async settle(teamId: string, done: readonly string[], failed: readonly string[]): Promise<void> {
    await this.database.forTeam(teamId, async ({ objectDeletion }) => {
      await objectDeletion.deleteMany({ where: { teamId, id: { in: [...done] } } });
      await objectDeletion.updateMany({
        where: { teamId, id: { in: [...failed] } },
        data: { createdAt: new Date() },
      });
    });
  }

  /** Has objects deleted that no row leads to. */
  async add(teamId: string, objectKeys: readonly string[]): Promise<void> {
    await this.database.forTeam(teamId, (scope) =>
      scheduleDeletion(
        scope,
        objectKeys.map((objectKey) => ({ objectKey, uploadId: null })),
      ),
    );
  }

  /** Which of these keys no artifact of the team stands on, and nobody deletes yet. Without one, an object that is complete never gets one. */
  async findUnreferenced(teamId: string, keys: readonly string[]): Promise<string[]> {
    return this.database.forTeam(teamId, async ({ $queryRaw }) => {
      const rows = await $queryRaw<{ key: string }[]>`
        SELECT k AS key FROM unnest(${[...keys]}::text[]) AS k
        WHERE NOT EXISTS (SELECT 1 FROM artifacts a WHERE a.team_id = ${teamId}::uuid AND a.object_key = k AND a.state <> 'rejected')
          AND NOT EXISTS (
            SELECT 1 FROM object_deletions d WHERE d.team_id = ${teamId}::uuid AND d.object_key = k)`;
      return rows.map(({ key }) => key);
    });
  }
}
