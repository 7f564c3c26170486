import { SEALED_PLACE, sealForMail } from '../../mail/index.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import {
  findLicenceWithCustomer,
  getGraceEnd,
  type IssuedLicence,
  type Licence,
  type LicenceWithCustomer,
  listMaskedKeys,
  type RotatedKey,
  UNLIMITED_SITES,
} from '../licences/index.ts';
import { NEVER } from '../products/index.ts';
import type { UnpaidInvoice } from './events.ts';
import { formatMoment, type LicenceMail, queue, readVoice, type Voice } from './mail-voice.ts';

/**
 * Emails a new licence's key to its customer.
 * @param about `renews` if a subscription renews it, `isTrial` if that begins with a free trial; `buyUrl` where a trial
 *   without a card is bought, undefined if it is not on sale
 */
export async function mailKey(
  { secret, clock }: Platform,
  trx: Trx,
  announce: Announce,
  { licence, key, email }: IssuedLicence,
  about: { renews?: boolean; isTrial?: boolean; buyUrl?: string | undefined } = {},
): Promise<void> {
  const { renews, isTrial, buyUrl } = about;
  const voice = await readVoice(trx, licence);
  const { key: texts, terms } = voice.texts;
  const mail: LicenceMail = {
    kind: 'licence_issued',
    to: email,
    subject: texts.subject(voice.product),
    parts: [
      texts.before,
      SEALED_PLACE,
      texts.after,
      { facts: [[terms.licence, licence.publicId], ...listTerms(voice, licence, renews)] },
      ...(licence.isTrial ? [texts.trial] : []),
      ...(isTrial && renews ? [texts.freeUntil(formatMoment(voice, licence.expiresAt))] : []),
      ...(licence.isTrial && buyUrl !== undefined
        ? [texts.buyTrial, { link: buyUrl, label: texts.buy }]
        : []),
      ...suspensionNote(voice, licence),
      ...testNote(voice, licence),
    ],
    onceKey: `licence-issued:${licence.publicId}`,
    sealed: sealForMail(secret, key),
  };
  await queue(trx, announce, voice, mail, clock.now());
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
  const voice = await readVoice(trx, licence);
  const texts = voice.texts.rotated;
  const mail: LicenceMail = {
    kind: 'licence_rerolled',
    to: found.email,
    subject: texts.subject(voice.product),
    parts: [
      texts.before(licence.publicId),
      SEALED_PLACE,
      oldKeyUntil > now
        ? texts.oldWorks(oldKey, formatMoment(voice, oldKeyUntil))
        : texts.oldEnded(oldKey),
      texts.same,
      texts.keep,
    ],
    sealed: sealForMail(secret, key),
  };
  await queue(trx, announce, voice, mail, now);
}

/**
 * Emails the new expiry of a licence that was renewed, or bought after a trial without a card.
 * @param about `renews` if a subscription renews it from now on
 */
export async function mailRenewal(
  { clock }: Platform,
  trx: Trx,
  announce: Announce,
  licence: LicenceWithCustomer,
  { renews, wasTrial }: { renews: boolean; wasTrial: boolean },
): Promise<void> {
  const [key = ''] = (await listMaskedKeys(trx, [licence.id])).values();
  const voice = await readVoice(trx, licence);
  const { renewed, bought, terms } = voice.texts;
  const texts = wasTrial ? bought : renewed;
  const mail: LicenceMail = {
    kind: 'licence_renewed',
    to: licence.email,
    subject: texts.subject(voice.product),
    parts: [
      texts.text(licence.publicId),
      { facts: [[terms.key, key], ...listTerms(voice, licence, renews)] },
      ...suspensionNote(voice, licence),
      ...testNote(voice, licence),
    ],
  };
  await queue(trx, announce, voice, mail, clock.now());
}

/**
 * Emails the buyer that a renewal payment failed, and the customer of a licence that was transferred: once each while the
 * payment is retried, and once after the last attempt.
 * @param about `isTrial` if it is the first payment after a free trial
 */
