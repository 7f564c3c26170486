import { createHash } from 'node:crypto';
import { formatDay } from '../../../platform/clock.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { ICON_POLICY, renderIcon } from '../../../platform/http/page-icon.ts';
import type { SiteSettings } from '../../settings/index.ts';
import { getRecipients, hasTransfers, type LegalBasis } from '../rules.ts';
import type { Entry } from '../store.ts';

const NOT_STATED = '<span class="none">Not stated</span>';

type Controller = SiteSettings['controller'];
type ToDay = (milliseconds: number) => string;

const LEGAL_BASIS: Record<LegalBasis, string> = {
  consent: 'Consent, Art. 6(1)(a)',
  contract: 'Contract, Art. 6(1)(b)',
  legal_obligation: 'Legal obligation, Art. 6(1)(c)',
  vital_interests: 'Vital interests, Art. 6(1)(d)',
  public_task: 'Public task, Art. 6(1)(e)',
  legitimate_interests: 'Legitimate interests, Art. 6(1)(f)',
};

const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 52rem; padding: 2.5rem 1.5rem; background: #fff; color: #1b1f24;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
header { border-bottom: 2px solid #1b1f24; padding-bottom: 1rem; }
h1 { margin: 0 0 .25rem; font-size: 1.7rem; line-height: 1.2; }
header p { margin: 0; color: #57606a; }
section { margin-top: 1.5rem; white-space: pre-line; }
section h2, section p { margin: 0; padding: 0; background: none; }
section small { float: none; font-weight: 400; }
article { margin-top: 2rem; border: 1px solid #d0d7de; border-radius: 6px; overflow: hidden;
  break-inside: avoid; }
h2 { margin: 0; padding: .6rem 1rem; background: #f3f5f7; font-size: 1.05rem; break-after: avoid; }
h2 small { float: right; color: #57606a; font-size: .8rem; font-weight: 400; }
table { width: 100%; border-collapse: collapse; }
th, td { border-top: 1px solid #d0d7de; padding: .5rem 1rem; text-align: left; vertical-align: top; }
th { width: 34%; font-weight: 600; }
th span { display: block; color: #57606a; font-size: .8rem; font-weight: 400; }
td { overflow-wrap: anywhere; white-space: pre-line; }
td, section p { text-align: left; unicode-bidi: plaintext; }
.none { color: #9a6700; font-style: italic; }
@page { size: A4; margin: 18mm 16mm; }
@media print {
  body { max-width: none; padding: 0; font-size: 10pt; }
  article { border-radius: 0; }
  h2 { background: none; border-bottom: 1px solid #1b1f24; }
  .none { color: inherit; }
}
`;

/** Allows only the style sheet and the icon. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  ICON_POLICY,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PRINTABLE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'content-disposition': 'inline; filename="records-of-processing.html"',
};

/**
 * The records of processing activities as a printable page, in the order of GDPR Art. 30(1).
 * @param about.controller of entries that state none
 * @param about.now epoch milliseconds
 * @param about.toDay the day of a moment where the site is
 */
export function renderRecords(
  entries: readonly Entry[],
  {
    siteUrl,
    controller,
    now,
    toDay,
  }: { siteUrl: string; controller: Controller; now: number; toDay: ToDay },
): string {
  const defaultController = formatController(controller);
  const count = `${entries.length} ${entries.length === 1 ? 'activity' : 'activities'}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${renderIcon().text}
<title>Records of processing activities</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>Records of processing activities</h1>
<p>Article 30(1) GDPR · ${escapeHtml(siteUrl)} · ${formatDay('en', toDay(now))} · ${count}</p>
</header>
<main>
<section>
<h2>Controller <small>(a)</small></h2>
<p>${defaultController ? escapeHtml(defaultController) : NOT_STATED}</p>
</section>
${entries.map((entry) => renderEntry(entry, { controller: defaultController, toDay })).join('\n')}
</main>
</body>
</html>
`;
}

/** Line by line; empty if nothing is stated. */
function formatController({ name, address, email, dpo_name, dpo_email }: Controller): string {
  const officer = [dpo_name, dpo_email].filter(Boolean).join(', ');
  const lines = [name, address, email, officer && `Data protection officer: ${officer}`];
  return lines.filter(Boolean).join('\n');
}

function renderEntry(
  entry: Entry,
  { controller, toDay }: { controller: string; toDay: ToDay },
): string {
  const { vendor_name, status } = entry;
  // Null: not stated. Undefined: not required.
  const rows: [heading: string, letter: string, text: string | null | undefined][] = [
    [
      'Controller',
      '(a), with representative and data protection officer',
      entry.controller || controller,
    ],
    ['Purpose', '(b)', entry.purpose],
    ['Legal basis', 'Art. 6(1)', LEGAL_BASIS[entry.legal_basis as LegalBasis]],
    ['Categories of data subjects', '(c)', entry.data_subjects],
    ['Categories of personal data', '(c)', entry.data_categories.join(', ').replaceAll('_', ' ')],
    ['Recipients', '(d)', getRecipients(entry).join('\n')],
    ['Transfers to third countries', '(e)', entry.third_countries],
    [
      'Safeguards of these transfers',
      '(e)',
      entry.safeguards || (hasTransfers(entry.third_countries) ? null : undefined),
    ],
    ['Time limits for erasure', '(f)', entry.retention_period],
    ['Security measures', '(g)', entry.security_measures],
    ['Source of the data', 'Art. 15(1)(g)', entry.data_source],
    ['Automated decisions', 'Art. 15(1)(h)', entry.automated_decisions],
    ['Next review', '', entry.review_date ? formatDay('en', entry.review_date) : undefined],
    ['Last changed', '', formatDay('en', toDay(entry.updated_at))],
  ];
  return `<article>
<h2>${entry.id}. ${escapeHtml(vendor_name)}${status === 'active' ? '' : ` <small>${escapeHtml(status)}</small>`}</h2>
<table>
${rows.flatMap((row) => (row[2] === undefined ? [] : renderRow(...row))).join('\n')}
</table>
</article>`;
}

function renderRow(heading: string, letter: string, text: string | null | undefined): string {
  const note = letter && `<span>${letter}</span>`;
  const cell = text?.trim() ? escapeHtml(text) : NOT_STATED;
  return `<tr><th scope="row">${heading}${note}</th><td>${cell}</td></tr>`;
}
