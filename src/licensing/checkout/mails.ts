import {
  type MailPart,
  queueMail,
  renderMail,
  SEALED_PLACE,
  sealForMail,
} from '../../mail/index.ts';
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
  type LicenceWithCustomer,
  listMaskedKeys,
  NEVER,
  type RotatedKey,
  toRenewalUrl,
} from '../licences/index.ts';

interface LicenceMail {
  kind: string;
  to: string;
  subject: string;
  parts: readonly MailPart[];
  /** Emails with the same key are sent once. */
  onceKey?: string;
  sealed?: string;
}

/** Deleted customers have no email address and get no emails. */
async function queue(
  trx: Trx,
  announce: Announce,
  { subject, parts, ...mail }: LicenceMail,
  now: number,
): Promise<void> {
  if (!readEmail(mail.to)) return;
  const rendered = renderMail({ language: 'en', subject, parts });
  await queueMail(trx, announce, { ...rendered, ...mail }, now);
}

/** Emails a new licence's key to its customer. */
export async function mailKey(
  { secret, clock }: Platform,
  trx: Trx,
  announce: Announce,
  { licence, key, email }: IssuedLicence,
): Promise<void> {
  const mail: LicenceMail = {
    kind: 'licence_issued',
    to: email,
    subject: 'Your licence key',
    parts: [
      'Your licence key:',
      SEALED_PLACE,
      'Enter it in the settings of your site. We do not store the key, so keep this email.',
      { facts: [['Licence', licence.publicId], ...listTerms(licence)] },
      ...testNote(licence),
    ],
    onceKey: `licence-issued:${licence.publicId}`,
    sealed: sealForMail(secret, key),
  };
  await queue(trx, announce, mail, clock.now());
}

/** Emails a rotated key, and until when the old key works. */
export async function mailRotatedKey(
  { secret, clock }: Platform,
  trx: Trx,
  announce: Announce,
  { licence, key, oldKey, oldKeyUntil }: RotatedKey,
): Promise<void> {
  const found = await findLicenceWithCustomer(trx, licence.publicId);
  if (!found) return;
  const now = clock.now();
  const mail: LicenceMail = {
    kind: 'licence_rerolled',
    to: found.email,
    subject: 'Your licence has a new key',
    parts: [
      `Licence ${licence.publicId} has a new key:`,
      SEALED_PLACE,
      oldKeyUntil > now
        ? `The old key, ${oldKey}, works until ${formatMoment(oldKeyUntil)}. Enter the new key in the settings of your sites before then.`
        : `The old key, ${oldKey}, no longer works. Enter the new key in the settings of your sites.`,
      'Your sites stay activated, and the expiry date does not change.',
      'We do not store the key, so keep this email. If you did not ask for a new key, enter it all the same.',
    ],
    sealed: sealForMail(secret, key),
  };
  await queue(trx, announce, mail, now);
}

/** Emails the new expiry of a renewed licence. */
export async function mailRenewal(
  { clock }: Platform,
  trx: Trx,
  announce: Announce,
  licence: LicenceWithCustomer,
): Promise<void> {
  const [key = ''] = (await listMaskedKeys(trx, [licence.id])).values();
  const mail: LicenceMail = {
    kind: 'licence_renewed',
    to: licence.email,
    subject: 'Your licence is renewed',
    parts: [
      `Thank you. Licence ${licence.publicId} is renewed with the same key. Your sites stay activated, and you do not need to change anything.`,
      { facts: [['Key', key], ...listTerms(licence)] },
      ...(licence.suspendedAt === null
        ? []
        : ['The licence is still suspended. Contact the vendor to have it reinstated.']),
      ...testNote(licence),
    ],
  };
  await queue(trx, announce, mail, clock.now());
}

/** Emails that a renewal payment failed, once for each invoice. */
export async function mailPaymentFailure(
  { clock }: Platform,
  trx: Trx,
  announce: Announce,
  about: { licence: Licence; email: string; invoice: string; invoiceUrl: string | undefined },
): Promise<void> {
  const { licence, email, invoice, invoiceUrl } = about;
  const now = clock.now();
  const end = getGraceEnd(licence);
  // A trial has no grace period.
  const effect =
    end > now
      ? `Your sites keep working until ${formatMoment(end)}.`
      : `The licence expired on ${formatMoment(end)}. It works again as soon as the payment succeeds.`;
  const mail: LicenceMail = {
    kind: 'licence_payment_failed',
    to: email,
    subject: 'Payment for your licence failed',
    parts: [
      `The payment for the renewal of licence ${licence.publicId} failed.`,
      `${effect} We will try the payment again in the next few days.`,
      ...(invoiceUrl === undefined
        ? ['To update your card, use the link in the emails of our payment service.']
        : [
            'You can also pay the invoice now, for example with another card:',
            { link: invoiceUrl, label: 'Pay the invoice' },
          ]),
    ],
    onceKey: `payment-failed:${invoice}`,
  };
  await queue(trx, announce, mail, now);
}

/**
 * Emails that a licence expires soon, once for each expiry and reminder.
 * @param days which of the reminders it is
 */
export async function mailExpiry(
  trx: Trx,
  announce: Announce,
  licence: LicenceWithCustomer,
  { days, now, publicUrl }: { days: number; now: number; publicUrl: string },
): Promise<void> {
  const left = Math.ceil((licence.expiresAt - now) / DAY_MS);
  const mail: LicenceMail = {
    kind: 'licence_expiry',
    to: licence.email,
    subject: `Your licence expires in ${left === 1 ? '1 day' : `${left} days`}`,
    parts: [
      `Licence ${licence.publicId} (tier ${licence.tier}) expires on ${formatMoment(licence.expiresAt)}.`,
      licence.graceDays > 0
        ? `Your sites keep working until ${formatMoment(getGraceEnd(licence))}. Renew the licence before then.`
        : 'After that, your sites can no longer use it. Renew the licence before then.',
      'The key stays the same, and your sites stay activated. To renew, sign in with this email address.',
      { link: toRenewalUrl(publicUrl, licence), label: 'Renew this licence' },
    ],
    onceKey: `licence-expiry:${licence.publicId}:${licence.expiresAt}:${days}`,
  };
  await queue(trx, announce, mail, now);
}

const listTerms = (licence: Licence): [string, string][] => [
  ['Tier', licence.tier],
  ['Sites', String(licence.sitesAllowed)],
  ['Expires', licence.expiresAt === NEVER ? 'never (lifetime)' : formatMoment(licence.expiresAt)],
];

const testNote = ({ mode }: Licence): string[] =>
  mode === 'test' ? ['This is a test licence. Do not use it in production.'] : [];

/** With time and zone, because the day depends on the zone. */
function formatMoment(milliseconds: number): string {
  const [day = '', time = ''] = toIsoMoment(milliseconds).split('T');
  return `${formatDay('en', day)}, ${time.slice(0, 5)} UTC`;
}
