import { type RawBuilder, sql } from 'kysely';
import { type Db, readIntegers } from '../../../platform/db/index.ts';
import type { EntryColumns } from './columns.ts';

/** The columns of `consent_records` that an entry needs. */
export const selectRecord = (db: Db, { personal, facts }: EntryColumns): RawBuilder<unknown> =>
  select(db, 'consent_records', [
    'salt',
    'personal_hash',
    ...[...personal, ...facts].map(({ name }) => name),
  ]);

/** The columns of `consent_log_records` that an entry needs. */
export const selectFacts = (db: Db): RawBuilder<unknown> =>
  select(db, 'consent_log_records', ['id', 'kind', 'facts', 'created_at']);

const select = (db: Db, table: string, columns: readonly string[]) =>
  sql.join(columns.map((name) => sql`${readIntegers(db, `${table}.${name}`)} as ${sql.ref(name)}`));
