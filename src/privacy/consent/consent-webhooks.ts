import { toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import { queueEvents } from '../../webhooks/index.ts';
import type { NewConsent } from './recording/store.ts';

/** Queues a webhook event for each new consent record. */
export async function queueConsentEvents(
  trx: Trx,
  announce: Announce,
  recorded: readonly { id: number; consent: NewConsent }[],
): Promise<void> {
  const [first] = recorded;
  if (!first) return;
  const event = { type: 'consent.recorded', at: first.consent.created_at } as const;
  await queueEvents(trx, announce, event, () => recorded.map(toContent));
}

const toContent = ({ id, consent }: { id: number; consent: NewConsent }) => ({
  visitorId: consent.visitor_id,
  data: {
    consent: {
      id,
      visitor_id: consent.visitor_id,
      consent_action: consent.consent_action,
      categories_accepted: consent.categories_accepted,
      categories_rejected: consent.categories_rejected,
      vendors_accepted: consent.vendors_accepted ?? [],
      vendors_rejected: consent.vendors_rejected ?? [],
      config_version: consent.config_version,
      created_at: toIsoMoment(consent.created_at),
      expires_at: toIsoMoment(consent.expires_at),
    },
  },
});
