import type { Selectable, Updateable } from 'kysely';
import { type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import { setCaseClosedAt } from './cases/history/store.ts';
import type { CaseStatus, Channel, Regime, RequestType } from './rules.ts';
import type { CaseTable } from './tables.ts';

/** A request of a data subject; moments in epoch milliseconds, days as `YYYY-MM-DD` in the site's zone. */
export interface Case {
  id: number;
  reference: string;
  requestType: RequestType;
  status: CaseStatus;
  firstName: string | null;
  lastName: string | null;
  /** Null once it is anonymised, and for a request entered by hand without one. */
  email: string | null;
  additionalInfo: string | null;
  /** Shown to be the requestor's. */
  visitorId: string | null;
  /** Only stated by the requestor; not used unless an administrator accepts it. */
  visitorClaim: string | null;
  language: string;
  channel: Channel;
  postalAddress: string | null;
  phone: string | null;
  representative: string | null;
  identityProof: string | null;
  regime: Regime;
  /** When it was stored: of a request entered by hand, later than `receivedOn`. */
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
  /** When a completed erasure was brought to its end: from then on the request itself names nobody. */
  erasedAt: number | null;
  emailHash: string | null;
  anonymisedAt: number | null;
}

export const toCase = (row: Selectable<CaseTable>): Case => ({
  id: row.id,
  reference: row.reference,
  requestType: row.request_type,
  status: row.status,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  additionalInfo: row.additional_info,
  visitorId: row.visitor_id,
  visitorClaim: row.visitor_claim,
  language: row.language,
  channel: row.channel,
  postalAddress: row.postal_address,
  phone: row.phone,
  representative: row.representative,
  identityProof: row.identity_proof,
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
  erasedAt: row.erased_at,
  emailHash: row.email_hash,
  anonymisedAt: row.anonymised_at,
});

/** What a request entered by hand says beyond one that came by the form. */
type EnteredFields = Pick<
  Case,
  'channel' | 'postalAddress' | 'phone' | 'representative' | 'identityProof' | 'verifiedAt'
>;

/** What is there of a case when it comes in. */
export type NewCase = Partial<EnteredFields> &
  Omit<
    Case,
    | keyof EnteredFields
    | 'id'
    | 'extendedAt'
    | 'pausedOn'
    | 'pausedDays'
    | 'assignee'
    | 'ground'
    | 'closedAt'
    | 'erasedAt'
    | 'emailHash'
    | 'anonymisedAt'
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
      visitor_claim: fields.visitorClaim,
      language: fields.language,
      channel: fields.channel ?? 'web',
      postal_address: fields.postalAddress ?? null,
      phone: fields.phone ?? null,
      representative: fields.representative ?? null,
      identity_proof: fields.identityProof ?? null,
      verified_at: fields.verifiedAt ?? null,
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
    | 'visitorId'
    | 'visitorClaim'
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
  if (changes.visitorId !== undefined) columns.visitor_id = changes.visitorId;
  if (changes.visitorClaim !== undefined) columns.visitor_claim = changes.visitorClaim;
  if (changes.closedAt !== undefined) {
    columns.closed_at = changes.closedAt;
    await setCaseClosedAt(trx, id, changes.closedAt);
  }
  const row = await trx
    .updateTable('dsar_cases')
    .set(columns)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toCase(row);
}

/** Deletes a case with all that belongs to it. */
export async function deleteCase(trx: Trx, id: number): Promise<void> {
  for (const table of [
    'dsar_pages',
    'dsar_tasks',
    'dsar_packages',
    'dsar_tokens',
    'dsar_acknowledgements',
    'dsar_events',
  ] as const) {
    await trx.deleteFrom(table).where('case_id', '=', id).execute();
  }
  await trx.deleteFrom('dsar_cases').where('id', '=', id).execute();
}
