import { sql } from 'kysely';
import type { Platform } from '../../src/platform/deps.ts';

/** Everything that is in the database, as one text. */
export async function dumpOf({ datastore: { db } }: Platform): Promise<string> {
  const tables = await db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(async ({ name }) => [
      name,
      (await sql`select * from ${sql.table(name)}`.execute(db)).rows,
    ]),
  );
  return JSON.stringify(rows);
}
