import { type MailPart, queueMail, renderMail } from '../../mail/index.ts';
import { formatDay, toIsoMoment } from '../../platform/clock.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import { readEmail } from '../../platform/email-address.ts';
import { type Brand, type Language, readBrand, toMailBrand } from '../branding/index.ts';
import type { Licence } from '../licences/index.ts';
import { getPlan, getProduct, hasOwnName, readCatalogue } from '../products/index.ts';
import { de } from './mail-texts/de.ts';
import { en, type LicenceMailTexts } from './mail-texts/en.ts';

export interface LicenceMail {
  kind: string;
  to: string;
  subject: string;
  parts: readonly MailPart[];
  /** Emails with the same key are sent once. */
  onceKey?: string;
  sealed?: string;
}

const TEXTS: Record<Language, LicenceMailTexts> = { en, de };

/** In whose name, in which language and about which product an email is. */
export interface Voice {
  brand: Brand;
  texts: LicenceMailTexts;
  language: Language;
  /** Empty for the default product, until the vendor gives it a name. */
  product: string;
  /** The name of the plan for people. */
  plan: string;
}

export async function readVoice(trx: Trx, licence: Licence): Promise<Voice> {
  const brand = await readBrand(trx);
  const language = brand.language ?? 'en';
  const product = getProduct(await readCatalogue(trx), licence.productId);
  return {
    brand,
    language,
    texts: TEXTS[language],
    product: hasOwnName(product) ? product.name : '',
    plan: getPlan(product, licence.tier).label,
  };
}

/** Deleted customers have no email address and get no emails. */
export async function queue(
  trx: Trx,
  announce: Announce,
  { brand, language }: Voice,
  { subject, parts, ...mail }: LicenceMail,
  now: number,
): Promise<void> {
  if (!readEmail(mail.to)) return;
  const rendered = renderMail({ language, subject, parts, from: toMailBrand(brand, language) });
  await queueMail(trx, announce, { ...rendered, ...mail }, now);
}

/** With time and zone, because the day depends on the zone. */
export function formatMoment({ language }: Voice, milliseconds: number): string {
  const [day = '', time = ''] = toIsoMoment(milliseconds).split('T');
  return `${formatDay(language, day)}, ${time.slice(0, 5)} UTC`;
}
