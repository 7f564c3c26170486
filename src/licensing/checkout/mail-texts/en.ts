/** The emails about licences, in English. `subject` names the product, if the vendor has named one. */
export const en = {
  key: {
    subject: (product: string) =>
      product ? `Your licence key for ${product}` : 'Your licence key',
    before: 'Your licence key:',
    after: 'Enter it in the settings of your site. We do not store the key, so keep this email.',
    trial: 'This is a free trial. It ends by itself on this date, and nothing is charged.',
    /** For a trial with a card. */
    freeUntil: (end: string) =>
      `The trial is free until ${end}. Then the subscription is charged, unless you cancel it before.`,
    buyTrial:
      'To keep the licence, buy it with this email address. The key stays the same, and your sites stay activated.',
    buy: 'Buy this licence',
  },
  rotated: {
    subject: (product: string) =>
      product ? `New key for your ${product} licence` : 'Your licence has a new key',
    before: (licence: string) => `Licence ${licence} has a new key:`,
    oldWorks: (key: string, until: string) =>
      `The old key, ${key}, works until ${until}. Enter the new key in the settings of your sites before then.`,
    oldEnded: (key: string) =>
      `The old key, ${key}, no longer works. Enter the new key in the settings of your sites.`,
    same: 'Your sites stay activated, and the expiry date does not change.',
    keep: 'We do not store the key, so keep this email. If you did not ask for a new key, enter it all the same.',
  },
  renewed: {
    subject: (product: string) =>
      product ? `Your ${product} licence is renewed` : 'Your licence is renewed',
    text: (licence: string) =>
      `Thank you. Licence ${licence} is renewed with the same key. Your sites stay activated, and you do not need to change anything.`,
  },
  /** After a trial without a card. */
  bought: {
    subject: (product: string) =>
      product ? `You have bought your ${product} licence` : 'You have bought your licence',
    text: (licence: string) =>
      `Thank you. You have bought licence ${licence}. The key stays the same, your sites stay activated, and you do not need to change anything.`,
  },
  failed: {
    subject: (product: string) =>
      product ? `Payment for your ${product} licence failed` : 'Payment for your licence failed',
    text: (licence: string) => `The payment for the renewal of licence ${licence} failed.`,
    /** After a free trial with a card. */
    firstText: (licence: string) => `The first payment for licence ${licence} failed.`,
    worksUntil: (end: string) => `Without a payment, your sites keep working until ${end} at most.`,
    /** For a lifetime licence. */
    never: 'Your licence does not end because of this.',
    canEnd:
      'Without a payment, the licence can end at any time. Your sites can then no longer use it.',
    expired: (end: string) =>
      `The licence expired on ${end}. It works again as soon as the payment succeeds.`,
    suspended: 'The licence is suspended, so your sites cannot use it at present.',
    retried: {
      retry: 'We will try the payment again in the next few days.',
      pay: 'You can also pay the invoice now, for example with another card:',
      byEmail: 'To update your card, use the link in the emails of our payment service.',
    },
    last: {
      retry: 'At the moment, no further attempt to charge is planned.',
      pay: 'Pay the invoice now, for example with another card:',
      byEmail: 'Pay the invoice now, with the link in the emails of our payment service.',
    },
    formerOwner:
      'A subscription of the former owner pays for this licence. Once it has ended, you can renew the licence yourself.',
    pay: 'Pay the invoice',
  },
  expiry: {
    subject: (product: string, days: number) =>
      `Your ${product ? `${product} ` : ''}licence expires in ${days === 1 ? '1 day' : `${days} days`}`,
    text: (licence: string, tier: string, end: string) =>
      `Licence ${licence} (tier ${tier}) expires on ${end}.`,
    worksUntil: (end: string) =>
      `Your sites keep working until ${end}. Renew the licence before then.`,
    ends: 'After that, your sites can no longer use it. Renew the licence before then.',
    formerOwner:
      'A subscription of the former owner pays for this licence until then. Once it has ended, you can renew the licence yourself.',
    /** Where it can be renewed only afterwards. */
    endsUntilRenewed: 'Your sites can then no longer use it until you renew it.',
    trialSubject: (product: string, days: number) =>
      `Your ${product ? `${product} ` : ''}trial ends in ${days === 1 ? '1 day' : `${days} days`}`,
    trialText: (licence: string, tier: string, end: string) =>
      `The free trial of licence ${licence} (tier ${tier}) ends on ${end}. After that, your sites can no longer use it. Nothing is charged.`,
    same: 'The key stays the same, and your sites stay activated. To renew, sign in with this email address.',
    renew: 'Renew this licence',
    contact: 'To keep the licence, contact the vendor.',
  },
  terms: {
    licence: 'Licence',
    key: 'Key',
    product: 'Product',
    tier: 'Tier',
    sites: 'Sites',
    unlimited: 'unlimited',
    expires: 'Expires',
    renews: 'Renews',
    never: 'never (lifetime)',
  },
  suspended:
    'The licence is suspended, so your sites cannot use it at present. Contact the vendor to have it reinstated.',
  test: 'This is a test licence. Do not use it in production.',
};

export type LicenceMailTexts = typeof en;
