import { sql } from 'kysely';
import { type Db, listRows, type Trx } from '../../platform/db/index.ts';

export interface NewEvent {
  messageId: string;
  type: string;
  payload: string;
  email: string | null;
  visitorId: string | null;
  createdAt: number;
}

/** Writes events with a delivery to each of the endpoints, due at once. */
export async function insertEvents(
  trx: Trx,
  events: readonly NewEvent[],
  endpointIds: readonly number[],
): Promise<void> {
  const types = ['text', 'text', 'text', 'text', 'text', 'integer'] as const;
  const rows = events.map((event) => [
    event.messageId,
    event.type,
    event.payload,
    event.email,
    event.visitorId,
    event.createdAt,
  ]);
  const { rows: inserted } = await sql<{
    id: number;
    created_at: number;
  }>`insert into webhook_events
    (message_id, type, payload, email, visitor_id, created_at)
    ${listRows(trx, types, rows)} returning id, created_at`.execute(trx);
  const deliveries = inserted.flatMap(({ id, created_at: at }) =>
    endpointIds.map((endpoint) => [id, endpoint, at, at]),
  );
  await sql`insert into webhook_deliveries (event_id, endpoint_id, due_at, created_at, status, attempts)
    ${listRows(trx, ['integer', 'integer', 'integer', 'integer'], deliveries, [sql`'pending'`, sql`0`])}`.execute(
    trx,
  );
}

/** @returns whether the key is new */
export async function insertOnceKey(trx: Trx, key: string, expiresAt: number): Promise<boolean> {
  const row = await trx
    .insertInto('webhook_once_keys')
    .values({ key, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('key')
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasOnceKey(db: Db, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_once_keys')
    .select('key')
    .where('key', '=', key)
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteOnceKeys(trx: Trx, before: number): Promise<void> {
  await trx.deleteFrom('webhook_once_keys').where('expires_at', '<', before).execute();
}
