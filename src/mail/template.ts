import { escapeHtml } from '../platform/html.ts';

/** What a mail says, without its looks. */
export interface MailContent {
  /** BCP 47, as `en`. */
  language: string;
  subject: string;
  /** In order: paragraphs, lists of facts, and links that stand alone. */
  parts: readonly MailPart[];
}

export type MailPart =
  | string
  | { facts: readonly (readonly [name: string, value: string])[] }
  | { link: string; label: string };

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** No colours of its own: each reader has its own light or dark ground. */
const STYLE = 'font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:0 auto;padding:1em';
const BUTTON =
  'display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#9a3412;color:#fff;font-weight:600;text-decoration:none';
/** An address has no place to break at, and must not widen the page of a telephone. */
const ADDRESS = 'font-size:14px;color:inherit;word-break:break-all';

/** A mail as plain text and as HTML that says the same: no pictures, nothing fetched from anywhere, no tracking. */
export function renderMail({ language, subject, parts }: MailContent): RenderedMail {
  const first = parts.findIndex((part) => typeof part !== 'string' && 'link' in part);
  const body = parts.map((part, index) => htmlOf(part, index === first)).join('\n');
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
  ].join('');
  return {
    subject,
    text: `${parts.map(textOf).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${escapeHtml(language)}"><head>${head}</head>\n<body style="${STYLE}">\n${body}\n</body></html>\n`,
  };
}

function textOf(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('link' in part) return `${part.label}:\n${part.link}`;
  return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** What a mail is about is one button; further links are less loud. */
function htmlOf(part: MailPart, isMain: boolean): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`;
  if ('link' in part) {
    const [url, label] = [escapeHtml(part.link), escapeHtml(part.label)];
    if (!isMain) return `<p>${label}:<br><a href="${url}" style="${ADDRESS}">${url}</a></p>`;
    return `<p><a href="${url}" style="${BUTTON}">${label}</a></p>\n<p style="${ADDRESS}">${url}</p>`;
  }
  const rows = part.facts.map(
    ([name, value]) =>
      `<tr><th scope="row" align="left" style="font-weight:400">${escapeHtml(name)}</th><td><b>${escapeHtml(value)}</b></td></tr>`,
  );
  return `<table cellpadding="4">${rows.join('')}</table>`;
}
