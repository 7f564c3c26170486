import { isoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { queueMail, renderMail, SEALED_PLACE, sealForMail } from '../../platform/mail/index.ts';
import type { IssuedLicence, Licence } from '../licences/index.ts';

/** Sends a new licence's key to who has bought it. */
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
      'Thank you. This is your licence key:',
      SEALED_PLACE,
      'Enter it in the settings of your site. It is written down nowhere else, so keep this mail.',
      {
        facts: [
          ['Licence', licence.publicId],
          ['Tier', licence.tier],
          ['Sites', String(licence.sitesAllowed)],
          ['Paid until', dayOf(licence.expiresAt)],
        ],
      },
      ...(licence.mode === 'test' ? ['This is a test licence: nothing was charged.'] : []),
    ],
  });
  const mail = {
    ...rendered,
    to: email,
    kind: 'licence_issued',
    onceKey: `licence-issued:${licence.publicId}`,
    sealed: sealForMail(platform.secret, key),
  };
  await queueMail(trx, announce, mail, platform.clock.now());
}

/** Says that a renewal could not be paid, once for each invoice. */
export async function mailPaymentFailure(
  { clock }: Platform,
  trx: Trx,
  announce: Announce,
  { licence, email, invoice }: { licence: Licence; email: string; invoice: string },
): Promise<void> {
  const worksUntil = dayOf(licence.expiresAt + licence.graceDays * 86_400_000);
  const rendered = renderMail({
    language: 'en',
    subject: 'Your licence could not be renewed',
    parts: [
      `The payment for the renewal of licence ${licence.publicId} did not go through.`,
      `Your sites go on working until ${worksUntil}. The payment is tried again by itself; if your card has changed, please update it by way of the link in the mails of our payment service.`,
    ],
  });
  const onceKey = `payment-failed:${invoice}`;
  const mail = { ...rendered, to: email, kind: 'licence_payment_failed', onceKey };
  await queueMail(trx, announce, mail, clock.now());
}

const dayOf = (milliseconds: number): string => isoMoment(milliseconds).slice(0, 10);
