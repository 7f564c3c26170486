import type { Kysely } from 'kysely';

/** For deliveries by type of event: without it, all events were read with their payloads. */
async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('webhook_events_type')
    .on('webhook_events')
    .columns(['type', 'id'])
    .execute();
}

export const webhookEventTypes = { up };
