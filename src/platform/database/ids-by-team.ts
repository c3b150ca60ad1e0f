import { type TeamRow } from './teamless-scope';

/** The ids of rows of several teams under the id of their team, each in the order given: the work of one team's scope. */
export function idsByTeam(rows: readonly TeamRow[]): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const { id, teamId } of rows) {
    const known = ids.get(teamId);
    if (known) known.push(id);
    else ids.set(teamId, [id]);
  }
  return ids;
}
