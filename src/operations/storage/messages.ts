import { type MailPart, type RenderedMail, renderMail } from '../../mail/index.ts';
import type { Reading, StorageAlert } from './rules.ts';

interface Texts {
  subjects: Record<StorageAlert, string>;
  meanings: Record<StorageAlert, string>;
  server: string;
  free: string;
  database: string;
  daysLeft: string;
  action: string;
}

const en: Texts = {
  subjects: {
    disk_low: 'The disk of Pavis is almost full',
    disk_filling: 'The disk of Pavis is filling up quickly',
    database_large: 'The database of Pavis has become large',
  },
  meanings: {
    disk_low:
      'Once the disk is full, Pavis cannot record consents or requests. Free some space or enlarge the disk.',
    disk_filling:
      'At the present rate the disk will be full within a few days. Large releases that were uploaded just now can be the reason: then the rate falls by itself. Otherwise check whether someone records an unusual number of consents, and enlarge the disk if necessary.',
    database_large:
      'The database has reached the size that is set in PAVIS_DATABASE_WARN_MB. Check the space that is left for it, and set a higher value if there is enough.',
  },
  server: 'Server',
  free: 'Free space',
  database: 'Database',
  daysLeft: 'Full in (days)',
  action: 'You will get another email only after the problem is solved and occurs again.',
};

const de: Texts = {
  subjects: {
    disk_low: 'Der Speicherplatz von Pavis ist fast voll',
    disk_filling: 'Der Speicherplatz von Pavis füllt sich schnell',
    database_large: 'Die Datenbank von Pavis ist groß geworden',
  },
  meanings: {
    disk_low:
      'Ist der Speicherplatz voll, kann Pavis weder Einwilligungen noch Anfragen speichern. Geben Sie Speicherplatz frei oder vergrößern Sie ihn.',
    disk_filling:
      'Bei gleichbleibendem Wachstum ist der Speicherplatz in wenigen Tagen voll. Prüfen Sie, ob ungewöhnlich viele Einwilligungen gespeichert werden, und vergrößern Sie bei Bedarf den Speicherplatz.',
    database_large:
      'Die Datenbank hat die Größe erreicht, die in PAVIS_DATABASE_WARN_MB festgelegt ist. Prüfen Sie den verbleibenden Platz, und legen Sie einen höheren Wert fest, wenn er ausreicht.',
  },
  server: 'Server',
  free: 'Freier Speicherplatz',
  database: 'Datenbank',
  daysLeft: 'Voll in (Tagen)',
  action:
    'Sie erhalten erst dann wieder eine E-Mail, wenn das Problem behoben ist und erneut auftritt.',
};

/**
 * The email to administrators about an alert.
 * @param language of the site; English is used for other languages than German
 */
export function renderStorageAlert(
  alert: StorageAlert,
  { freeBytes, databaseBytes }: Reading,
  { host, daysLeft, language }: { host: string; daysLeft: number | undefined; language: string },
): RenderedMail {
  const [texts, code] = /^de\b/i.test(language) ? [de, 'de'] : [en, 'en'];
  const facts: [string, string][] = [
    [texts.server, host],
    [texts.free, formatSize(freeBytes, code)],
    [texts.database, formatSize(databaseBytes, code)],
  ];
  if (daysLeft !== undefined) facts.push([texts.daysLeft, formatNumber(daysLeft, code)]);
  const parts: MailPart[] = [texts.meanings[alert], { facts }, texts.action];
  return renderMail({ language: code, subject: texts.subjects[alert], parts });
}

const formatNumber = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);

export const formatSize = (bytes: number, language = 'en'): string =>
  bytes >= 2 ** 30
    ? `${formatNumber(bytes / 2 ** 30, language)} GB`
    : `${formatNumber(bytes / 2 ** 20, language)} MB`;
