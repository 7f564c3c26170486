import type { SelectQueryBuilder } from 'kysely';
import type { Database } from './database.ts';

/** How many rows a query finds. PostgreSQL returns counts as text. */
export async function countRows<T extends keyof Database>(
  query: SelectQueryBuilder<Database, T, object>,
): Promise<number> {
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}