export async function mailPaymentFailure(
  { clock }: Platform,
  trx: Trx,
  announce: Announce,
  about: {
    licence: LicenceWithCustomer;
    buyer: string;
    invoice: string;
    isTrial: boolean;
  } & Partial<UnpaidInvoice>,
): Promise<void> {
  const { licence, buyer, invoice, isTrial, url, isLastAttempt } = about;
  const voice = await readVoice(trx, licence);
  const texts = voice.texts.failed;
  const graceEnd = getGraceEnd(licence);
  const end = formatMoment(voice, graceEnd);
  const { retry, pay, byEmail } = isLastAttempt ? texts.last : texts.retried;
  const describe = () => {
    if (licence.suspendedAt) return `${texts.suspended} ${retry}`;
    if (graceEnd === NEVER) return `${texts.never} ${retry}`;
    // A trial has no grace period.
    if (graceEnd <= clock.now()) return `${texts.expired(end)} ${retry}`;
    // When the payment service then cancels the subscription, the grace period ends with it.
    return isLastAttempt ? `${retry} ${texts.canEnd}` : `${texts.worksUntil(end)} ${retry}`;
  };
  const text = (isTrial ? texts.firstText : texts.text)(licence.publicId);
  const toPay = url ? [pay, { link: url, label: texts.pay }] : [byEmail];
  for (const to of new Set([buyer, licence.email])) {
    const isBuyer = to === buyer;
    const mail: LicenceMail = {
      kind: 'licence_payment_failed',
      to,
      subject: texts.subject(voice.product),
      // An invoice shows the name and address of the buyer.
      parts: [text, describe(), ...(isBuyer ? toPay : [texts.formerOwner])],
      onceKey: `payment-failed:${invoice}${isBuyer ? '' : ':owner'}${isLastAttempt ? ':last' : ''}`,
    };
    await queue(trx, announce, voice, mail, clock.now());
  }
}

/**
 * Emails that a licence expires soon, once for each expiry and reminder.
 * @param days which of the reminders it is
 * @param renewUrl undefined if it cannot be renewed here
 * @param isPaidByOther whether a subscription of a former owner runs until the expiry
 */
export async function mailExpiry(
  trx: Trx,
  announce: Announce,
  licence: LicenceWithCustomer,
  {
    days,
    now,
    renewUrl,
    isPaidByOther,
  }: { days: number; now: number; renewUrl: string | undefined; isPaidByOther: boolean },
): Promise<void> {
  const voice = await readVoice(trx, licence);
  const { expiry: texts, key } = voice.texts;
  const left = Math.max(1, Math.floor((licence.expiresAt - now) / DAY_MS));
  const end = formatMoment(voice, licence.expiresAt);
  const graceEnd = formatMoment(voice, getGraceEnd(licence));
  const isTrial = licence.isTrial && licence.graceDays === 0;
  const about = (isTrial ? texts.trialText : texts.text)(licence.publicId, voice.plan, end);
  const isToWait = isPaidByOther && renewUrl !== undefined;
  const ends = isToWait ? texts.endsUntilRenewed : texts.ends;
  const effect = licence.graceDays > 0 ? texts.worksUntil(graceEnd) : ends;
  const offer = isTrial ? key.buyTrial : texts.same;
  const mail: LicenceMail = {
    kind: 'licence_expiry',
    to: licence.email,
    subject: (isTrial ? texts.trialSubject : texts.subject)(voice.product, left),
    parts: [
      ...(isTrial ? [about] : [about, ...(isToWait ? [texts.formerOwner] : []), effect]),
      ...(renewUrl
        ? [offer, { link: renewUrl, label: isTrial ? key.buy : texts.renew }]
        : [texts.contact]),
    ],
    onceKey: `licence-expiry:${licence.publicId}:${licence.expiresAt}:${days}`,
  };
  await queue(trx, announce, voice, mail, now);
}

function listTerms(voice: Voice, licence: Licence, renews = false): [string, string][] {
  const { product, plan, texts } = voice;
  const { terms } = texts;
  const { sitesAllowed } = licence;
  const sites = sitesAllowed >= UNLIMITED_SITES ? terms.unlimited : String(sitesAllowed);
  const expiry = licence.expiresAt === NEVER ? terms.never : formatMoment(voice, licence.expiresAt);
  return [
    ...(product ? [[terms.product, product] as [string, string]] : []),
    [terms.tier, plan],
    [terms.sites, sites],
    [renews && licence.suspendedAt === null ? terms.renews : terms.expires, expiry],
  ];
}

const suspensionNote = ({ texts }: Voice, { suspendedAt }: Licence): string[] =>
  suspendedAt === null ? [] : [texts.suspended];

const testNote = ({ texts }: Voice, { mode }: Licence): string[] =>
  mode === 'test' ? [texts.test] : [];
