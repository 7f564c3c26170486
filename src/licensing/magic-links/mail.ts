import { type RenderedMail, renderMail } from '../../mail/index.ts';
import { type Brand, type Language, toMailBrand } from '../branding/index.ts';

const TEXTS = {
  en: {
    subject: 'Your sign-in link',
    before: 'Use this link to sign in to your licences:',
    label: 'Sign in',
    once: (minutes: number) =>
      `The link works once, within ${minutes} minutes. It stops working when you sign in with another link, or request a new one from the same network.`,
    ignore: 'If you did not request it, ignore this email. Nobody can sign in without it.',
  },
  de: {
    subject: 'Ihr Link zum Anmelden',
    before: 'Mit diesem Link melden Sie sich bei Ihren Lizenzen an:',
    label: 'Anmelden',
    once: (minutes: number) =>
      `Der Link funktioniert einmal, innerhalb von ${minutes} Minuten. Er verfällt, sobald Sie sich mit einem anderen Link anmelden oder aus demselben Netz einen neuen anfordern.`,
    ignore:
      'Wenn Sie ihn nicht angefordert haben, beachten Sie diese E-Mail nicht. Ohne sie kann sich niemand anmelden.',
  },
};

/** @param minutes how long the link works */
export function renderSignInMail(link: string, minutes: number, brand: Brand): RenderedMail {
  const language: Language = brand.language ?? 'en';
  const texts = TEXTS[language];
  return renderMail({
    language,
    subject: texts.subject,
    parts: [texts.before, { link, label: texts.label }, texts.once(minutes), texts.ignore],
    from: toMailBrand(brand, language),
  });
}
