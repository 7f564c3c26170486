import { type MailPart, type RenderedMail, renderMail } from '../../../../mail/index.ts';
import { formatDay } from '../../../../platform/clock.ts';
import type { RequestType } from '../../rules.ts';
import type { NewRequest } from './store.ts';

/** More than that are counted only. */
const MOST_LISTED = 100;

interface Texts {
  types: Record<RequestType, string>;
  one: (reference: string) => string;
  many: (count: number) => string;
  due: (type: string, day: string) => string;
  more: (count: number) => string;
  open: string;
}

const en: Texts = {
  types: {
    access: 'Access',
    deletion: 'Deletion',
    rectification: 'Rectification',
    portability: 'Portability',
    objection: 'Objection',
  },
  one: (reference) => `New privacy request ${reference}`,
  many: (count) => `${count} new privacy requests`,
  due: (type, day) => `${type}, deadline ${day}`,
  more: (count) => `And ${count} more.`,
  open: 'Open in the console',
};

const de: Texts = {
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

/**
 * The email about new requests: references, types and deadlines, and nothing of the persons.
 * @param language that of the site; what is neither English nor German is told in English
 * @param consoleUrl where the console lists requests
 */
export function renderAlert(
  requests: readonly NewRequest[],
  { language, consoleUrl }: { language: string; consoleUrl: string },
): RenderedMail {
  const isGerman = /^de\b/i.test(language);
  const [texts, code] = isGerman ? [de, 'de'] : [en, 'en'];
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
