import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** Verifications of the consent log that were started by request. A table, so that every node can answer about them. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('consent_log_verifications')
    .addColumn('id', idType, id)
    .addColumn('deep', integer, (c) => c.notNull())
    .addColumn('started_at', integer, (c) => c.notNull())
    .addColumn('last_seen_at', integer, (c) => c.notNull())
    .addColumn('finished_at', integer)
    .addColumn('done', integer, (c) => c.notNull())
    .addColumn('total', integer, (c) => c.notNull())
    .addColumn('error', text)
    .addColumn('report', text)
    .execute();
}

export const logVerifications = { up };
