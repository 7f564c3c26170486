import { sql } from 'kysely';
import type { Platform } from '../../src/platform/deps.ts';

/** The contents of all tables as one text. Rows are sorted, because PostgreSQL returns them in any order. */
export async function dumpDatabase({ datastore: { db } }: Platform): Promise<string> {
  const tables = await db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      return [name, rows.map((row) => JSON.stringify(row)).toSorted()];
    }),
  );
  return JSON.stringify(rows);
}
