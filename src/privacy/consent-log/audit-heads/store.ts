import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { type NotedHead, readNotedFacts } from '../noted-head/rules.ts';
import { RowDigest } from '../records/row-digest.ts';
import { listStatements } from '../verification/facts.ts';

const ROWS_AT_ONCE = 1_000;

/** A log whose rows have `id` and `at`. */
export interface AuditLog {
  table: string;
  /** What is hashed beside `id` and `at`: nothing that retention removes. */
  columns: readonly string[];
}

/** The rows of a log that were hashed: those with ids from `first_id` to `last_id`. */
export interface AuditHead {
  log: string;
  first_id: number;
  last_id: number;
  count: number;
  columns: string[];
  sha256: string;
}

/** The last id that was hashed of each log, and what was stated of the consent log itself then. */
export async function findLastHeads(
  db: Db,
): Promise<{ lastIds: Map<string, number>; noted: NotedHead | undefined }> {
  const statements = await listStatements(db, [ENTRY_KINDS.auditHeads], []);
  const { logs = [], consent_log } = statements.map(({ facts }) => facts).findLast(hasHeads) ?? {};
  const lastIds = new Map(logs.map(({ log, last_id }) => [log, last_id]));
  return { lastIds, noted: readNotedFacts(consent_log) };
}

type HeadFacts = { logs: Pick<AuditHead, 'log' | 'last_id'>[]; consent_log?: unknown };

/** Whether Pavis can have written facts: a person who can write to the database can add others. */
function hasHeads(facts: object | undefined): facts is HeadFacts {
  const { logs }: { logs?: unknown } = facts ?? {};
  const isHead = (head: Partial<AuditHead> | null) =>
    typeof head?.log === 'string' && Number.isSafeInteger(head.last_id);
  return Array.isArray(logs) && logs.every(isHead);
}

/**
 * Hashes the rows of a log after an id.
 * @param before the last row is from before this time, in epoch milliseconds
 */
export async function readHead(
  db: Db,
  { table, columns }: AuditLog,
  lastId: number,
  before: number,
): Promise<AuditHead> {
  const from = sql.table(table);
  const found = await sql<{ id: number | null }>`select max(id) as id from ${from}
    where id > ${lastId} and at < ${before}`.execute(db);
  const upTo = found.rows[0]?.id ?? lastId;
  const hashed = ['at', 'id', ...columns];
  const names = sql.join(hashed.map((name) => sql.ref(name)));
  const digest = new RowDigest();
  for (let after = lastId; after < upTo; ) {
    const { rows } = await sql<{ id: number } & Record<string, string | number | null>>`
      select ${names} from ${from} where id > ${after} and id <= ${upTo}
      order by id limit ${ROWS_AT_ONCE}`.execute(db);
    for (const row of rows) digest.add(row);
    after = rows.at(-1)?.id ?? upTo;
  }
  const range = { first_id: lastId + 1, last_id: upTo, count: digest.count };
  return { log: table, ...range, columns: hashed, sha256: digest.finish() };
}
