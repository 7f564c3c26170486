import type { Kysely, Transaction } from 'kysely';

/** Every table, by name. Each slice adds its own in its `tables.ts` by declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Database {}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;
/** For code that works with any schema: migrations and what differs between the engines. */
// biome-ignore lint/suspicious/noExplicitAny: migrations know no schema but their own
export type AnyDb = Kysely<any>;
