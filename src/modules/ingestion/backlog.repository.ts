import { Injectable } from '@nestjs/common';
import { type Backlog, Database } from '../../platform/database';

/** What waits over all teams. */
@Injectable()
export class BacklogRepository {
  constructor(private readonly database: Database) {}

  /** States without runs are absent. */
  async measure(): Promise<Backlog[]> {
    return this.database.withoutTeam((scope) => scope.measureBacklog());
  }
}
