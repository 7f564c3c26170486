import { type Selectable, sql } from 'kysely';
import { type Db, listRows, lockName, type Trx } from '../../platform/db/index.ts';
import { DAY_MS } from '../../platform/durations.ts';
import type { RefusedOriginTable } from './tables.ts';

/** Moments in epoch milliseconds. */
export interface Refusals {
  requests: number;
  firstAt: number;
  lastAt: number;
}

export type RefusedOrigin = Selectable<RefusedOriginTable>;

/** Any client can send any origin, so only so many are kept, and as many that were dismissed. */
export const KEPT_MAX = 100;
/** Of these, so many have the most requests. The others are the most recent, so that a new origin can become one of them. */
const FREQUENT_MAX = KEPT_MAX / 2;
const KEPT_MS = 90 * DAY_MS;

/** Adds counts, and deletes origins beyond `KEPT_MAX` of each kind or older than 90 days. */
export async function addRefusals(
  trx: Trx,
  counted: ReadonlyMap<string, Refusals>,
  now: number,
): Promise<void> {
  await lockName(trx, 'refused_origins');
  const rows = [...counted].map(([origin, { requests, firstAt, lastAt }]) => [
    origin,
    requests,
    firstAt,
    lastAt,
  ]);
  await sql`insert into refused_origins (origin, requests, first_at, last_at)
    ${listRows(trx, ['text', 'integer', 'integer', 'integer'], rows)}
    on conflict (origin) do update set requests = refused_origins.requests + excluded.requests,
      last_at = excluded.last_at`.execute(trx);
  const newest = trx
    .selectFrom('refused_origins')
    .select('id')
    .where('last_at', '>=', now - KEPT_MS)
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc');
  const open = newest.where('dismissed_at', 'is', null);
  const frequent = open
    .clearOrderBy()
    .orderBy('requests', 'desc')
    .orderBy('last_at', 'desc')
    .limit(FREQUENT_MAX);
  const others = open.where('id', 'not in', frequent).limit(KEPT_MAX - FREQUENT_MAX);
  const dismissed = newest.where('dismissed_at', 'is not', null).limit(KEPT_MAX);
  await trx
    .deleteFrom('refused_origins')
    .where('id', 'not in', frequent)
    .where('id', 'not in', others)
    .where('id', 'not in', dismissed)
    .execute();
}

/** Origins that were not dismissed, most recent first. */
export const listRefusedOrigins = (db: Db): Promise<RefusedOrigin[]> =>
  db
    .selectFrom('refused_origins')
    .selectAll()
    .where('dismissed_at', 'is', null)
    .orderBy('last_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** @returns the dismissed origin; undefined if there is none with this id */
export const dismissRefusedOrigin = (
  trx: Trx,
  id: number,
  now: number,
): Promise<RefusedOrigin | undefined> =>
  trx
    .updateTable('refused_origins')
    .set({ dismissed_at: now })
    .where('id', '=', id)
    .where('dismissed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
