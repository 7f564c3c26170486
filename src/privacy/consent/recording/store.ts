import { type Selectable, sql } from 'kysely';
import { createInsert, listRows, randomSalt, type Trx } from '../../../platform/db/index.ts';
import type { ConsentAction } from '../rules.ts';
import type { ChoiceOwner } from '../shared-choices/rules.ts';
import type { ConsentRecordTable } from '../tables.ts';
import { countChoices } from './rules.ts';

type Lists = 'categories_accepted' | 'categories_rejected';
type VendorLists = 'vendors_accepted' | 'vendors_rejected';
/** Columns that the database or anonymising fills. */
type Filled = 'id' | 'anonymised_at' | 'salt' | 'personal_hash';

/** A consent choice to write; moments in epoch milliseconds. */
export interface NewConsent
  extends Omit<Selectable<ConsentRecordTable>, Filled | 'consent_action' | Lists | VendorLists>,
    Record<Lists, string[]>,
    Record<VendorLists, string[] | null> {
  consent_action: ConsentAction;
}

/** Within this time the same body with the same Idempotency-Key is one record. */
const REPEATED_WITHIN_MS = 10_000;

export const RECORD_COLUMNS = {
  visitor_id: 'text',
  categories_accepted: 'text',
  categories_rejected: 'text',
  vendors_accepted: 'text',
  vendors_rejected: 'text',
  consent_action: 'text',
  day: 'text',
  created_at: 'integer',
  config_version: 'integer',
  expires_at: 'integer',
  source: 'text',
  language: 'text',
  page_url: 'text',
  gpc: 'integer',
} as const;
const NAMES = Object.keys(RECORD_COLUMNS) as (keyof typeof RECORD_COLUMNS)[];
const insertRecords = createInsert('consent_records', RECORD_COLUMNS, { salt: randomSalt });

/** A consent choice that was received. */
export interface IncomingConsent {
  consent: NewConsent;
  /** Identifies repetitions, if the client sent an Idempotency-Key. */
  repeatKey: string | undefined;
  /** Whether to look for the visitor's first record. */
  needsFirst?: boolean;
  /** The signed-in person whose choice it is, if that is known. */
  owner?: ChoiceOwner | undefined;
}

export interface RecordedConsent {
  id: number;
  /** Whether it was recorded before, under this id. */
  isRepeat: boolean;
  /** The id of the visitor's first record, apart from those that are anonymised, if that was asked for. */
  firstId?: number | undefined;
}

/**
 * Writes consent choices, repeated ones once.
 * @returns the records, in the same order
 */
export async function recordConsents(
  trx: Trx,
  incoming: readonly IncomingConsent[],
): Promise<RecordedConsent[]> {
  const keys = [...new Set(incoming.flatMap(({ repeatKey }) => repeatKey ?? []))].sort();
  if (keys.length === 0) {
    const ids = await insertConsents(
      trx,
      incoming.map(({ consent }) => consent),
    );
    return ids.map((id) => ({ id, isRepeat: false }));
  }
  const now = Math.max(...incoming.map(({ consent }) => consent.created_at));
  const idsByKey = await knownRepeats(trx, keys, now);
  const fresh = new Map<string | symbol, NewConsent>();
  // A choice without a key is never a repetition.
  const named = incoming.map(({ repeatKey = Symbol('once'), consent }) => ({ repeatKey, consent }));
  for (const { repeatKey, consent } of named) {
    if (!idsByKey.has(repeatKey) && !fresh.has(repeatKey)) fresh.set(repeatKey, consent);
  }
  const ids = await insertConsents(trx, [...fresh.values()]);
  for (const [at, key] of [...fresh.keys()].entries()) idsByKey.set(key, ids[at] as number);
  const made = [...fresh.keys()].filter((key) => typeof key === 'string').sort();
  if (made.length > 0) {
    const rows = made.map((key) => [key, now, idsByKey.get(key) as number] as const);
    await sql`insert into consent_repeats (key, at, record_id)
      ${listRows(trx, ['text', 'integer', 'integer'], rows)}
      on conflict (key) do update set record_id = excluded.record_id`.execute(trx);
  }
  return named.map(({ repeatKey, consent }) => ({
    id: idsByKey.get(repeatKey) as number,
    isRepeat: fresh.get(repeatKey) !== consent,
  }));
}

/** Reserves the keys, waiting for transactions that hold them, and gives the records of known keys. */
async function knownRepeats(
  trx: Trx,
  keys: readonly string[],
  now: number,
): Promise<Map<string | symbol, number>> {
  await trx
    .deleteFrom('consent_repeats')
    .where('key', 'in', keys)
    .where('at', '<', now - REPEATED_WITHIN_MS)
    .execute();
  const rows = keys.map((key) => [key, now] as const);
  await sql`insert into consent_repeats (key, at) ${listRows(trx, ['text', 'integer'], rows)}
    on conflict (key) do nothing`.execute(trx);
  const known = await trx
    .selectFrom('consent_repeats')
    .select(['key', 'record_id'])
    .where('key', 'in', keys)
    .where('record_id', 'is not', null)
    .execute();
  return new Map(known.map(({ key, record_id }) => [key, record_id as number]));
}

/** Deletes the keys that no longer count. */
export async function deleteOldRepeats(trx: Trx, now: number): Promise<void> {
  await trx
    .deleteFrom('consent_repeats')
    .where('at', '<', now - REPEATED_WITHIN_MS)
    .execute();
}

/** Writes consent choices and updates the counts; gives their ids in the same order. */
export async function insertConsents(trx: Trx, consents: readonly NewConsent[]): Promise<number[]> {
  if (consents.length === 0) return [];
  const ids = await insertRecords(trx, consents.map(toRow));
  const { daily, categories } = countChoices(consents);
  await sql`insert into consent_daily (day, consent_action, total)
    ${listRows(trx, ['text', 'text', 'integer'], daily)}
    on conflict (day, consent_action) do update set total = consent_daily.total + excluded.total`.execute(
    trx,
  );
  await sql`insert into consent_category_daily (day, category, accepted, rejected)
    ${listRows(trx, ['text', 'text', 'integer', 'integer'], categories)}
    on conflict (day, category) do update set
      accepted = consent_category_daily.accepted + excluded.accepted,
      rejected = consent_category_daily.rejected + excluded.rejected`.execute(trx);
  return ids;
}

/** The values of a record, in the order of `RECORD_COLUMNS`. */
export const toRow = (consent: NewConsent): (string | number | null)[] =>
  NAMES.map((name) => {
    const value = consent[name];
    return Array.isArray(value) ? JSON.stringify(value) : value;
  });
