import { type MailPart, type RenderedMail, renderMail } from '../../../mail/index.ts';
import type { LoggedEvent } from '../store.ts';
import type { AlertKind } from './rules.ts';

/** Further events are counted only. */
const MOST_LISTED = 20;

interface KindTexts {
  one: string;
  many: (count: number) => string;
  /** What it means, and what to do. */
  advice: string;
  line: (event: LoggedEvent) => string;
}

interface Texts extends Record<AlertKind, KindTexts> {
  more: (count: number) => string;
  open: string;
  hourly: string;
}

const someone = (event: LoggedEvent, unknown: string): string => event.login ?? unknown;
const number = (event: LoggedEvent, name: string): number => Number(event.details[name] ?? 0);

const en: Texts = {
  account_locked: {
    one: 'Security alert: sign-in blocked after failed attempts',
    many: (count) => `Security alert: sign-in blocked ${count} times after failed attempts`,
    advice:
      'There were too many failed attempts to sign in. If neither you nor a colleague made them, someone is guessing passwords. The account unlocks by itself. To unlock it now, run "pavis user unlock LOGIN".',
    line: (event) =>
      `${someone(event, 'unknown account')}, from ${event.address ?? 'several addresses'}`,
  },
  sign_in_burst: {
    one: 'Security alert: many failed sign-ins for several accounts',
    many: (count) => `Security alert: many failed sign-ins for several accounts, ${count} times`,
    advice:
      'Someone is trying to sign in to several accounts. Rate limits slow the attack down. Check that every administrator has a strong password that they use nowhere else.',
    line: (event) =>
      `${number(event, 'failures')} failed attempts in 10 minutes: accounts tried: ${number(event, 'accounts')}, attempts with logins that do not exist: ${number(event, 'unknown_logins')}`,
  },
  administrator_sign_in: {
    one: 'Security alert: administrator signed in with a new device',
    many: (count) => `Security alert: ${count} sign-ins of administrators with new devices`,
    advice:
      'This account has not signed in with this browser in the last 180 days, or the cookies of the browser were deleted. If you do not recognise this sign-in, reset the password and the second factor of the account in the console, unlink single sign-on, and revoke its application passwords. The new password signs the account out everywhere, but a passkey and single sign-on sign in without it.',
    line: (event) =>
      `${someone(event, 'unknown account')}, from ${event.address ?? 'unknown address'}`,
  },
  administrator_added: {
    one: 'Security alert: new administrator',
    many: (count) => `Security alert: ${count} new administrators`,
    advice:
      'Administrators can read and change all data. If this was not intended, change the role of the account in the console.',
    line: (event) => `${someone(event, 'unknown account')}, by ${event.actor ?? 'unknown'}`,
  },
  mass_export: {
    one: 'Security alert: many records exported',
    many: (count) => `Security alert: ${count} exports of many records`,
    advice: 'If this was not intended, find out who has the file, and ask them to delete it.',
    line: (event) =>
      `${event.details.unfinished ? 'at least ' : ''}${number(event, 'records')} records (${event.details.what}), by ${event.actor ?? 'unknown'}`,
  },
  more: (count) => `And ${count} more.`,
  open: 'Open the security log',
  hourly: 'You get at most one email of this kind an hour. The security log has every event.',
};

