import { type RenderedMail, renderMail } from '../../mail/index.ts';
import { type Brand, type Language, toMailBrand } from '../branding/index.ts';
import { LINK_HOURS } from './links.ts';

const TEXTS = {
  en: {
    subject: (product: string) =>
      product ? `Start your free trial of ${product}` : 'Start your free trial',
    before: (plan: string, days: number) =>
      `Use this link to start your free trial of the tier ${plan} for ${days === 1 ? '1 day' : `${days} days`}:`,
    label: 'Start the trial',
    end: 'The trial ends by itself. Nothing is charged, and no card is needed.',
    once: `The link works within ${LINK_HOURS} hours.`,
    usedSubject: (product: string) =>
      product ? `About your free trial of ${product}` : 'About your free trial',
    used: (product: string) =>
      `A free trial${product && ` of ${product}`} was requested with this address. Each email address and each site can have one trial of a product, and this address or this site has already had it.`,
    account: 'Your licences are in your account:',
    accountLabel: 'Your licences',
    ignore: 'If you did not ask for a trial, ignore this email. Nothing starts without you.',
  },
  de: {
    subject: (product: string) =>
      product ? `Starten Sie Ihre Testphase von ${product}` : 'Starten Sie Ihre Testphase',
    before: (plan: string, days: number) =>
      `Mit diesem Link starten Sie Ihre kostenlose Testphase des Tarifs ${plan} für ${days === 1 ? 'einen Tag' : `${days} Tage`}:`,
    label: 'Testphase starten',
    end: 'Die Testphase endet von selbst. Es wird nichts abgebucht, und Sie brauchen keine Karte.',
    once: `Der Link funktioniert innerhalb von ${LINK_HOURS} Stunden.`,
    usedSubject: (product: string) =>
      product ? `Zu Ihrer Testphase von ${product}` : 'Zu Ihrer Testphase',
    used: (product: string) =>
      `Mit dieser Adresse wurde eine kostenlose Testphase${product && ` von ${product}`} angefordert. Jede E-Mail-Adresse und jede Website kann eine Testphase pro Produkt haben, und diese Adresse oder diese Website hatte sie schon.`,
    account: 'Ihre Lizenzen finden Sie in Ihrem Konto:',
    accountLabel: 'Ihre Lizenzen',
    ignore:
      'Wenn Sie keine Testphase angefordert haben, beachten Sie diese E-Mail nicht. Ohne Sie beginnt nichts.',
  },
};

interface Voice {
  brand: Brand;
  /** Empty for the default product, until the vendor gives it a name. */
  product: string;
}

/**
 * The email that confirms a trial. It repeats nothing that was typed, so that nobody can send words of their own to
 * other people's addresses.
 */
export function renderTrialMail(
  { brand, product }: Voice,
  { link, plan, days }: { link: string; plan: string; days: number },
): RenderedMail {
  const language: Language = brand.language ?? 'en';
  const texts = TEXTS[language];
  return renderMail({
    language,
    subject: texts.subject(product),
    parts: [
      texts.before(plan, days),
      { link, label: texts.label },
      texts.once,
      texts.end,
      texts.ignore,
    ],
    from: toMailBrand(brand, language),
  });
}

/** The email about a trial that was used before. */
export function renderTrialUsedMail({ brand, product }: Voice, accountUrl: string): RenderedMail {
  const language: Language = brand.language ?? 'en';
  const texts = TEXTS[language];
  return renderMail({
    language,
    subject: texts.usedSubject(product),
    parts: [
      texts.used(product),
      texts.account,
      { link: accountUrl, label: texts.accountLabel },
      texts.ignore,
    ],
    from: toMailBrand(brand, language),
  });
}
