import { html } from '../../../platform/html.ts';
import { renderIcon } from '../../../platform/http/page-icon.ts';
import { STYLES } from './page.ts';

interface Refusal {
  title: string;
  paragraphs: string[];
  /** Whether the same request can succeed later. */
  canRetry: boolean;
}

type Code =
  | 'not_found'
  | 'receipt_not_ready'
  | 'receipt_unavailable'
  | 'log_damaged'
  | 'rate_limited';

const ENGLISH: Record<Code, Refusal> = {
  not_found: {
    title: 'There is no receipt for your choice',
    paragraphs: [
      'Your choice may not have reached the website yet, for example because your connection was interrupted. In that case, try again in a minute.',
      'There is also no receipt if your personal data was removed from the record, or if the visitor id is one that others could guess.',
    ],
    canRetry: true,
  },
  receipt_not_ready: {
    title: 'Your receipt is not ready yet',
    paragraphs: ['It is usually ready two seconds after your choice.'],
    canRetry: true,
  },
  receipt_unavailable: {
    title: 'There is no receipt for your choice',
    paragraphs: [
      'The record of your choice differs from what was logged when you made it. Please tell the operator of the website.',
    ],
    canRetry: false,
  },
  log_damaged: {
    title: 'There is no receipt for your choice at the moment',
    paragraphs: [
      'The log in which your choice was entered is damaged. Please tell the operator of the website.',
    ],
    canRetry: true,
  },
  rate_limited: {
    title: 'Too many receipts were requested',
    paragraphs: ['Try again in a minute.'],
    canRetry: true,
  },
};

const GERMAN: Record<Code, Refusal> = {
  not_found: {
    title: 'Zu Ihrer Entscheidung gibt es keinen Beleg',
    paragraphs: [
      'Vielleicht hat Ihre Entscheidung die Website noch nicht erreicht, zum Beispiel weil Ihre Verbindung unterbrochen war. Versuchen Sie es dann in einer Minute noch einmal.',
      'Es gibt auch keinen Beleg, wenn Ihre personenbezogenen Daten aus der Aufzeichnung entfernt wurden oder wenn andere die Besucher-ID erraten könnten.',
    ],
    canRetry: true,
  },
  receipt_not_ready: {
    title: 'Ihr Beleg ist noch nicht fertig',
    paragraphs: ['Er ist in der Regel zwei Sekunden nach Ihrer Entscheidung fertig.'],
    canRetry: true,
  },
  receipt_unavailable: {
    title: 'Zu Ihrer Entscheidung gibt es keinen Beleg',
    paragraphs: [
      'Die Aufzeichnung Ihrer Entscheidung weicht von dem ab, was bei der Entscheidung protokolliert wurde. Bitte teilen Sie das dem Betreiber der Website mit.',
    ],
    canRetry: false,
  },
  log_damaged: {
    title: 'Zu Ihrer Entscheidung gibt es derzeit keinen Beleg',
    paragraphs: [
      'Das Protokoll, in dem Ihre Entscheidung steht, ist beschädigt. Bitte teilen Sie das dem Betreiber der Website mit.',
    ],
    canRetry: true,
  },
  rate_limited: {
    title: 'Es wurden zu viele Belege angefordert',
    paragraphs: ['Versuchen Sie es in einer Minute noch einmal.'],
    canRetry: true,
  },
};

/**
 * The page for a visitor whose browser opened the address of a receipt that there is not.
 * @param code of the error
 * @param languages in the form of `Accept-Language`; German if it comes before English
 * @param address of this page, for another attempt
 * @returns undefined for other errors
 */
export function renderRefusal(
  code: string,
  languages: string,
  address: string,
): string | undefined {
  const language = /\b(de|en)\b/i.exec(languages)?.[1]?.toLowerCase() ?? 'en';
  const refusal = (language === 'de' ? GERMAN : ENGLISH)[code as Code] as Refusal | undefined;
  if (!refusal) return undefined;
  const { title, paragraphs, canRetry } = refusal;
  const again = language === 'de' ? 'Noch einmal versuchen' : 'Try again';
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">${renderIcon()}<style>${STYLES}</style></head>
<body><main><h1>${title}</h1>
${paragraphs.map((text) => html`<p>${text}</p>\n`)}${canRetry && html`<p><a href="${address}">${again}</a></p>`}
</main></body></html>
`.text;
}
