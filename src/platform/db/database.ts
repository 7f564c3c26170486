import type { Kysely, Transaction } from 'kysely';

/** Every table, by name. Each slice adds its own in its `tables.ts` by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Database {}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
