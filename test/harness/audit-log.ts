import { type AuditAction } from '../../src/platform/audit';
import { type Database } from '../../src/platform/database';

/** The entries of one kind in a team's audit log, the oldest first. */
export async function auditEntries(database: Database, teamId: string, action: AuditAction) {
  return database.forTeam(teamId, ({ auditEntry }) =>
    auditEntry.findMany({ where: { teamId, action }, orderBy: { id: 'asc' } }),
  );
}
