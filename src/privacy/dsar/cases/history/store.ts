import { findUserId } from '../../../../identity/users/index.ts';
import type { Db, Trx } from '../../../../platform/db/index.ts';
import { LINK_MS } from '../../rules.ts';

/** Something that happened to a case. */
export interface CaseEvent {
  id: number;
  at: number;
  actor: string;
  action: string;
  details: Record<string, unknown>;
}

export async function insertEvent(
  trx: Trx,
  caseId: number,
  { at, actor, action, details }: Omit<CaseEvent, 'id'>,
): Promise<CaseEvent> {
  const row = await trx
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
  return { id: row.id, at, actor, action, details };
}

/** Notes of the events of a case when it was closed, from when on their age counts; null: it is open. */
export async function setCaseClosedAt(
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

/** What happened to a case, oldest first. */
export async function listEvents(db: Db, caseId: number): Promise<CaseEvent[]> {
  const rows = await db
    .selectFrom('dsar_events')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, at, actor, action, details }) => ({
    id,
    at,
    actor,
    action,
    details: JSON.parse(details),
  }));
}

/** The last event of a case that is one of some actions. */
export async function findLastEvent(
  trx: Trx,
  caseId: number,
  actions: readonly string[],
): Promise<CaseEvent | undefined> {
  const row = await trx
    .selectFrom('dsar_events')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('action', 'in', actions)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!row) return undefined;
  const { id, at, actor, action, details } = row;
  return { id, at, actor, action, details: JSON.parse(details) };
}

interface NewToken {
  caseId: number;
  purpose: 'verify' | 'download' | 'withdraw';
  hash: string;
  expiresAt: number;
}

export async function insertToken(
  trx: Trx,
  { caseId, purpose, hash, expiresAt }: NewToken,
): Promise<void> {
  await trx
    .insertInto('dsar_tokens')
    .values({ case_id: caseId, purpose, token_hash: hash, expires_at: expiresAt, used_at: null })
    .execute();
}

/** What is stored of a token. */
export interface StoredToken {
  caseId: number;
  expiresAt: number;
  usedAt: number | null;
  revokedAt: number | null;
}

export async function findToken(
  db: Db | Trx,
  { purpose, hash }: Pick<NewToken, 'purpose' | 'hash'>,
): Promise<StoredToken | undefined> {
  const row = await db
    .selectFrom('dsar_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  if (!row) return undefined;
  const { case_id, expires_at, used_at, revoked_at } = row;
  return { caseId: case_id, expiresAt: expires_at, usedAt: used_at, revokedAt: revoked_at };
}

/** Whether a case was given a token since a moment that still works. */
export async function hasRecentToken(
  trx: Trx,
  { caseId, purpose, since }: Pick<NewToken, 'caseId' | 'purpose'> & { since: number },
): Promise<boolean> {
  const row = await trx
    .selectFrom('dsar_tokens')
    .select('id')
    .where('case_id', '=', caseId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', since + LINK_MS)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Voids the unused tokens of a case. */
export async function revokeTokens(
  trx: Trx,
  caseId: number,
  purpose: NewToken['purpose'],
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

/** Whether a token could be used now. */
export async function hasToken(
  db: Db,
  { purpose, hash }: Pick<NewToken, 'purpose' | 'hash'>,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('dsar_tokens')
    .select('case_id')
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** Uses a token up; gives its case, or undefined if it is none, was used or revoked, or is too old. */
export async function useToken(
  trx: Trx,
  { purpose, hash }: Pick<NewToken, 'purpose' | 'hash'>,
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
