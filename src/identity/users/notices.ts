import { type MailPart, queueMail, type RenderedMail, renderMail } from '../../mail/index.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { User } from '../../platform/rest/caller.ts';
import type { SignInScope } from './second-factor/scope.ts';

/** What happened to the second factor of a user. */
export type SecondFactorAction =
  | 'authenticator_app_added'
  | 'authenticator_app_replaced'
  | 'authenticator_app_removed'
  | 'recovery_codes_created'
  | 'passkey_added'
  | 'passkey_renamed'
  | 'passkey_removed'
  | 'reset';

type NoticeKind =
  | Exclude<SecondFactorAction, 'passkey_renamed'>
  | 'recovery_code_used'
  | 'address_changed'
  | 'password_changed'
  | 'password_reset'
  | 'single_sign_on_unlinked';

interface Notice {
  kind: NoticeKind;
  login: string;
  /** The login of the user who made the change. */
  actor: string;
  /** Epoch milliseconds. */
  at: number;
  /** The name of the passkey. */
  name?: string | undefined;
  /** Recovery codes that are left. */
  left?: number;
  /** Whether the change has also unlinked single sign-on, which ends all sessions. */
  isUnlinked?: boolean;
}

interface Texts {
  subject: Record<NoticeKind, string>;
  facts: { account: string; time: string; by: string; passkey: string; left: string };
  /** What to do if somebody else did it. */
  advice: Partial<Record<NoticeKind, string>> & { otherwise: string };
  unlinked: string;
  open: string;
}

const PASSWORD_EN =
  'All sessions were ended. If you do not recognise this, set a new password with “Forgot your password?” on the sign-in page, remove passkeys and application passwords that are not yours in your account, and tell an administrator.';
const PASSWORD_DE =
  'Alle Sitzungen wurden beendet. Wenn Sie das nicht wiedererkennen, setzen Sie mit „Forgot your password?“ auf der Anmeldeseite ein neues Passwort, entfernen Sie in Ihrem Konto Passkeys und Anwendungspasswörter, die nicht von Ihnen sind, und benachrichtigen Sie einen Administrator.';

const en: Texts = {
  subject: {
    authenticator_app_added: 'An authenticator app was added to your account',
    authenticator_app_replaced: 'The authenticator app of your account was replaced',
    authenticator_app_removed: 'The authenticator app was removed from your account',
    recovery_codes_created: 'New recovery codes were created for your account',
    passkey_added: 'A passkey was added to your account',
    passkey_removed: 'A passkey was removed from your account',
    reset: 'The second factor of your account was reset',
    recovery_code_used: 'A recovery code was used to sign in to your account',
    address_changed: 'The email address of your account was changed',
    password_changed: 'The password of your account was changed',
    password_reset: 'The password of your account was reset',
    single_sign_on_unlinked: 'Single sign-on was unlinked from your account',
  },
  facts: {
    account: 'Account',
    time: 'Time',
    by: 'By',
    passkey: 'Passkey',
    left: 'Recovery codes left',
  },
  advice: {
    otherwise:
      'If you do not recognise this, remove authenticator apps and passkeys that are not yours under “Sign-in security” first: a new password does not stop them. Then revoke application passwords that are not yours, change your password, which signs you out everywhere, and tell an administrator.',
    address_changed:
      'Emails about your account, also those with links that set a new password, are sent to the new address. If you do not recognise this, tell an administrator at once.',
    password_changed: PASSWORD_EN,
    password_reset: PASSWORD_EN,
    single_sign_on_unlinked:
      'All sessions were ended. The next person who signs in through single sign-on with the confirmed email address of your account is linked to it. If you do not recognise this, tell an administrator at once.',
  },
  unlinked: 'Single sign-on was unlinked from your account as well, and all sessions were ended.',
  open: 'Open your account',
};

