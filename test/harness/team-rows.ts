import { type Client } from 'pg';

/** All rows of a team by table, as text. `sql` is a connection of the tables' owner. */
export async function rowsOf(sql: Client, teamId: string): Promise<Record<string, string[]>> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'team_id' ORDER BY 1`,
  );
  const tables: Record<string, string[]> = {};
  for (const [name, column] of [...rows.map((row) => [row.name, 'team_id']), ['teams', 'id']]) {
    const found = await sql.query<{ text: string }>(
      `SELECT t::text AS text FROM ${name} t WHERE ${column} = $1 ORDER BY 1`,
      [teamId],
    );
    tables[name] = found.rows.map(({ text }) => text);
  }
  return tables;
}
