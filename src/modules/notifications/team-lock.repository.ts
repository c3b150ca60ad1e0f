import { type TeamScope } from '../../platform/database';

/**
 * Lets one transaction at a time count and change the webhooks of a team, until the transaction ends. Counting without it
 * would let two that race both find room.
 */
export async function lockWebhooks({ teamId, $executeRaw }: TeamScope): Promise<void> {
  const name = `stallscope:webhooks:${teamId}`;
  await $executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
}
