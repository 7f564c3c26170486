import type { Announce, Trx } from '../../../platform/db/index.ts';
import { queueEvents } from '../../../webhooks/index.ts';
import type { Licence } from '../rules.ts';
import { getLicenceById } from '../store.ts';
import { toLicenceContent } from '../webhook-licence.ts';
import { listEventTypes } from './rules.ts';
import { insertEvent, type LicenceEvent } from './store.ts';

/**
 * Logs an action on a licence, after its changes in the same transaction, and queues the webhook events of the action.
 * @param before the licence before the action, for events of what has changed
 */
export async function appendEvent(
  trx: Trx,
  announce: Announce,
  licenceId: number,
  event: LicenceEvent,
  before?: Licence,
): Promise<void> {
  await insertEvent(trx, licenceId, event);
  const { action, at, details } = event;
  const changes = before && { before, after: await getLicenceById(trx, licenceId) };
  for (const type of listEventTypes(action, changes)) {
    await queueEvents(trx, announce, { type, at }, async () => [
      await toLicenceContent(
        trx,
        await getLicenceById(trx, licenceId),
        at,
        type.startsWith('activation.')
          ? { activation: { id: details.activation_id, site_url: details.site_url } }
          : { action },
      ),
    ]);
  }
}
