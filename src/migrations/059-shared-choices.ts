import type { Kysely } from 'kysely';
import { columnsFor } from '../platform/db/columns.ts';

/** The latest consent choices of signed-in people, and the tokens that were used. */
async function up(db: Kysely<unknown>): Promise<void> {
  const { id, idType, integer, text } = columnsFor(db);
  await db.schema
    .createTable('consent_subjects')
    .addColumn('id', idType, id)
    .addColumn('subject', text, (c) => c.notNull().unique())
    .addColumn('visitor_id', text, (c) => c.notNull())
    .addColumn('record_id', integer, (c) => c.notNull())
    .addColumn('consent_action', text, (c) => c.notNull())
    .addColumn('categories_accepted', text, (c) => c.notNull())
    .addColumn('categories_rejected', text, (c) => c.notNull())
    .addColumn('vendors_accepted', text)
    .addColumn('vendors_rejected', text)
    .addColumn('config_version', integer, (c) => c.notNull())
    .addColumn('language', text)
    .addColumn('asked_first', integer, (c) => c.notNull())
    .addColumn('created_at', integer, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
  for (const column of ['visitor_id', 'expires_at'])
    await db.schema
      .createIndex(`consent_subjects_${column}`)
      .on('consent_subjects')
      .column(column)
      .execute();
  await db.schema
    .createTable('consent_subject_tokens')
    .addColumn('token_hash', text, (c) => c.primaryKey())
    .addColumn('visitor_hash', text, (c) => c.notNull())
    .addColumn('expires_at', integer, (c) => c.notNull())
    .execute();
}

export const sharedChoices = { up };
