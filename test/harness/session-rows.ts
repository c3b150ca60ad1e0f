import { Client } from 'pg';

/** Makes a session older, or end sooner. Gives when it ends. */
export async function ageSession(
  ownerUrl: string,
  sessionId: string,
  { ageS, expiresInS }: { ageS?: number; expiresInS?: number },
): Promise<{ expiresInS: number }> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ left: number }>(
      `UPDATE sessions SET created_at = coalesce(now() - make_interval(secs => $2), created_at),
         expires_at = coalesce(now() + make_interval(secs => $3), expires_at)
       WHERE id = $1 RETURNING extract(epoch FROM expires_at - now())::float8 AS left`,
      [sessionId, ageS ?? null, expiresInS ?? null],
    );
    return { expiresInS: rows[0].left };
  } finally {
    await client.end();
  }
}

/** Holds the row of a session until `release`, so that whoever wants to change it waits. */
export async function holdSession(
  ownerUrl: string,
  sessionId: string,
): Promise<{ waiting(): Promise<number>; release(): Promise<void> }> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query('SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE', [sessionId]);
  return {
    waiting: async () => {
      // Within a transaction the first look at the activity would be kept.
      await client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await client.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0].n;
    },
    release: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}
