import { type MailPart, type RenderedMail, renderMail } from '../../../../mail/index.ts';
import { formatDay } from '../../../../platform/clock.ts';
import type { RequestType } from '../../rules.ts';
import type { NewRequest } from './store.ts';

/** Requests that an email lists. Further ones are only counted. */
export const MOST_LISTED = 100;

const en = {
  types: {
    access: 'Access',
    deletion: 'Deletion',
    rectification: 'Rectification',
    portability: 'Portability',
    objection: 'Objection',
  } satisfies Record<RequestType, string>,
  one: (reference: string) => `New privacy request ${reference}`,
  many: (count: number) => `${count} new privacy requests`,
  due: (type: string, day: string) => `${type}, deadline ${day}`,
  more: (count: number) => `And ${count} more.`,
  open: 'Open in the console',
};

const de: typeof en = {
  types: {
    access: 'Auskunft',
    deletion: 'Löschung',
    rectification: 'Berichtigung',
    portability: 'Datenübertragbarkeit',
    objection: 'Widerspruch',
  },
  one: (reference) => `Neue Datenschutz-Anfrage ${reference}`,
  many: (count) => `${count} neue Datenschutz-Anfragen`,
  due: (type, day) => `${type}, Frist ${day}`,
  more: (count) => `Und ${count} weitere.`,
  open: 'In der Konsole öffnen',
};

export type AlertTexts = typeof en;

/** The texts of emails to administrators, with their language: English for any other than German. */
export const getAlertTexts = (language: string): [AlertTexts, 'de' | 'en'] =>
  /^de\b/i.test(language) ? [de, 'de'] : [en, 'en'];

/**
 * The email about new requests: references, types and deadlines, and nothing about the persons.
 * @param language of the site; English for any other than German
 * @param consoleUrl the list of requests
 */
export function renderAlert(
  requests: readonly NewRequest[],
  { language, consoleUrl }: { language: string; consoleUrl: string },
): RenderedMail {
  const [texts, code] = getAlertTexts(language);
  const listed = requests.slice(0, MOST_LISTED);
  const [first] = listed;
  const isOne = requests.length === 1 && first !== undefined;
  const parts: MailPart[] = [
    {
      facts: listed.map(({ reference, requestType, deadline }) => [
        reference,
        texts.due(texts.types[requestType], formatDay(code, deadline)),
      ]),
    },
    ...(requests.length > listed.length ? [texts.more(requests.length - listed.length)] : []),
    { link: isOne ? `${consoleUrl}/${first.id}` : consoleUrl, label: texts.open },
  ];
  const subject = isOne ? texts.one(first.reference) : texts.many(requests.length);
  return renderMail({ language: code, subject, parts });
}
