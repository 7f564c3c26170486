/** The types of events with what each tells, in the order of the console and the documentation. */
export const EVENT_DESCRIPTIONS = {
  'licence.issued': 'A licence is issued.',
  'licence.updated':
    'The plan, sites, expiry, features or customer of a licence change, or its key is rotated.',
  'licence.renewed': 'A purchase renews a licence.',
  'licence.suspended': 'A licence is suspended, by hand or because of its payments.',
  'licence.reinstated': 'A suspension or revocation ends.',
  'licence.revoked': 'A licence is revoked, by hand or because of its payments.',
  'licence.expiring':
    'A licence that does not renew by itself expires in one of the configured numbers of days.',
  'licence.limit_reached':
    'An activation is refused because all sites of the licence are in use. At most once a day for each licence.',
  'activation.created': 'A site is activated.',
  'activation.deleted': 'A site is deactivated.',
  'checkout.completed': 'A checkout is paid: it issues or renews a licence.',
  'payment.received': 'An invoice is paid: of a subscription, or of a lifetime licence.',
  'payment.failed': 'A payment of a subscription fails.',
  'payment.refunded': 'A payment is refunded, in full or in part.',
  'payment.refund_failed': 'A refund fails.',
  'payment.disputed': 'A dispute of a payment is opened, changed or decided.',
  'release.published': 'A release is published.',
  'release.updated':
    'The channel, roll-out, changelog or security flag of a release changes, or it is restored.',
  'release.yanked': 'A release is yanked.',
  'consent.recorded': 'A consent record is stored.',
  'dsar.created': 'A data subject request is received or entered.',
  'dsar.updated': 'The status or the deadline of a data subject request changes.',
  'scan.finished': 'A scan is completed.',
} as const;

export type EventType = keyof typeof EVENT_DESCRIPTIONS;

export const EVENT_TYPES = Object.keys(EVENT_DESCRIPTIONS) as EventType[];

/** Sent to one endpoint on request, whatever it receives otherwise. */
export const TEST_EVENT = 'webhook.test';
