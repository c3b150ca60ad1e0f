import { type TeamScope } from '../../platform/database';

/**
 * Makes sure that an object which artifacts stand on stays until the transaction ends, so that another artifact can be put
 * on it; false when it is being deleted or is gone. The row that holds it is locked: whoever deletes it or
 * rejects it waits for us and then finds our artifact, or we wait for them and find nothing. So an object that nothing
 * refers to stays so for ever.
 */
export async function holdObject({ teamId, $queryRaw }: TeamScope, objectKey: string): Promise<boolean> {
  const holders = await $queryRaw<unknown[]>`
    SELECT 1 FROM artifacts WHERE team_id = ${teamId}::uuid AND object_key = ${objectKey} AND state = 'verified'
    LIMIT 1 FOR SHARE`;
  return holders.length > 0;
}
