import type { Selection } from 'kysely';
import type { Database } from '../../../platform/db/database.ts';
import type { Db, Trx } from '../../../platform/db/index.ts';
import { NotFoundError } from '../../../platform/errors.ts';

export type CookieClassification = Selection<
  Database,
  'cookie_classifications',
  (typeof COLUMNS)[number]
>;

export type CookieFields = Pick<CookieClassification, 'pattern' | 'category' | 'purpose'>;

const COLUMNS = [
  'id',
  'pattern',
  'category',
  'purpose',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

/** By pattern. */
export const listClassifications = (db: Db | Trx): Promise<CookieClassification[]> =>
  db.selectFrom('cookie_classifications').select(COLUMNS).orderBy('pattern').execute();

/** @throws NotFoundError */
export const getClassification = (db: Db, id: number): Promise<CookieClassification> =>
  db
    .selectFrom('cookie_classifications')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound);

/** Adds a classification, or changes the one of the same pattern. */
export const putClassification = (
  trx: Trx,
  { pattern, category, purpose }: CookieFields,
  now: number,
): Promise<CookieClassification> =>
  trx
    .insertInto('cookie_classifications')
    .values({ pattern, category, purpose, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('pattern').doUpdateSet({ category, purpose, updated_at: now }),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();

/** Returns the deleted classification. @throws NotFoundError */
export const deleteClassification = (trx: Trx, id: number): Promise<CookieClassification> =>
  trx
    .deleteFrom('cookie_classifications')
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow(notFound);

const notFound = () => new NotFoundError('The cookie classification');
