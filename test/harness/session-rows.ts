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

/** A row that whoever wants to change it waits for, until `release`. */
export interface HeldRow {
  /** How many connections to the database wait for a lock. */
  waiting(): Promise<number>;
  /** Changes the row, seen by others after `release`; `assignments` as in UPDATE … SET. */
  change(assignments: string): Promise<void>;
  release(): Promise<void>;
}

/** Holds a row; rows that refer to it are not held up. */
export async function holdRow(
  ownerUrl: string,
  table: 'sessions' | 'users' | 'teams' | 'invitations',
  id: string,
): Promise<HeldRow> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  await client.query('BEGIN');
  await client.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
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
    change: async (assignments) => {
      await client.query(`UPDATE ${table} SET ${assignments} WHERE id = $1`, [id]);
    },
    release: async () => {
      await client.query('COMMIT');
      await client.end();
    },
  };
}