const de: Texts = {
  account_locked: {
    one: 'Sicherheitsmeldung: Anmeldung nach Fehlversuchen gesperrt',
    many: (count) => `Sicherheitsmeldung: Anmeldung nach Fehlversuchen ${count}-mal gesperrt`,
    advice:
      'Es gab zu viele fehlgeschlagene Anmeldeversuche. Wenn sie weder von Ihnen noch aus Ihrem Team kamen, rät jemand Passwörter. Die Sperre endet von selbst. „pavis user unlock LOGIN“ beendet sie sofort.',
    line: (event) =>
      `${someone(event, 'unbekanntes Konto')}, von ${event.address ?? 'mehreren Adressen'}`,
  },
  sign_in_burst: {
    one: 'Sicherheitsmeldung: viele Fehlversuche bei mehreren Konten',
    many: (count) => `Sicherheitsmeldung: viele Fehlversuche bei mehreren Konten, ${count}-mal`,
    advice:
      'Jemand versucht, sich bei mehreren Konten anzumelden. Begrenzungen bremsen das. Prüfen Sie, dass alle Administratoren ein starkes Passwort haben, das sie nirgends sonst verwenden.',
    line: (event) =>
      `${number(event, 'failures')} Fehlversuche in 10 Minuten: versuchte Konten: ${number(event, 'accounts')}, Versuche mit nicht vorhandenen Anmeldenamen: ${number(event, 'unknown_logins')}`,
  },
  administrator_sign_in: {
    one: 'Sicherheitsmeldung: Administrator mit neuem Gerät angemeldet',
    many: (count) =>
      `Sicherheitsmeldung: ${count} Anmeldungen von Administratoren mit neuen Geräten`,
    advice:
      'Dieses Konto hat sich mit diesem Browser in den letzten 180 Tagen nicht angemeldet, oder die Cookies des Browsers wurden gelöscht. Wenn das niemand war, den Sie kennen, setzen Sie in der Konsole das Passwort und den zweiten Faktor des Kontos zurück, heben Sie die Verknüpfung mit Single Sign-on auf („Unlink single sign-on“), und widerrufen Sie seine Anwendungspasswörter. Das neue Passwort meldet das Konto überall ab, doch ein Passkey und Single Sign-on melden ohne Passwort an.',
    line: (event) =>
      `${someone(event, 'unbekanntes Konto')}, von ${event.address ?? 'unbekannter Adresse'}`,
  },
  administrator_added: {
    one: 'Sicherheitsmeldung: neuer Administrator',
    many: (count) => `Sicherheitsmeldung: ${count} neue Administratoren`,
    advice:
      'Ein Administrator darf alles lesen und ändern. Wenn das nicht beabsichtigt war, ändern Sie die Rolle des Kontos in der Konsole.',
    line: (event) => `${someone(event, 'unbekanntes Konto')}, durch ${event.actor ?? 'unbekannt'}`,
  },
  mass_export: {
    one: 'Sicherheitsmeldung: viele Datensätze exportiert',
    many: (count) => `Sicherheitsmeldung: ${count} Exporte vieler Datensätze`,
    advice:
      'Wenn das nicht beabsichtigt war, klären Sie, wer die Datei hat, und lassen Sie sie löschen.',
    line: (event) =>
      `${event.details.unfinished ? 'mindestens ' : ''}${number(event, 'records')} Datensätze (${event.details.what}), durch ${event.actor ?? 'unbekannt'}`,
  },
  more: (count) => `Und ${count} weitere.`,
  open: 'Sicherheitsprotokoll öffnen',
  hourly:
    'Sie erhalten höchstens eine E-Mail dieser Art pro Stunde. Das Sicherheitsprotokoll enthält jedes Ereignis.',
};

/**
 * The email about events of one kind, newest first.
 * @param language of the site; English is used for other languages than German
 * @param consoleUrl where the console shows the security log
 */
export function renderAlert(
  kind: AlertKind,
  events: readonly LoggedEvent[],
  { language, timeZone, consoleUrl }: { language: string; timeZone: string; consoleUrl: string },
): RenderedMail {
  const isGerman = /^de\b/i.test(language);
  const [texts, code, locale] = isGerman ? [de, 'de', 'de-DE'] : [en, 'en', 'en-GB'];
  const { one, many, advice, line } = texts[kind];
  const time = new Intl.DateTimeFormat(locale, {
    ...{ day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', timeZone, timeZoneName: 'short' },
  });
  const count = events.reduce((sum, event) => sum + event.count, 0);
  const listed = events.slice(0, MOST_LISTED);
  const parts: MailPart[] = [
    { facts: listed.map((event) => [time.format(event.at), line(event)] as const) },
    ...(events.length > listed.length ? [texts.more(events.length - listed.length)] : []),
    advice,
    { link: consoleUrl, label: texts.open },
    texts.hourly,
  ];
  return renderMail({ language: code, subject: count === 1 ? one : many(count), parts });
}
