import { escapeHtml } from '../html.ts';

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

const STYLE = 'font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;max-width:36em;margin:0 auto';
const BUTTON =
  'display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#1f4b99;color:#fff';

/** A mail as plain text and as HTML that says the same: no pictures, nothing fetched from anywhere, no tracking. */
export function renderMail({ language, subject, parts }: MailContent): RenderedMail {
  const body = parts.map(htmlOf).join('\n');
  const head = `<meta charset="utf-8"><title>${escapeHtml(subject)}</title>`;
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

function htmlOf(part: MailPart): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`;
  if ('link' in part) {
    const [url, label] = [escapeHtml(part.link), escapeHtml(part.label)];
    return `<p><a href="${url}" style="${BUTTON}">${label}</a></p>\n<p>${url}</p>`;
  }
  const rows = part.facts.map(
    ([name, value]) => `<tr><td>${escapeHtml(name)}</td><td>${escapeHtml(value)}</td></tr>`,
  );
  return `<table cellpadding="4">${rows.join('')}</table>`;
}
