import { type Insertable, type Selectable, sql } from 'kysely';
import { findUserId } from '../../../../identity/users/index.ts';
import type { Condition, Db, Trx } from '../../../../platform/db/index.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../../platform/key-case.ts';
import { LINK_MS } from '../../rules.ts';
import type { CaseEventTable, CaseTokenTable, TokenPurpose } from '../../tables.ts';

export interface CaseEvent {
  id: number;
  /** Epoch milliseconds. */
  at: number;
  /** A login, `requestor` or `system`. */
  actor: string;
  action: string;
  details: Record<string, unknown>;
}

/** The entries of open requests that approvals and the tasks of sources add. */
export const IS_WORK_ON_SOURCES: Condition = sql`dsar_events.case_closed_at is null
  and (dsar_events.action = 'erasure_decided' or dsar_events.action like 'task%')`;

export async function insertEvent(
  trx: Trx,
  caseId: number,
  { at, actor, action, details = {} }: Omit<CaseEvent, 'id' | 'details'> & Partial<CaseEvent>,
): Promise<CaseEvent> {
  const { id } = await trx
    .insertInto('dsar_events')
    .values((eb) => ({
      case_id: caseId,
      at,
      actor,
      actor_id: findUserId(actor),
      action,
      details: JSON.stringify(details),
      case_closed_at: eb.selectFrom('dsar_cases').select('closed_at').where('id', '=', caseId),
    }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, at, actor, action, details };
}

/** The age of events counts from the closing of their case; null while it is open. */
export async function setEventsClosedAt(
  trx: Trx,
  caseId: number,
  closedAt: number | null,
): Promise<void> {
  await trx
    .updateTable('dsar_events')
    .set({ case_closed_at: closedAt })
    .where('case_id', '=', caseId)
    .execute();
}

const toEvent = ({ id, at, actor, action, details }: Selectable<CaseEventTable>): CaseEvent => ({
  ...{ id, at, actor, action },
  details: JSON.parse(details),
});

const selectEvents = (db: Db, caseId: number) =>
  db.selectFrom('dsar_events').selectAll().where('case_id', '=', caseId);

/** The activity of a case, oldest first. */
export async function listEvents(db: Db, caseId: number): Promise<CaseEvent[]> {
  return (await selectEvents(db, caseId).orderBy('id').execute()).map(toEvent);
}

export async function findLastEvent(
  db: Db | Trx,
  caseId: number,
  actions: readonly string[],
): Promise<CaseEvent | undefined> {
  const row = await selectEvents(db, caseId)
    .where('action', 'in', actions)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toEvent(row);
}

type Token = CamelCased<Selectable<CaseTokenTable>>;
export interface TokenKey {
  purpose: TokenPurpose;
  hash: string;
}

export async function insertToken(
  trx: Trx,
  token: CamelCased<Insertable<CaseTokenTable>>,
): Promise<void> {
  await trx.insertInto('dsar_tokens').values(toSnakeCase(token)).execute();
}

export async function findToken(
  db: Db | Trx,
  { purpose, hash }: TokenKey,
): Promise<Token | undefined> {
  const row = await db
    .selectFrom('dsar_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return row && toCamelCase(row);
}

export const isUsable = (token: Token | undefined, now: number): token is Token =>
  token?.usedAt === null && token.revokedAt === null && token.expiresAt > now;

const selectToken = (trx: Trx, caseId: number, purpose: TokenPurpose) =>
  trx
    .selectFrom('dsar_tokens')
    .select('id')
    .where('case_id', '=', caseId)
    .where('purpose', '=', purpose)
    .limit(1);

/** Whether a token was created for a case since a moment and still works. */
export async function hasRecentToken(
  trx: Trx,
  { caseId, purpose, since }: { caseId: number; purpose: TokenPurpose; since: number },
): Promise<boolean> {
  const row = await selectToken(trx, caseId, purpose)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', since + LINK_MS)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a token was ever created for a case, also one that works no longer. */
export async function hasToken(trx: Trx, caseId: number, purpose: TokenPurpose): Promise<boolean> {
  return (await selectToken(trx, caseId, purpose).executeTakeFirst()) !== undefined;
}

export async function revokeTokens(
  trx: Trx,
  caseId: number,
  purpose: TokenPurpose,
  now: number,
): Promise<void> {
  await trx
    .updateTable('dsar_tokens')
    .set({ revoked_at: now })
    .where('case_id', '=', caseId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();
}

/**
 * Uses a token, which works once.
 * @returns the id of its case; undefined for a token that is unknown, used, revoked or expired
 */
export async function useToken(
  trx: Trx,
  { purpose, hash }: TokenKey,
  now: number,
): Promise<number | undefined> {
  const row = await trx
    .updateTable('dsar_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('case_id')
    .executeTakeFirst();
  return row?.case_id;
}
