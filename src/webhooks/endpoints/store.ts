import type { Insertable, Selectable, Updateable } from 'kysely';
import { countRows, type Db, lockRows, type Trx } from '../../platform/db/index.ts';
import type { EventType } from '../event-types.ts';
import type { WebhookEndpointTable } from '../tables.ts';
import type { Endpoint } from './rules.ts';

const toEndpoint = (row: Selectable<WebhookEndpointTable>): Endpoint => ({
  id: row.id,
  url: row.url,
  description: row.description,
  eventTypes: JSON.parse(row.event_types),
  isActive: row.is_active === 1,
  inactiveReason: row.inactive_reason,
  failingSince: row.failing_since,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** By id. */
export async function listEndpoints(
  db: Db | Trx,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ endpoints: Endpoint[]; total: number }> {
  const query = db.selectFrom('webhook_endpoints');
  const total = await countRows(query);
  const rows = await query.selectAll().orderBy('id').offset(offset).limit(limit).execute();
  return { endpoints: rows.map(toEndpoint), total };
}

export async function findEndpoint(db: Db | Trx, id: number): Promise<Endpoint | undefined> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && toEndpoint(row);
}

/** Locks the endpoint for this transaction. */
export async function lockEndpoint(trx: Trx, id: number): Promise<Endpoint | undefined> {
  const query = trx.selectFrom('webhook_endpoints').selectAll().where('id', '=', id);
  const row = await lockRows(trx, query).executeTakeFirst();
  return row && toEndpoint(row);
}

/** The encrypted secrets that sign at a moment, the current one first. */
export async function listSecrets(db: Db, id: number, now: number): Promise<string[]> {
  const row = await db
    .selectFrom('webhook_endpoints')
    .select(['secret', 'previous_secret', 'previous_secret_until'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) return [];
  const { previous_secret: previous, previous_secret_until: until } = row;
  return previous !== null && (until ?? 0) > now ? [row.secret, previous] : [row.secret];
}

export async function insertEndpoint(
  trx: Trx,
  values: Insertable<WebhookEndpointTable>,
): Promise<Endpoint> {
  const row = await trx
    .insertInto('webhook_endpoints')
    .values(values)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toEndpoint(row);
}

export async function updateEndpoint(
  trx: Trx,
  id: number,
  values: Updateable<WebhookEndpointTable>,
): Promise<Endpoint> {
  const row = await trx
    .updateTable('webhook_endpoints')
    .set(values)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toEndpoint(row);
}

/**
 * Makes a new secret the current one. The current one signs as well until a moment, unless a previous one still does:
 * receivers may have that one.
 */
export async function replaceSecret(
  trx: Trx,
  id: number,
  { secret, previousUntil, now }: { secret: string; previousUntil: number; now: number },
): Promise<Endpoint> {
  const row = await trx
    .updateTable('webhook_endpoints')
    .set((eb) => {
      const stillSigns = eb.case().when('previous_secret_until', '>', now);
      return {
        previous_secret: stillSigns.then(eb.ref('previous_secret')).else(eb.ref('secret')).end(),
        previous_secret_until: stillSigns
          .then(eb.ref('previous_secret_until'))
          .else(previousUntil)
          .end(),
        secret,
        updated_at: now,
      };
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toEndpoint(row);
}

/** Deletes an endpoint without its delivery log. */
export async function deleteEndpoint(trx: Trx, id: number): Promise<void> {
  await trx.deleteFrom('webhook_endpoints').where('id', '=', id).execute();
}

/** Notes that an attempt succeeded. */
export async function clearFailing(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since: null })
    .where('id', '=', id)
    .where('failing_since', 'is not', null)
    .execute();
}

/** Notes that an attempt failed. @returns since when all have failed */
export async function markFailing(trx: Trx, id: number, now: number): Promise<number> {
  const row = await trx
    .updateTable('webhook_endpoints')
    .set({ failing_since: now })
    .where('id', '=', id)
    .where('failing_since', 'is', null)
    .returning('failing_since')
    .executeTakeFirst();
  if (row) return now;
  return (await findEndpoint(trx, id))?.failingSince ?? now;
}

/** Event types of each active endpoint by its id. */
export async function listSubscriptions(
  db: Db | Trx,
): Promise<{ id: number; eventTypes: EventType[] }[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'event_types'])
    .where('is_active', '=', 1)
    .orderBy('id')
    .execute();
  return rows.map(({ id, event_types }) => ({ id, eventTypes: JSON.parse(event_types) }));
}
