import { type Mail, queueMail, renderMail, SEALED_PLACE, sealForMail } from '../../mail/index.ts';
import { formatDay, toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { readEmail } from '../../platform/email-address.ts';
import {
  findLicenceWithCustomer,
  getGraceEnd,
  type IssuedLicence,
  type Licence,
  listMaskedKeys,
  NEVER,
  type RotatedKey,
  toRenewalUrl,
} from '../licences/index.ts';

/** Sends a new licence's key to its customer. */
export async function mailKey(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { licence, key, email }: IssuedLicence,
): Promise<void> {
  const rendered = renderMail({
    language: 'en',
    subject: 'Your licence key',
    parts: [
      'Your licence key:',
      SEALED_PLACE,
      'Enter it in the settings of your site. We do not store the key, so keep this email.',
      {
        facts: [
          ['Licence', licence.publicId],
          ['Tier', licence.tier],
          ['Sites', String(licence.sitesAllowed)],
          ['Ends', licence.expiresAt === NEVER ? 'never (lifetime)' : momentOf(licence.expiresAt)],
        ],
      },
      ...(licence.mode === 'test' ? ['This is a test licence. Do not use it in production.'] : []),
    ],
  });
  const mail = {
    ...rendered,
    to: email,
    kind: 'licence_issued',
    onceKey: `licence-issued:${licence.publicId}`,
    sealed: sealForMail(platform.secret, key),
  };
  await tell(trx, announce, mail, platform.clock.now());
}

/** Says that a licence has a new key, which one, and how long the old one still works. */
export async function mailRotatedKey(
  { secret, clock }: Platform,
  trx: Trx,
  announce: Announce,
  { licence, key, oldKey, oldKeyUntil }: RotatedKey,
): Promise<void> {
  const found = await findLicenceWithCustomer(trx, licence.publicId);
  if (!found) return;
  const now = clock.now();
  const rendered = renderMail({
    language: 'en',
    subject: 'Your licence has a new key',
    parts: [
      `Licence ${licence.publicId} has a new key:`,
      SEALED_PLACE,
      oldKeyUntil > now
        ? `The old key, ${oldKey}, works until ${momentOf(oldKeyUntil)}. Please enter the new one in the settings of your sites before that.`
        : `The old key, ${oldKey}, does not work any more. Please enter the new one in the settings of your sites.`,
      'Nothing else has changed: your sites stay activated, and the licence ends when it did.',
      'We do not store the key, so keep this email. If you did not ask for a new key, just enter it.',
    ],
  });
  const mail = {
    ...rendered,
    to: found.email,
    kind: 'licence_rerolled',
    sealed: sealForMail(secret, key),
  };
  await tell(trx, announce, mail, now);
}

/** Says that a licence was renewed, and until when it works now. */
export async function mailRenewal(
  { clock }: Platform,
  trx: Trx,
  announce: Announce,
  licence: Licence & { email: string },
): Promise<void> {
  const [key = ''] = (await listMaskedKeys(trx, [licence.id])).values();
  const rendered = renderMail({
    language: 'en',
    subject: 'Your licence is renewed',
    parts: [
      `Thank you. Licence ${licence.publicId} is renewed on the same key. You have nothing to change: your sites stay activated.`,
      {
        facts: [
          ['Key', key],
          ['Tier', licence.tier],
          ['Sites', String(licence.sitesAllowed)],
          ['Ends', licence.expiresAt === NEVER ? 'never (lifetime)' : momentOf(licence.expiresAt)],
        ],
      },
      ...(licence.suspendedAt === null
        ? []
        : ['The licence is still suspended. Please write to the vendor to have it reinstated.']),
      ...(licence.mode === 'test' ? ['This is a test licence. Do not use it in production.'] : []),
    ],
  });
  const mail = { ...rendered, to: licence.email, kind: 'licence_renewed' };
  await tell(trx, announce, mail, clock.now());
}

/** Says that a renewal could not be paid, once for each invoice. */
export async function mailPaymentFailure(
  { clock }: Platform,
  trx: Trx,
  announce: Announce,
  {
    licence,
    email,
    invoice,
    invoiceUrl,
  }: { licence: Licence; email: string; invoice: string; invoiceUrl: string | undefined },
): Promise<void> {
  const now = clock.now();
  const end = getGraceEnd(licence);
  // A trial has no grace.
  const use =
    end > now
      ? `Your sites go on working until ${momentOf(end)}.`
      : `The licence ended on ${momentOf(end)}. It works again as soon as the payment goes through.`;
  const rendered = renderMail({
    language: 'en',
    subject: 'Your licence could not be renewed',
    parts: [
      `The payment for the renewal of licence ${licence.publicId} did not go through.`,
      `${use} We try the payment again in the next days.`,
      ...(invoiceUrl === undefined
        ? [
            'If your card has changed, update it by way of the link in the emails of our payment service.',
          ]
        : [
            'If your card has changed, pay the invoice with another one:',
            { link: invoiceUrl, label: 'Pay the invoice' },
          ]),
    ],
  });
  const onceKey = `payment-failed:${invoice}`;
  const mail = { ...rendered, to: email, kind: 'licence_payment_failed', onceKey };
  await tell(trx, announce, mail, now);
}

/** Says that a licence ends soon, once for each of its ends and warnings. */
export async function mailExpiry(
  trx: Trx,
  announce: Announce,
  about: {
    licence: Licence & { email: string };
    /** Which of the warnings it is. */
    days: number;
    now: number;
    publicUrl: string;
  },
): Promise<void> {
  const { licence, days, now, publicUrl } = about;
  const left = Math.ceil((licence.expiresAt - now) / DAY_MS);
  const rendered = renderMail({
    language: 'en',
    subject: `Your licence ends in ${left === 1 ? 'a day' : `${left} days`}`,
    parts: [
      `Licence ${licence.publicId} (tier ${licence.tier}) ends on ${momentOf(licence.expiresAt)}.`,
      licence.graceDays > 0
        ? `Your sites go on working until ${momentOf(getGraceEnd(licence))}. To use it after that, please renew it in time.`
        : 'After that your sites can no longer use what it includes. To go on, please renew it in time.',
      'You renew on the same key: your sites stay activated. We ask you to sign in with this email address first.',
      { link: toRenewalUrl(publicUrl, licence), label: 'Renew this licence' },
    ],
  });
  const onceKey = `licence-expiry:${licence.publicId}:${licence.expiresAt}:${days}`;
  const mail = { ...rendered, to: licence.email, kind: 'licence_expiry', onceKey };
  await tell(trx, announce, mail, now);
}

/** Erased customers have no email address and get no emails. */
async function tell(trx: Trx, announce: Announce, mail: Mail, now: number): Promise<void> {
  if (readEmail(mail.to)) await queueMail(trx, announce, mail, now);
}

/** With hour and zone: around midnight it is another day for some. */
function momentOf(milliseconds: number): string {
  const [day = '', time = ''] = toIsoMoment(milliseconds).split('T');
  return `${formatDay('en', day)}, ${time.slice(0, 5)} UTC`;
}
