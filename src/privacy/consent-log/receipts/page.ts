import { Html, html } from '../../../platform/html.ts';
import { ICON_POLICY, renderIcon } from '../../../platform/http/page-icon.ts';
import { getDirection } from '../../../platform/text-direction.ts';
import { parseCheckpoint, splitNote } from '../../../platform/transparency-log/index.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import { parseReceipt } from './format.ts';
import { findReceiptTexts } from './texts.ts';

/** The pages have no scripts, and the link to the proof is part of the page. */
export const RECEIPT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; ${ICON_POLICY}`;

/** The style sheet of pages for visitors, without scripts. */
export const STYLES = new Html(`:root{color-scheme:light dark}
body{margin:0;font:100%/1.5 system-ui,sans-serif;color:light-dark(#1b2230,#eceff5);background:light-dark(#fff,#181c24);overflow-wrap:anywhere}
main{max-width:44rem;margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:clamp(1.15rem,.55rem + 3.3vw,1.6rem);line-height:1.25;hyphens:auto;hyphenate-limit-chars:14}h2{font-size:1.15rem;margin:2rem 0 .5rem}
li{margin:.35rem 0}li p{margin:0}blockquote{margin:0;padding:.25rem 1rem;border-inline-start:3px solid light-dark(#b9c0cc,#4a5263)}
dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.35rem 1rem}dt{font-weight:600}dd{margin:0}
a{color:light-dark(#1f4aa8,#a9c2ff);display:inline-flex;align-items:center;min-height:44px}
code,pre{font-family:ui-monospace,monospace;font-size:.8rem}pre{white-space:pre-wrap;padding:.75rem;background:light-dark(#f2f4f8,#232936);border-radius:6px}
@media(max-width:30rem){dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
@media print{a{display:none}body{color:#000;background:#fff}pre{background:none;border:1px solid #999}}`);

interface Purpose {
  'dct:identifier': string;
  'dct:title'?: string;
  'dct:description'?: string;
  'dpv:hasContext'?: string;
}

/** The readable receipt: one page without scripts, with the proof in it. */
export function renderReceipt(proofText: string, wanted: string): string {
  const { proof, statement } = parseReceipt(proofText);
  const { language, texts } = findReceiptTexts(wanted);
  const entry = statement['pavis:entry'];
  const values = { ...JSON.parse(entry.personal), ...JSON.parse(entry.facts) };
  const controller = statement['dpv:hasDataController'] as Record<string, string>;
  const notice = statement['dpv:hasNotice'] as Record<string, string> | undefined;
  const { origin, size } = parseCheckpoint(splitNote(proof.checkpoint).text);
  const purposes = statement['dpv:hasPurpose'] as unknown as Purpose[];
  const accepted = values.categories_accepted as string[];
  const noticeLanguage = notice?.['dct:language'] ?? language;
  const inNotice = html`lang="${noticeLanguage}" dir="${getDirection(noticeLanguage)}"`;
  const toState = (purpose: Purpose) =>
    purpose['dpv:hasContext'] === 'dpv:Required'
      ? texts.required
      : accepted.includes(purpose['dct:identifier'])
        ? texts.allowed
        : texts.refused;
  const time = (moment: string) =>
    html`<time datetime="${moment}">${moment.replace('T', ' ').replace(/\.\d+Z$/, '')} UTC</time>`;
  const row = (name: string, value: Html | string | undefined) =>
    value !== undefined && html`<dt>${name}</dt><dd>${value}</dd>\n`;
  const number = new Intl.NumberFormat(language);
  const data = `data:text/plain;base64,${Buffer.from(proofText).toString('base64')}`;
  const file = `consent-receipt-${statement['dct:identifier'] as string}.tlog-proof`;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${texts.title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${RECEIPT_POLICY}">${renderIcon()}<style>${STYLES}</style></head>
<body><main><h1>${texts.title}</h1>
<p>${texts.lead(controller['dpv:hasName'] ?? origin)}</p>
<h2>${texts.chosen}</h2>
<ul>${purposes.map(
    (
      purpose,
    ) => html`<li><strong><span ${inNotice}>${purpose['dct:title'] ?? purpose['dct:identifier']}</span>: ${toState(purpose)}</strong>
${purpose['dct:description'] && html`<p ${inNotice}>${purpose['dct:description']}</p>`}</li>\n`,
  )}</ul>
<dl>${row(texts.vendorsAllowed, values.vendors_accepted?.join(', '))}${row(texts.vendorsRefused, values.vendors_rejected?.join(', '))}${row(texts.when, time(values.created_at))}${row(texts.expires, time(values.expires_at))}${row(texts.page, values.page_url)}${row(texts.number, String(values.id))}${row(texts.visitor, values.visitor_id)}</dl>
${entry.kind === ENTRY_KINDS.earlierDecision && html`<p>${texts.earlier}</p>`}
<h2>${texts.banner}</h2>
${
  notice
    ? html`<p>${texts.version(notice['dct:identifier'] ?? '')} · SHA-256 <code>${notice['pavis:sha256']}</code></p>
<blockquote ${inNotice}><p><strong>${notice['dct:title']}</strong></p><p>${notice['dct:description']}</p>
<p dir="ltr">${notice['dct:source']}</p></blockquote>
${notice['pavis:optOutDescription'] && html`<p>${texts.optOut}</p><blockquote ${inNotice}><p>${notice['pavis:optOutDescription']}</p></blockquote>`}`
    : html`<p>${texts.unstated}</p>`
}
<h2>${texts.proof}</h2><ul>${texts.shows.map((each) => html`<li>${each}</li>\n`)}</ul>
<h2>${texts.showsNot}</h2><ul>${texts.limits.map((each) => html`<li>${each}</li>\n`)}</ul>
<h2>${texts.check}</h2><p>${texts.how}</p>
<p><a download="${file}" href="${data}">${texts.save}</a></p>
<dl>${row(texts.log, origin)}${row(texts.entry, `${number.format(proof.index + 1)} / ${number.format(size)}`)}${row(texts.key, html`<code>${statement['pavis:key']}</code>`)}</dl>
<pre id="proof">${proofText}</pre>
</main></body></html>
`.text;
}
