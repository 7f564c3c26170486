import { type Selectable, sql } from 'kysely';
import { type Db, listRows, type Trx } from '../../../platform/db/index.ts';
import type { NewConsent } from '../recording/store.ts';
import { type ChoiceOwner, isEarlierChoice } from './rules.ts';
import type {} from './tables.ts';

/** A recorded choice of a person. */
export interface OwnedChoice {
  owner: ChoiceOwner;
  recordId: number;
  consent: NewConsent;
}

const COLUMNS = {
  subject: 'text',
  visitor_id: 'text',
  record_id: 'integer',
  consent_action: 'text',
  categories_accepted: 'text',
  categories_rejected: 'text',
  vendors_accepted: 'text',
  vendors_rejected: 'text',
  config_version: 'integer',
  language: 'text',
  asked_first: 'integer',
  created_at: 'integer',
  expires_at: 'integer',
} as const;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/** Of choices in the order of their ids, because the clock can be set back. One that is sent again keeps its time. */
const isLater = ({ consent, owner }: OwnedChoice, known: OwnedChoice): boolean =>
  !isEarlierChoice(consent.source) || owner.choseAt >= known.owner.choseAt;

/** Keeps the latest choice of each person. */
export async function storeSharedChoices(trx: Trx, choices: readonly OwnedChoice[]): Promise<void> {
  const latest = new Map<string, OwnedChoice>();
  for (const choice of choices.toSorted((one, other) => one.recordId - other.recordId)) {
    const known = latest.get(choice.owner.subject);
    if (!known || isLater(choice, known)) latest.set(choice.owner.subject, choice);
  }
  const sentAgain = [...latest.values()].filter(({ consent }) => isEarlierChoice(consent.source));
  // The same order on every node, so that two batches cannot deadlock.
  const rows = [...latest.values()]
    .sort((one, other) => (one.owner.subject < other.owner.subject ? -1 : 1))
    .map(({ owner, recordId, consent }) => {
      const { subject, askedFirst, choseAt } = owner;
      const row = {
        ...consent,
        subject,
        record_id: recordId,
        asked_first: askedFirst ? 1 : 0,
        created_at: choseAt,
      };
      return NAMES.map((name) => row[name]);
    });
  const updates = NAMES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`);
  const keepsOrder = sentAgain[0]
    ? sql`(excluded.created_at >= consent_subjects.created_at
        or excluded.subject not in (${sql.join(sentAgain.map(({ owner }) => owner.subject))}))`
    : sql`true`;
  await sql`insert into consent_subjects (${sql.join(NAMES.map((name) => sql.ref(name)))})
    ${listRows(trx, Object.values(COLUMNS), rows)}
    on conflict (subject) do update set ${sql.join(updates)}
    where excluded.record_id > consent_subjects.record_id and ${keepsOrder}`.execute(trx);
}

export type SharedChoiceRow = Selectable<
  import('../../../platform/db/database.ts').Database['consent_subjects']
>;

/** The latest choice of a person, if it has not expired at `now`. */
export const findSharedChoice = (
  db: Db,
  subject: string,
  now: number,
): Promise<SharedChoiceRow | undefined> =>
  db
    .selectFrom('consent_subjects')
    .selectAll()
    .where('subject', '=', subject)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/**
 * Binds a token to the first visitor who uses it.
 * @returns the hash of that visitor's id
 */
export async function bindToken(
  trx: Trx,
  token: { token_hash: string; visitor_hash: string; expires_at: number },
): Promise<string> {
  await trx
    .insertInto('consent_subject_tokens')
    .values(token)
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
  const { visitor_hash } = await trx
    .selectFrom('consent_subject_tokens')
    .select('visitor_hash')
    .where('token_hash', '=', token.token_hash)
    .executeTakeFirstOrThrow();
  return visitor_hash;
}

/** Deletes the choices and tokens that have expired. */
export async function deleteExpired(trx: Trx, now: number): Promise<void> {
  await trx.deleteFrom('consent_subjects').where('expires_at', '<=', now).execute();
  await trx.deleteFrom('consent_subject_tokens').where('expires_at', '<=', now).execute();
}

/** Deletes all: with another key no token finds them. */
export async function deleteSharedChoices(trx: Trx): Promise<void> {
  await trx.deleteFrom('consent_subjects').execute();
  await trx.deleteFrom('consent_subject_tokens').execute();
}
