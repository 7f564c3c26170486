import { type RenderedMail, renderMail } from '../../../mail/index.ts';

const TEXTS = {
  en: {
    subject: 'Reset your password',
    before: (login: string) =>
      `Somebody asked to reset the password of your account ${login} in the Pavis console. Use this link to choose a new password:`,
    label: 'Choose a new password',
    once: 'The link works once, within 1 hour. The new password signs you out everywhere.',
    ignore:
      'If you did not ask for this, ignore this email. Your password stays as it is, and nobody can change it without the link.',
    doneSubject: 'Your password was reset',
    done: (login: string) =>
      `The password of your account ${login} in the Pavis console was reset with a link that was emailed to this address. All sessions were ended.`,
    notYou:
      'If that was not you, somebody can read your emails. Secure your mailbox first. Then reset your password again, remove passkeys and application passwords that are not yours in your account, and tell an administrator.',
    signIn: 'Sign in',
  },
  de: {
    subject: 'Passwort zurücksetzen',
    before: (login: string) =>
      `Jemand möchte das Passwort Ihres Kontos ${login} in der Pavis-Konsole zurücksetzen. Mit diesem Link wählen Sie ein neues Passwort:`,
    label: 'Neues Passwort wählen',
    once: 'Der Link funktioniert einmal, innerhalb von 1 Stunde. Das neue Passwort meldet Sie überall ab.',
    ignore:
      'Wenn Sie das nicht waren, beachten Sie diese E-Mail nicht. Ihr Passwort bleibt, wie es ist. Ohne den Link kann es niemand ändern.',
    doneSubject: 'Ihr Passwort wurde zurückgesetzt',
    done: (login: string) =>
      `Das Passwort Ihres Kontos ${login} in der Pavis-Konsole wurde mit einem Link zurückgesetzt, der an diese Adresse gesendet wurde. Alle Sitzungen wurden beendet.`,
    notYou:
      'Wenn Sie das nicht waren, kann jemand Ihre E-Mails lesen. Sichern Sie zuerst Ihr Postfach. Setzen Sie dann Ihr Passwort noch einmal zurück, entfernen Sie in Ihrem Konto Passkeys und Anwendungspasswörter, die nicht von Ihnen sind, und informieren Sie die Administration.',
    signIn: 'Anmelden',
  },
} as const;

const toLanguage = (language: string) => (/^de\b/i.test(language) ? 'de' : 'en');

interface ResetMail {
  login: string;
  /** The language of the site. Emails are in German or English. */
  language: string;
  link: string;
}

export function renderResetMail({ login, language: site, link }: ResetMail): RenderedMail {
  const language = toLanguage(site);
  const texts = TEXTS[language];
  return renderMail({
    language,
    subject: texts.subject,
    parts: [texts.before(login), { link, label: texts.label }, texts.once, texts.ignore],
  });
}

/** The email after a password was reset. @param mail `link` leads to the sign-in page */
export function renderResetDoneMail({ login, language: site, link }: ResetMail): RenderedMail {
  const language = toLanguage(site);
  const texts = TEXTS[language];
  return renderMail({
    language,
    subject: texts.doneSubject,
    parts: [texts.done(login), texts.notYou, { link, label: texts.signIn }],
  });
}
