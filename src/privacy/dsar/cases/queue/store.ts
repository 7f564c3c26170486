import { anyContains, countRows, type Db, type Trx } from '../../../../platform/db/index.ts';
import { toCamelCase } from '../../../../platform/key-case.ts';
import type { CaseStatus, RequestType } from '../../rules.ts';
import type { Case } from '../../store.ts';

export const CASE_ORDERS = ['deadline', 'received_on', 'request_type', 'status'] as const;

export interface CaseOrder {
  orderby: (typeof CASE_ORDERS)[number];
  order: 'asc' | 'desc';
}

const BY_DEADLINE: CaseOrder = { orderby: 'deadline', order: 'asc' };

export interface CaseFilter {
  status?: CaseStatus | undefined;
  requestType?: RequestType | undefined;
  /** Whether the case is open and past its deadline on `today`. */
  overdue?: boolean | undefined;
  /** Part of the reference, a name or the address. */
  search?: string | undefined;
  /** Null: unassigned cases. */
  assignee?: string | null | undefined;
  today: string;
}

export const UNCONFIRMED_REMINDED = 'confirmation_reminded';

/** Sorted by deadline, open cases come before closed ones. */
export async function listCases(
  db: Db,
  filter: CaseFilter,
  { offset, limit }: { offset: number; limit: number },
  { orderby, order }: CaseOrder = BY_DEADLINE,
): Promise<{ cases: Case[]; total: number }> {
  const query = filtered(db, filter);
  const total = await countRows(query);
  const rows = await query
    .selectAll()
    .$if(orderby === 'deadline', (cases) =>
      cases.orderBy((eb) => eb.case().when('closed_at', 'is', null).then(0).else(1).end()),
    )
    .orderBy(orderby, order)
    .orderBy('id', order)
    .offset(offset)
    .limit(limit)
    .execute();
  return { cases: rows.map(toCamelCase), total };
}

function filtered(db: Db, filter: CaseFilter) {
  const { status, requestType, overdue, search, assignee, today } = filter;
  let query = db.selectFrom('dsar_cases');
  if (status !== undefined) query = query.where('status', '=', status);
  if (requestType !== undefined) query = query.where('request_type', '=', requestType);
  if (assignee === null) query = query.where('assignee', 'is', null);
  else if (assignee !== undefined) query = query.where('assignee', '=', assignee);
  if (search) {
    query = query.where(anyContains(db, ['reference', 'first_name', 'last_name', 'email'], search));
  }
  if (overdue === undefined) return query;
  return query.where((eb) => {
    // A paused deadline is compared with the day on which it was paused.
    const isLate = eb.and([
      eb('closed_at', 'is', null),
      eb('deadline', '<', eb.fn.coalesce('paused_on', eb.val(today))),
    ]);
    return overdue ? isLate : eb.not(isLate);
  });
}

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
  return rows.map(toCamelCase);
}

/** Ids in one statement. A flood has more than it can bind. */
const IDS_AT_ONCE = 1_000;

/** Records that administrators were reminded of the deadlines of these cases. */
export async function markReminded(trx: Trx, cases: readonly Case[], at: number): Promise<void> {
  for (let from = 0; from < cases.length; from += IDS_AT_ONCE) {
    const ids = cases.slice(from, from + IDS_AT_ONCE).map(({ id }) => id);
    await trx.updateTable('dsar_cases').set({ reminded_at: at }).where('id', 'in', ids).execute();
  }
}

/** The open cases received before a moment that are not confirmed. */
const selectUnconfirmed = (db: Db | Trx, before: number) =>
  db
    .selectFrom('dsar_cases')
    .where('closed_at', 'is', null)
    .where('status', '=', 'received')
    .where('verified_at', 'is', null)
    .where('received_at', '<=', before)
    .orderBy('id');

/** The ids of unconfirmed cases whose requester was not reminded. */
export async function listUnconfirmed(db: Db, before: number): Promise<number[]> {
  const rows = await selectUnconfirmed(db, before)
    .select('id')
    .where('email', 'is not', null)
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
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * The unconfirmed cases from the form that no administrator has worked on. A request to opt out under the CCPA is handled
 * without a confirmation (11 CCR §7026).
 */
const selectUnattended = (db: Db | Trx, before: number) =>
  selectUnconfirmed(db, before)
    .where('channel', '=', 'web')
    .where((eb) => eb.not(eb.and({ request_type: 'objection', regime: 'ccpa' })))
    .where('assignee', 'is', null)
    .where('extended_at', 'is', null)
    .where(({ not, exists, or, selectFrom }) =>
      not(
        or([
          exists(
            selectFrom('dsar_tasks')
              .select('dsar_tasks.id')
              .whereRef('dsar_tasks.case_id', '=', 'dsar_cases.id'),
          ),
          exists(
            selectFrom('dsar_events')
              .select('dsar_events.id')
              .whereRef('dsar_events.case_id', '=', 'dsar_cases.id')
              .where('action', 'in', ['note', 'entered']),
          ),
        ]),
      ),
    );

/** Whether a case will expire if nobody confirms it or works on it. */
export async function willExpire(
  trx: Trx,
  { id, receivedAt }: Pick<Case, 'id' | 'receivedAt'>,
): Promise<boolean> {
  const query = selectUnattended(trx, receivedAt).where('id', '=', id).select('id');
  return (await query.executeTakeFirst()) !== undefined;
}

/**
 * The unconfirmed cases from the form that no administrator has worked on and no emailed link can confirm.
 * @param id only this case
 */
export function listExpired(
  db: Db | Trx,
  { before, now, id }: { before: number; now: number; id?: number },
): Promise<{ id: number; email: string | null }[]> {
  return selectUnattended(db, before)
    .select(['id', 'email'])
    .$if(id !== undefined, (cases) => cases.where('id', '=', id as number))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('dsar_tokens')
            .select('dsar_tokens.id')
            .whereRef('dsar_tokens.case_id', '=', 'dsar_cases.id')
            .where('purpose', '=', 'verify')
            .where('used_at', 'is', null)
            .where('expires_at', '>', now),
        ),
      ),
    )
    .execute();
}

/** What the metrics need of the cases received in a period, both days inclusive. */
export async function listMeasured(
  db: Db,
  { from, to }: { from?: string | undefined; to?: string | undefined },
) {
  let query = db
    .selectFrom('dsar_cases')
    .select(['request_type', 'status', 'received_at', 'received_on', 'closed_at'])
    .select(['deadline', 'paused_on']);
  if (from !== undefined) query = query.where('received_on', '>=', from);
  if (to !== undefined) query = query.where('received_on', '<=', to);
  return (await query.execute()).map(toCamelCase);
}
