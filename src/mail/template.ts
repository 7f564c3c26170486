import { escapeHtml } from '../platform/html.ts';

/** In whose name an email to a customer is. */
export interface MailBrand {
  name: string | null;
  /** CSS colours of the button. */
  button: { background: string; text: string } | null;
  help: { label: string; url: string } | null;
}

interface MailContent {
  /** BCP 47, for example `en`. */
  language: string;
  subject: string;
  parts: readonly MailPart[];
  from?: MailBrand;
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
  'display:inline-block;padding:.6em 1.2em;border-radius:.4em;font-weight:600;text-decoration:none';
const BUTTON_COLORS = { background: '#9a3412', text: '#fff' };
const NAME = 'font-size:18px;font-weight:600';
const END = 'font-size:14px;margin-top:2em';
/** Breaks long addresses, which would widen the page on a phone. */
const ADDRESS = 'font-size:14px;color:inherit;word-break:break-all';

/** A mail as plain text and HTML, without external resources or tracking. */
export function renderMail({ language, subject, parts, from }: MailContent): RenderedMail {
  const colors = from?.button ?? BUTTON_COLORS;
  const button = `${BUTTON};background:${colors.background};color:${colors.text}`;
  const first = parts.findIndex((part) => typeof part !== 'string' && 'link' in part);
  const body = parts.map((part, index) => toHtml(part, index === first, button)).join('\n');
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(subject)}</title>`,
  ].join('');
  return {
    subject,
    text: `${[...parts.map(toText), ...listTextEnd(from)].join('\n\n')}\n`,
    html: `<!doctype html>\n<html lang="${escapeHtml(language)}"><head>${head}</head>\n<body style="${STYLE}">\n${toHtmlStart(from)}${body}\n${toHtmlEnd(from)}</body></html>\n`,
  };
}

const listTextEnd = (from: MailBrand | undefined): string[] =>
  [from?.name, from?.help && `${from.help.label}: ${toAddress(from.help.url)}`].filter(
    (line) => typeof line === 'string',
  );

const toHtmlStart = (from: MailBrand | undefined): string =>
  from?.name ? `<p style="${NAME}">${escapeHtml(from.name)}</p>\n` : '';

function toHtmlEnd(from: MailBrand | undefined): string {
  if (!from?.help) return '';
  const { label, url } = from.help;
  return `<p style="${END}">${escapeHtml(label)}: <a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(toAddress(url))}</a></p>\n`;
}

/** Formats a URL for readers: an email address without `mailto:`. */
const toAddress = (url: string): string => url.replace(/^mailto:/, '');

function toText(part: MailPart): string {
  if (typeof part === 'string') return part;
  if ('link' in part) return `${part.label}:\n${part.link}`;
  return part.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/**
 * @param isMain the first link, which is shown as a button
 * @param button the style of the button
 */
function toHtml(part: MailPart, isMain: boolean, button: string): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part).replaceAll('\n', '<br>')}</p>`;
  if ('link' in part) {
    const [url, label] = [escapeHtml(part.link), escapeHtml(part.label)];
    if (!isMain) return `<p>${label}:<br><a href="${url}" style="${ADDRESS}">${url}</a></p>`;
    return `<p><a href="${url}" style="${button}">${label}</a></p>\n<p style="${ADDRESS}">${url}</p>`;
  }
  const rows = part.facts.map(
    ([name, value]) =>
      `<tr><th scope="row" align="left" style="font-weight:400">${escapeHtml(name)}</th><td><b>${escapeHtml(value)}</b></td></tr>`,
  );
  return `<table cellpadding="4">${rows.join('')}</table>`;
}
