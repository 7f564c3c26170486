import { type RenderedMail, renderMail } from '../../../mail/index.ts';

interface Texts {
  subject: (origin: string, day: string) => string;
  intro: (origin: string) => string;
  keep: string;
  size: string;
  signed: string;
  check: string;
  stop: string;
}

const en: Texts = {
  subject: (origin, day) => `Checkpoint of the consent log ${origin}, ${day}`,
  intro: (origin) =>
    `This is a checkpoint of the consent log ${origin}. The log holds a hash of each consent choice. The checkpoint states how many entries there are, and one hash of all of them.`,
  keep: 'Keep this email. If somebody changes or removes one of these entries later, the log no longer matches this checkpoint, even if the key of the log was stolen.',
  size: 'Entries',
  signed: 'Signed at',
  check:
    'To compare, save the lines below in a file, with the empty line, and run "npx pavis log verify --against FILE" on the server:',
  stop: 'You get one such email a day if the log has grown, because the settings name your address as that of the data protection officer or of the controller. To stop them, turn off "mail_checkpoint" in the settings of the consent log.',
};

const de: Texts = {
  subject: (origin, day) => `Prüfpunkt des Einwilligungsprotokolls ${origin}, ${day}`,
  intro: (origin) =>
    `Dies ist ein Prüfpunkt des Einwilligungsprotokolls ${origin}. Das Protokoll enthält einen Hashwert jeder Einwilligungsentscheidung. Der Prüfpunkt nennt die Anzahl der Einträge und einen Hashwert über alle Einträge.`,
  keep: 'Bewahren Sie diese E-Mail auf. Wird einer dieser Einträge später geändert oder entfernt, passt das Protokoll nicht mehr zu diesem Prüfpunkt, auch wenn der Schlüssel des Protokolls gestohlen wurde.',
  size: 'Einträge',
  signed: 'Signiert am',
  check:
    'Zum Vergleichen speichern Sie die folgenden Zeilen samt der Leerzeile in einer Datei, und führen Sie auf dem Server „npx pavis log verify --against DATEI“ aus:',
  stop: 'Sie erhalten höchstens eine solche E-Mail am Tag, wenn das Protokoll gewachsen ist, weil Ihre Adresse in den Einstellungen als die des Datenschutzbeauftragten oder des Verantwortlichen eingetragen ist. Zum Abbestellen schalten Sie „mail_checkpoint“ in den Einstellungen des Einwilligungsprotokolls aus.',
};

/** The email with a checkpoint. @param signedAt epoch milliseconds */
export function renderCheckpointMail(
  { origin, size, checkpoint, signedAt }: MailedCheckpoint,
  language: string,
): RenderedMail {
  const texts = language.startsWith('de') ? de : en;
  const moment = new Date(signedAt).toISOString();
  return renderMail({
    language: language.startsWith('de') ? 'de' : 'en',
    subject: texts.subject(origin, moment.slice(0, 10)),
    parts: [
      texts.intro(origin),
      texts.keep,
      {
        facts: [
          [texts.size, new Intl.NumberFormat(language).format(size)],
          [texts.signed, moment],
        ],
      },
      texts.check,
      checkpoint.trimEnd(),
      texts.stop,
    ],
  });
}

export interface MailedCheckpoint {
  origin: string;
  size: number;
  /** Signed note. */
  checkpoint: string;
  /** Epoch milliseconds. */
  signedAt: number;
}
