import { sql } from 'kysely';
import { toIsoMoment } from '../../../platform/clock.ts';
import { type Db, readIntegers, type Trx } from '../../../platform/db/index.ts';
import type { FactsKind } from '../entries/kinds.ts';
import { type JsonValue, toCanonicalJson } from './canonical-json.ts';
import { RowDigest } from './row-digest.ts';

/** Few, because some rows have large values. */
const ROWS_AT_ONCE = 50;

/** Facts without personal data, which the log commits to as they are. */
export interface LogRecord {
  kind: FactsKind;
  facts: { readonly [name: string]: JsonValue | undefined };
  /** Epoch milliseconds; becomes the member `created_at`. */
  at: number;
}

/** Adds facts to the consent log, in the transaction that they are about. */
export async function recordInLog(trx: Trx, { kind, facts, at }: LogRecord): Promise<void> {
  const text = toCanonicalJson({ ...facts, created_at: toIsoMoment(at) });
  await trx
    .insertInto('consent_log_records')
    .values({ kind, facts: text, created_at: at })
    .execute();
}

/** The hash of rows, with the columns that it covers. */
export interface HashedRows {
  columns: string[];
  count: number;
  sha256: string;
}

export interface RowSelection {
  table: string;
  columns: readonly string[];
  /** A column, and the id that it has. */
  where: readonly [column: string, id: number];
  /** Stops after about as many rows. */
  limit?: number;
}

/** Hashes rows of a table, in the order of their ids. */
export async function hashRows(
  db: Db | Trx,
  { table, columns, where: [owner, id], limit = Number.POSITIVE_INFINITY }: RowSelection,
): Promise<HashedRows> {
  const digest = new RowDigest();
  const hashed = [...new Set(['id', ...columns])];
  const names = sql.join(hashed.map((name) => sql`${readIntegers(db, name)} as ${sql.ref(name)}`));
  let next = sql``;
  for (let read = ROWS_AT_ONCE; read === ROWS_AT_ONCE && digest.count <= limit; ) {
    const { rows } = await sql<{ id: number } & Record<string, string | number | null>>`
      select ${names} from ${sql.table(table)}
      where ${sql.ref(owner)} = ${id} ${next} order by id limit ${ROWS_AT_ONCE}`.execute(db);
    for (const row of rows) digest.add(row);
    read = rows.length;
    next = sql`and id > ${rows.at(-1)?.id ?? null}`;
  }
  return { columns: hashed, count: digest.count, sha256: digest.finish() };
}
