import type { Datastore } from '../../../../platform/db/index.ts';
import { countChoices } from '../rules.ts';
import { type IncomingConsent, RECORD_COLUMNS, type RecordedConsent, toRow } from '../store.ts';

const COLUMNS = Object.keys(RECORD_COLUMNS).join(', ');
const RECORD_ARRAYS = Object.values(RECORD_COLUMNS).map((type) =>
  type === 'text' ? 'text[]' : 'bigint[]',
);
const AFTER_RECORD = RECORD_ARRAYS.length;
/** Arrays from the parameter after another. */
const arrays = (after: number, types: readonly string[]) =>
  types.map((type, at) => `$${after + at + 1}::${type}`).join(', ');

/**
 * Writes a batch. Each part reads from the one before, so the locks are taken in the same order as by `recordConsents`,
 * and those of the counts, which all batches need, last. Ids rise with the order of the choices.
 */
const STATEMENT = {
  name: 'record-consents',
  text: `with recorded as (
    insert into consent_records (${COLUMNS}, salt)
    select ${COLUMNS}, substring(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) for 16)
    from unnest(${arrays(0, RECORD_ARRAYS)}) as given (${COLUMNS})
    returning id
  ), repeats as (
    insert into consent_repeats (key, at, record_id)
    select key, at, id
    from unnest(${arrays(AFTER_RECORD, ['text[]', 'bigint[]', 'bigint[]'])}) as given (key, at, place)
    join (select id, row_number() over (order by id) as place from recorded) as numbered using (place)
    order by key
    returning 1
  ), daily as (
    insert into consent_daily (day, consent_action, total)
    select * from unnest(${arrays(AFTER_RECORD + 3, ['text[]', 'text[]', 'bigint[]'])})
    where (select count(*) from repeats) >= 0
    on conflict (day, consent_action) do update set total = consent_daily.total + excluded.total
    returning 1
  ), categories as (
    insert into consent_category_daily (day, category, accepted, rejected)
    select * from unnest(${arrays(AFTER_RECORD + 6, ['text[]', 'text[]', 'bigint[]', 'bigint[]'])})
    where (select count(*) from daily) >= 0
    on conflict (day, category) do update set
      accepted = consent_category_daily.accepted + excluded.accepted,
      rejected = consent_category_daily.rejected + excluded.rejected
  ) select id from recorded order by id`,
};

/**
 * Writes consent choices with one statement, if the database can and no choice is a repetition.
 * @returns the records, in the same order; undefined if nothing was written
 */
export async function recordAtOnce(
  datastore: Datastore,
  incoming: readonly IncomingConsent[],
): Promise<RecordedConsent[] | undefined> {
  if (!datastore.runPrepared) return undefined;
  const keyed = incoming.flatMap(({ repeatKey, consent }, at) =>
    repeatKey === undefined ? [] : [[repeatKey, consent.created_at, at + 1] as const],
  );
  if (new Set(keyed.map(([key]) => key)).size < keyed.length) return undefined;
  const consents = incoming.map(({ consent }) => consent);
  const { daily, categories } = countChoices(consents);
  try {
    const rows = await datastore.runPrepared<{ id: number }>(STATEMENT, [
      ...toArrays(consents.map(toRow), AFTER_RECORD),
      ...toArrays(keyed, 3),
      ...toArrays(daily, 3),
      ...toArrays(categories, 4),
    ]);
    return rows.map(({ id }) => ({ id, isRepeat: false }));
  } catch (error) {
    if (isKnownKey(error)) return undefined;
    throw error;
  }
}

const toArrays = (rows: readonly (readonly unknown[])[], width: number): unknown[][] =>
  Array.from({ length: width }, (_, at) => rows.map((row) => row[at]));

/** Whether a key was there already, of whatever age. */
const isKnownKey = (error: unknown): boolean => {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === '23505' && table === 'consent_repeats';
};