const de: Texts = {
  subject: {
    authenticator_app_added: 'Ihrem Konto wurde eine Authenticator-App hinzugefügt',
    authenticator_app_replaced: 'Die Authenticator-App Ihres Kontos wurde ersetzt',
    authenticator_app_removed: 'Die Authenticator-App wurde von Ihrem Konto entfernt',
    recovery_codes_created: 'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt',
    passkey_added: 'Ihrem Konto wurde ein Passkey hinzugefügt',
    passkey_removed: 'Ein Passkey wurde von Ihrem Konto entfernt',
    reset: 'Der zweite Faktor Ihres Kontos wurde zurückgesetzt',
    recovery_code_used: 'Mit einem Wiederherstellungscode wurde Ihr Konto angemeldet',
    address_changed: 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
    password_changed: 'Das Passwort Ihres Kontos wurde geändert',
    password_reset: 'Das Passwort Ihres Kontos wurde zurückgesetzt',
    single_sign_on_unlinked: 'Single Sign-on wurde von Ihrem Konto getrennt',
  },
  facts: {
    account: 'Konto',
    time: 'Zeitpunkt',
    by: 'Durch',
    passkey: 'Passkey',
    left: 'Verbleibende Wiederherstellungscodes',
  },
  advice: {
    otherwise:
      'Wenn Sie das nicht wiedererkennen, entfernen Sie zuerst unter „Sign-in security“ Authenticator-Apps und Passkeys, die nicht von Ihnen sind: Ein neues Passwort sperrt sie nicht. Widerrufen Sie dann Anwendungspasswörter, die nicht von Ihnen sind, ändern Sie Ihr Passwort, was Sie überall abmeldet, und benachrichtigen Sie einen Administrator.',
    address_changed:
      'E-Mails zu Ihrem Konto, auch die mit Links zum Setzen eines neuen Passworts, gehen an die neue Adresse. Wenn Sie das nicht wiedererkennen, benachrichtigen Sie sofort einen Administrator.',
    password_changed: PASSWORD_DE,
    password_reset: PASSWORD_DE,
    single_sign_on_unlinked:
      'Alle Sitzungen wurden beendet. Wer sich als Nächstes über Single Sign-on mit der bestätigten E-Mail-Adresse Ihres Kontos anmeldet, wird mit ihm verknüpft. Wenn Sie das nicht wiedererkennen, benachrichtigen Sie sofort einen Administrator.',
  },
  unlinked:
    'Auch Single Sign-on wurde von Ihrem Konto getrennt, und alle Sitzungen wurden beendet.',
  open: 'Konto öffnen',
};

/**
 * The email that tells a user what happened to their account.
 * @param language of the site; English is used for other languages than German
 */
function renderNotice(
  { kind, login, actor, at, name, left, isUnlinked }: Notice,
  { language, timeZone, accountUrl }: { language: string; timeZone: string; accountUrl: string },
): RenderedMail {
  const isGerman = /^de\b/i.test(language);
  const [texts, code, locale] = isGerman ? [de, 'de', 'de-DE'] : [en, 'en', 'en-GB'];
  const time = new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZone, timeZoneName: 'short' },
  });
  const facts: [string, string][] = [
    [texts.facts.account, login],
    ...(name === undefined ? [] : [[texts.facts.passkey, name] as [string, string]]),
    [texts.facts.time, time.format(at)],
    [texts.facts.by, actor],
    ...(left === undefined ? [] : [[texts.facts.left, String(left)] as [string, string]]),
  ];
  const subject = texts.subject[kind];
  const parts: MailPart[] = [
    `${subject}.`,
    { facts },
    ...(isUnlinked ? [texts.unlinked] : []),
    texts.advice[kind] ?? texts.advice.otherwise,
    { link: accountUrl, label: texts.open },
  ];
  return renderMail({ language: code, subject, parts });
}

/**
 * Queues an email that tells a user what happened to their account.
 * @param user as before the change: a new address does not get the email about it
 */
export async function queueNotice(
  { platform, timeZone, consoleUrl }: SignInScope,
  { fromName, language }: Awaited<ReturnType<SignInScope['sender']>>,
  { trx, announce }: { trx: Trx; announce: Announce },
  { login, email: to }: User,
  notice: Omit<Notice, 'login' | 'at'>,
): Promise<void> {
  const at = platform.clock.now();
  const accountUrl = `${consoleUrl()}/profile`;
  const mail = renderNotice({ ...notice, login, at }, { language, timeZone, accountUrl });
  await queueMail(trx, announce, { ...mail, to, kind: 'account_changed', fromName }, at);
}
