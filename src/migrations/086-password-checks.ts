import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Whether a password is checked against the rules of the role with the next sign-in. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { integer } = columnsFor(db);
  await db.schema
    .alterTable('users')
    .addColumn('check_password', integer, (column) => column.notNull().defaultTo(0))
    .execute();
}

export const passwordChecks = { up };
