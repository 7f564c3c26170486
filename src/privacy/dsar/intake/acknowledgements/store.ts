import type { Db, Trx } from '../../../../platform/db/index.ts';
import type { AcknowledgementKind } from '../../tables.ts';
import type { Earlier } from './rules.ts';

/** An acknowledgement that waits to be mailed with others. */
export interface WaitingAcknowledgement {
  id: number;
  caseId: number;
  kind: AcknowledgementKind;
  source: string;
}

export async function insertAcknowledgement(
  trx: Trx,
  row: { caseId: number; kind: AcknowledgementKind } & Earlier,
): Promise<void> {
  await trx
    .insertInto('dsar_acknowledgements')
    .values({
      case_id: row.caseId,
      kind: row.kind,
      source: row.source,
      requested_at: row.requestedAt,
      due_at: row.dueAt,
      mailed_at: row.mailedAt,
    })
    .execute();
}

/** The acknowledgements to an address that wait or were mailed since a moment. */
export async function listEarlier(trx: Trx, email: string, since: number): Promise<Earlier[]> {
  const rows = await trx
    .selectFrom('dsar_acknowledgements')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_acknowledgements.case_id')
    .select(['source', 'requested_at', 'due_at', 'mailed_at'])
    .where('dsar_cases.email', '=', email)
    .where((eb) => eb.or([eb('mailed_at', 'is', null), eb('mailed_at', '>', since)]))
    .execute();
  return rows.map(({ source, requested_at, due_at, mailed_at }) => ({
    source,
    requestedAt: requested_at,
    dueAt: due_at,
    mailedAt: mailed_at,
  }));
}

/** The addresses to which acknowledgements are due. */
export async function listDueAddresses(db: Db, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('dsar_acknowledgements')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_acknowledgements.case_id')
    .select('dsar_cases.email')
    .distinct()
    .where('mailed_at', 'is', null)
    .where('due_at', '<=', now)
    .where('dsar_cases.email', 'is not', null)
    .execute();
  return rows.flatMap(({ email }) => email ?? []);
}

/** All acknowledgements to an address that wait, oldest first. */
export async function listWaiting(trx: Trx, email: string): Promise<WaitingAcknowledgement[]> {
  const rows = await trx
    .selectFrom('dsar_acknowledgements')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_acknowledgements.case_id')
    .select(['dsar_acknowledgements.id', 'case_id', 'kind', 'source'])
    .where('dsar_cases.email', '=', email)
    .where('mailed_at', 'is', null)
    .orderBy('dsar_acknowledgements.id')
    .execute();
  return rows.map(({ id, case_id, kind, source }) => ({ id, caseId: case_id, kind, source }));
}

export async function markMailed(trx: Trx, ids: readonly number[], at: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('dsar_acknowledgements')
    .set({ mailed_at: at })
    .where('id', 'in', ids)
    .execute();
}

/** Puts off those that found no room in an email. */
export async function putOff(trx: Trx, ids: readonly number[], dueAt: number): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('dsar_acknowledgements')
    .set({ due_at: dueAt })
    .where('id', 'in', ids)
    .execute();
}

/** Deletes those that no longer count, and those of anonymised requests. */
export async function deletePast(trx: Trx, before: number): Promise<void> {
  await trx
    .deleteFrom('dsar_acknowledgements')
    .where((eb) =>
      eb.or([
        eb('mailed_at', '<=', before),
        eb('case_id', 'in', (cases) =>
          cases.selectFrom('dsar_cases').select('id').where('email', 'is', null),
        ),
      ]),
    )
    .execute();
}
