import { escapeHtml } from '../platform/html.ts';

interface MailContent {
  /** BCP 47, for example `en`. */
  language: string;
  subject: string;
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

/** No colours: mail programs have a light or a dark background. */
const STYLE = 'font:16px/1.5 system-ui,sans-serif;max-width:36em;margin:0 auto;padding:1em';
const BUTTON =
  'display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#9a3412;color:#fff;font-weight:600;text-decoration:none';
/** Breaks long addresses, which would widen the page on a phone. */
const ADDRESS = 'font-size:14px;color:inherit;word-break:break-all';

/** A mail as plain text and HTML, without external resources or tracking. */
export function renderMail({ language, subject, parts }: MailContent): RenderedMail {
  const first = parts.findIndex((part) => typeof part !== 'string' && 'link' in part);
  const body = parts.map((part, index) => toHtml(part, index === first)).join('\n');
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
  ].join('');
  return {
    subject,
    text: `${parts.map(toText).join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${escapeHtml(language)}"><head>${head}</head>\n<body style="${STYLE}">\n${body}\n</body></html>\n`,
  };
}

function toText(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('link' in part) return `${part.label}:\n${part.link}`;
  return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** @param isMain the first link, which is shown as a button */
function toHtml(part: MailPart, isMain: boolean): string {
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
