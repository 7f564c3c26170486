import type { Db, Trx } from '../../../platform/db/index.ts';
import { findActorId } from '../actor.ts';

export interface LicenceEvent {
  at: number;
  actor: string;
  action: string;
  details: Record<string, unknown>;
}

export async function insertEvent(
  trx: Trx,
  licenceId: number,
  { details, ...event }: LicenceEvent,
): Promise<void> {
  await trx
    .insertInto('licence_events')
    .values((eb) => ({
      ...event,
      licence_id: licenceId,
      customer_id: eb.selectFrom('licences').select('customer_id').where('id', '=', licenceId),
      actor_id: findActorId(event.actor),
      details: JSON.stringify(details),
    }))
    .execute();
}

/** The identifier of a licence and its latest action. */
export async function findLatestAction(
  trx: Trx,
  licenceId: number,
): Promise<{ id: string; action: string } | undefined> {
  return trx
    .selectFrom('licence_events')
    .innerJoin('licences', 'licences.id', 'licence_events.licence_id')
    .select(['licences.public_id as id', 'licence_events.action'])
    .where('licence_id', '=', licenceId)
    .orderBy('licence_events.id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Oldest first. */
export async function listEvents(db: Db, licenceId: number): Promise<LicenceEvent[]> {
  const rows = await db
    .selectFrom('licence_events')
    .select(['at', 'actor', 'action', 'details'])
    .where('licence_id', '=', licenceId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) }));
}
