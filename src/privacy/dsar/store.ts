import type { Selectable, Updateable } from 'kysely';
import { anyContains, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import type { CaseStatus, Regime, RequestType } from './rules.ts';
import type { CaseTable } from './tables.ts';

/** A request of a data subject; moments in epoch milliseconds, days as `YYYY-MM-DD` in the site's zone. */
export interface Case {
  id: number;
  reference: string;
  requestType: RequestType;
  status: CaseStatus;
  firstName: string | null;
  lastName: string | null;
  /** Null once it is anonymised. */
  email: string | null;
  additionalInfo: string | null;
  visitorId: string | null;
  language: string;
  regime: Regime;
  receivedAt: number;
  receivedOn: string;
  deadline: string;
  extendedAt: number | null;
  pausedOn: string | null;
  pausedDays: number;
  verifiedAt: number | null;
  assignee: string | null;
  ground: string | null;
  duplicateOf: number | null;
  closedAt: number | null;
}

export interface CaseFilter {
  status?: CaseStatus | undefined;
  requestType?: RequestType | undefined;
  /** Open and past the deadline on `today`, or not. */
  overdue?: boolean | undefined;
  /** Looked for in reference, names and address. */
  search?: string | undefined;
  /** Null: those that nobody has. */
  assignee?: string | null | undefined;
  today: string;
}

/** The event that says so. */
export const UNCONFIRMED_REMINDED = 'confirmation_reminded';

const toCase = (row: Selectable<CaseTable>): Case => ({
  id: row.id,
  reference: row.reference,
  requestType: row.request_type,
  status: row.status,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  additionalInfo: row.additional_info,
  visitorId: row.visitor_id,
  language: row.language,
  regime: row.regime,
  receivedAt: row.received_at,
  receivedOn: row.received_on,
  deadline: row.deadline,
  extendedAt: row.extended_at,
  pausedOn: row.paused_on,
  pausedDays: row.paused_days,
  verifiedAt: row.verified_at,
  assignee: row.assignee,
  ground: row.ground,
  duplicateOf: row.duplicate_of,
  closedAt: row.closed_at,
});

/** What is there of a case when it comes in. */
export type NewCase = Omit<
  Case,
  | 'id'
  | 'extendedAt'
  | 'pausedOn'
  | 'pausedDays'
  | 'verifiedAt'
  | 'assignee'
  | 'ground'
  | 'closedAt'
>;

/** Adds a case; undefined if its reference is taken. */
export async function insertCase(trx: Trx, fields: NewCase): Promise<Case | undefined> {
  const row = await trx
    .insertInto('dsar_cases')
    .values({
      reference: fields.reference,
      request_type: fields.requestType,
      status: fields.status,
      first_name: fields.firstName,
      last_name: fields.lastName,
      email: fields.email,
      additional_info: fields.additionalInfo,
      visitor_id: fields.visitorId,
      language: fields.language,
      regime: fields.regime,
      received_at: fields.receivedAt,
      received_on: fields.receivedOn,
      deadline: fields.deadline,
      duplicate_of: fields.duplicateOf,
    })
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && toCase(row);
}

/** The first open case of one address about the same. */
export async function findOpenCase(
  trx: Trx,
  email: string,
  requestType: RequestType,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom('dsar_cases')
    .select('id')
    .where('email', '=', email)
    .where('request_type', '=', requestType)
    .where('closed_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export async function findCase(db: Db | Trx, id: number): Promise<Case | undefined> {
  const row = await db.selectFrom('dsar_cases').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toCase(row);
}

/** A case that nobody else changes until the transaction ends. */
export async function lockCase(trx: Trx, id: number): Promise<Case | undefined> {
  const query = trx.selectFrom('dsar_cases').selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toCase(row);
}

export async function findCaseByReference(db: Db, reference: string): Promise<Case | undefined> {
  const row = await db
    .selectFrom('dsar_cases')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst();
  return row && toCase(row);
}

/** What of a case changes. */
export type CaseChanges = Partial<
  Pick<
    Case,
    | 'status'
    | 'deadline'
    | 'extendedAt'
    | 'pausedOn'
    | 'pausedDays'
    | 'verifiedAt'
    | 'assignee'
    | 'ground'
    | 'closedAt'
  >
>;

export async function updateCase(trx: Trx, id: number, changes: CaseChanges): Promise<Case> {
  const columns: Updateable<CaseTable> = {};
  if (changes.status !== undefined) columns.status = changes.status;
  if (changes.deadline !== undefined) columns.deadline = changes.deadline;
  if (changes.extendedAt !== undefined) columns.extended_at = changes.extendedAt;
  if (changes.pausedOn !== undefined) columns.paused_on = changes.pausedOn;
  if (changes.pausedDays !== undefined) columns.paused_days = changes.pausedDays;
  if (changes.verifiedAt !== undefined) columns.verified_at = changes.verifiedAt;
  if (changes.assignee !== undefined) columns.assignee = changes.assignee;
  if (changes.ground !== undefined) columns.ground = changes.ground;
  if (changes.closedAt !== undefined) columns.closed_at = changes.closedAt;
  const row = await trx
    .updateTable('dsar_cases')
    .set(columns)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toCase(row);
}

/** A page of the cases that fit: the open ones by their deadline, then the closed ones. */
export async function listCases(
  db: Db,
  filter: CaseFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ cases: Case[]; total: number }> {
  const query = filtered(db, filter);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .selectAll()
    .orderBy((eb) => eb.case().when('closed_at', 'is', null).then(0).else(1).end())
    .orderBy('deadline')
    .orderBy('id')
    .offset(offset)
    .limit(limit)
    .execute();
  return { cases: rows.map(toCase), total: Number(total) };
}

function filtered(db: Db, filter: CaseFilter) {
  const { status, requestType, overdue, search, assignee, today } = filter;
  let query = db.selectFrom('dsar_cases');
  if (status !== undefined) query = query.where('status', '=', status);
  if (requestType !== undefined) query = query.where('request_type', '=', requestType);
  if (assignee === null) query = query.where('assignee', 'is', null);
  else if (assignee !== undefined) query = query.where('assignee', '=', assignee);
  if (search) {
    query = query.where(anyContains(['reference', 'first_name', 'last_name', 'email'], search));
  }
  if (overdue === undefined) return query;
  return query.where((eb) => {
    // While the clock stands still, what counts is when it was stopped.
    const isLate = eb.and([
      eb('closed_at', 'is', null),
      eb('deadline', '<', eb.fn.coalesce('paused_on', eb.val(today))),
    ]);
    return overdue ? isLate : eb.not(isLate);
  });
}

/** The open cases whose deadline is at most on a day and whose clock runs. */
export async function listDue(db: Db, day: string): Promise<Case[]> {
  const rows = await db
    .selectFrom('dsar_cases')
    .selectAll()
    .where('closed_at', 'is', null)
    .where('paused_on', 'is', null)
    .where('deadline', '<=', day)
    .orderBy('deadline')
    .orderBy('id')
    .execute();
  return rows.map(toCase);
}

/** The cases that came in before a moment, wait for their address to be confirmed, and were not reminded of it. */
export async function listUnconfirmed(db: Db, before: number): Promise<number[]> {
  const rows = await db
    .selectFrom('dsar_cases')
    .select('id')
    .where('closed_at', 'is', null)
    .where('status', '=', 'received')
    .where('verified_at', 'is', null)
    .where('received_at', '<=', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dsar_events')
            .select('dsar_events.id')
            .whereRef('dsar_events.case_id', '=', 'dsar_cases.id')
            .where('action', '=', UNCONFIRMED_REMINDED),
        ),
      ),
    )
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Receipt, end and kind of every case that came in within days, both inclusive. */
export async function listMeasured(
  db: Db,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) {
  let query = db
    .selectFrom('dsar_cases')
    .select(['request_type', 'status', 'received_at', 'closed_at', 'deadline', 'paused_on']);
  if (from !== undefined) query = query.where('received_on', '>=', from);
  if (to !== undefined) query = query.where('received_on', '<=', to);
  const rows = await query.execute();
  return rows.map((row) => ({
    requestType: row.request_type,
    status: row.status,
    receivedAt: row.received_at,
    closedAt: row.closed_at,
    deadline: row.deadline,
    pausedOn: row.paused_on,
  }));
}

/** Deletes a case with all that belongs to it. */
export async function deleteCase(trx: Trx, id: number): Promise<void> {
  for (const table of [
    'dsar_pages',
    'dsar_tasks',
    'dsar_packages',
    'dsar_tokens',
    'dsar_events',
  ] as const) {
    await trx.deleteFrom(table).where('case_id', '=', id).execute();
  }
  await trx.deleteFrom('dsar_cases').where('id', '=', id).execute();
}
