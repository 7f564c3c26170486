import type { Insertable, Selectable } from 'kysely';
import { CLOCKS_DIFFER_MS } from '../../../../platform/clock.ts';
import type { Db, Trx } from '../../../../platform/db/index.ts';
import { HOUR_MS } from '../../../../platform/durations.ts';
import { type CamelCased, toCamelCase, toSnakeCase } from '../../../../platform/key-case.ts';
import type { AcknowledgementTable } from '../../tables.ts';
import { COUNTED_MS, type Earlier, RECENT_MS } from './rules.ts';

type Acknowledgement = CamelCased<Selectable<AcknowledgementTable>>;
/** An acknowledgement that is due to be sent with others. */
export type WaitingAcknowledgement = Pick<Acknowledgement, 'id' | 'caseId' | 'kind'>;

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

/** Counted by the database, because an address can have very many. */
export async function summariseEarlier(
  trx: Trx,
  { email, source, now }: { email: string; source: string; now: number },
): Promise<Earlier> {
  const row = await selectWithCases(trx)
    .select(({ fn, eb, and, or }) => {
      const isWaiting = eb('mailed_at', 'is', null);
      const isAtOnce = and([
        eb('mailed_at', '=', eb.ref('requested_at')),
        eb('requested_at', '>', now - COUNTED_MS),
      ]);
      const isRecent = or([isWaiting, eb('mailed_at', '>', now - RECENT_MS)]);
      return [
        fn.min(eb.case().when(isWaiting).then(eb.ref('due_at')).end()).as('firstDue'),
        fn.max('mailed_at').as('lastMailed'),
        fn.count('dsar_acknowledgements.id').filterWhere(isAtOnce).as('sentAtOnce'),
        fn
          .count('dsar_acknowledgements.id')
          .filterWhere(and([eb('source', '=', source), isRecent]))
          .as('fromSource'),
      ];
    })
    .where('dsar_cases.email', '=', email)
    .where((eb) => eb.or([eb('mailed_at', 'is', null), eb('mailed_at', '>', now - COUNTED_MS)]))
    .executeTakeFirstOrThrow();
  const toMoment = (value: unknown) => (value === null ? null : Number(value));
  return {
    firstDue: toMoment(row.firstDue),
    lastMailed: toMoment(row.lastMailed),
    sentAtOnce: Number(row.sentAtOnce),
    hasSource: Number(row.fromSource) > 0,
  };
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

/**
 * The first waiting acknowledgements to an address, taken from each source in turn, so that a flood from one leaves
 * room for others.
 */
export async function listWaiting(
  trx: Trx,
  email: string,
  limit: number,
): Promise<WaitingAcknowledgement[]> {
  const rows = await selectWithCases(trx)
    .select(['dsar_acknowledgements.id', 'case_id', 'kind'])
    .where('dsar_cases.email', '=', email)
    .where('mailed_at', 'is', null)
    .orderBy(({ fn }) =>
      fn
        .agg('row_number')
        .over((over) => over.partitionBy('source').orderBy('dsar_acknowledgements.id')),
    )
    .orderBy('dsar_acknowledgements.id')
    .limit(limit)
    .execute();
  return rows.map(toCamelCase);
}

export async function markMailed(
  trx: Trx,
  acknowledgements: readonly { id: number }[],
  mailedAt: number,
): Promise<void> {
  const ids = acknowledgements.map(({ id }) => id);
  await trx
    .updateTable('dsar_acknowledgements')
    .set({ mailed_at: mailedAt })
    .where('id', 'in', ids)
    .execute();
}

/** Changes when the waiting acknowledgements to an address are due. */
export async function postponeWaiting(trx: Trx, email: string, dueAt: number): Promise<void> {
  await trx
    .updateTable('dsar_acknowledgements')
    .set({ due_at: dueAt })
    .where('mailed_at', 'is', null)
    .where('case_id', 'in', (cases) =>
      cases.selectFrom('dsar_cases').select('id').where('email', '=', email),
    )
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
