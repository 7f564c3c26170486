import type { Insertable, Selectable, Updateable } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../../../../platform/clock.ts';
import type { Db, Trx } from '../../../../platform/db/index.ts';
import { HOUR_MS } from '../../../../platform/durations.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../../platform/key-case.ts';
import type { AcknowledgementTable } from '../../tables.ts';
import type { Earlier } from './rules.ts';

type Acknowledgement = CamelCased<Selectable<AcknowledgementTable>>;
/** An acknowledgement that is due to be sent with others. */
export type WaitingAcknowledgement = Pick<Acknowledgement, 'id' | 'caseId' | 'kind' | 'source'>;

export async function insertAcknowledgement(
  trx: Trx,
  row: CamelCased<Insertable<AcknowledgementTable>>,
): Promise<void> {
  await trx.insertInto('dsar_acknowledgements').values(toSnakeCase(row)).execute();
}

const selectWithCases = (db: Db) =>
  db
    .selectFrom('dsar_acknowledgements')
    .innerJoin('dsar_cases', 'dsar_cases.id', 'dsar_acknowledgements.case_id');

/** The acknowledgements to an address that are waiting or were sent since a moment. */
export async function listEarlier(trx: Trx, email: string, since: number): Promise<Earlier[]> {
  const rows = await selectWithCases(trx)
    .select(['source', 'requested_at', 'due_at', 'mailed_at'])
    .where('dsar_cases.email', '=', email)
    .where((eb) => eb.or([eb('mailed_at', 'is', null), eb('mailed_at', '>', since)]))
    .execute();
  return rows.map(toCamelCase);
}

/** The addresses to which acknowledgements are due, or so late only because the clock was set back. */
export async function listDueAddresses(db: Db, now: number): Promise<string[]> {
  const rows = await selectWithCases(db)
    .select('dsar_cases.email')
    .distinct()
    .where('mailed_at', 'is', null)
    .where((eb) =>
      eb.or([eb('due_at', '<=', now), eb('due_at', '>', now + HOUR_MS + CLOCKS_DIFFER_MS)]),
    )
    .where('dsar_cases.email', 'is not', null)
    .execute();
  return rows.flatMap(({ email }) => email ?? []);
}

/** All waiting acknowledgements to an address, oldest first. */
export async function listWaiting(trx: Trx, email: string): Promise<WaitingAcknowledgement[]> {
  const rows = await selectWithCases(trx)
    .select(['dsar_acknowledgements.id', 'case_id', 'kind', 'source'])
    .where('dsar_cases.email', '=', email)
    .where('mailed_at', 'is', null)
    .orderBy('dsar_acknowledgements.id')
    .execute();
  return rows.map(toCamelCase);
}

export async function updateAcknowledgements(
  trx: Trx,
  acknowledgements: readonly { id: number }[],
  changes: CamelCased<Updateable<AcknowledgementTable>>,
): Promise<void> {
  if (acknowledgements.length === 0) return;
  const ids = acknowledgements.map(({ id }) => id);
  await trx
    .updateTable('dsar_acknowledgements')
    .set(toSnakeCase(changes))
    .where('id', 'in', ids)
    .execute();
}

/** Deletes acknowledgements sent before a moment, and those of anonymised requests. */
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
