import type { Selectable } from 'kysely';
import type { Db, Trx } from '../../../platform/db/index.ts';
import type { CookieClassificationTable } from '../tables.ts';

/** Category and purpose of first-party cookies, by name or pattern. */
export interface CookieClassification {
  id: number;
  /** A name. `*` matches any characters. */
  pattern: string;
  /** A consent category. */
  category: string;
  purpose: string;
  createdAt: number;
  updatedAt: number;
}

export type CookieFields = Pick<CookieClassification, 'pattern' | 'category' | 'purpose'>;

const toClassification = (row: Selectable<CookieClassificationTable>): CookieClassification => ({
  id: row.id,
  pattern: row.pattern,
  category: row.category,
  purpose: row.purpose,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** By pattern. */
export async function listClassifications(db: Db | Trx): Promise<CookieClassification[]> {
  const rows = await db
    .selectFrom('cookie_classifications')
    .selectAll()
    .orderBy('pattern')
    .execute();
  return rows.map(toClassification);
}

export async function findClassification(
  db: Db | Trx,
  id: number,
): Promise<CookieClassification | undefined> {
  const row = await db
    .selectFrom('cookie_classifications')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toClassification(row);
}

/** Adds a classification, or changes the one of the same pattern. */
export async function putClassification(
  trx: Trx,
  { pattern, category, purpose }: CookieFields,
  now: number,
): Promise<CookieClassification> {
  const row = await trx
    .insertInto('cookie_classifications')
    .values({ pattern, category, purpose, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.column('pattern').doUpdateSet({ category, purpose, updated_at: now }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return toClassification(row);
}

/** Deletes a classification and gives what it was; undefined if there is none. */
export async function deleteClassification(
  trx: Trx,
  id: number,
): Promise<CookieClassification | undefined> {
  const row = await trx
    .deleteFrom('cookie_classifications')
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && toClassification(row);
}
