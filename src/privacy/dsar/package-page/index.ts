import { dayInWords } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/html.ts';
import type { ProcessingEntry } from '../site.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import type { PackageWords } from './words.ts';

const LANGUAGES: Record<string, PackageWords> = { en, de };
/** How much of a source the page shows; the files beside it have all. */
const ROWS_SHOWN = 1_000;

type Row = Readonly<Record<string, string>>;

/** What is on the page. */
export interface PackageContents {
  reference: string;
  /** The host of the site. */
  site: string;
  /** `YYYY-MM-DD` */
  day: string;
  sources: readonly {
    id: string;
    label: string;
    /** Why there is nothing of it; undefined if it was asked. */
    leftOut: string | undefined;
    columns: readonly string[];
    rows: readonly Row[];
  }[];
  processing: readonly ProcessingEntry[];
}

/** The page of a package that people read, in one file that needs nothing else. */
export function packagePage(language: string, contents: PackageContents): string {
  const known = Object.hasOwn(LANGUAGES, language) ? language : 'en';
  const words = LANGUAGES[known] ?? en;
  const { reference, site, day, sources, processing } = contents;
  const title = words.title(reference);
  return html`<!doctype html>
<html lang="${known}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
<p>${words.lead(site, dayInWords(known, day))}</p>
<p>${words.files}</p>
${sources.map((source) => sourceSection(words, source))}
${processing.length > 0 && processingSection(words, processing)}
</main></body></html>
`.text;
}

function sourceSection(
  words: PackageWords,
  { id, label, leftOut, columns, rows }: PackageContents['sources'][number],
): Html {
  const title = words.slugs[id] ?? label;
  // The files have those too in which there is nothing.
  const filled = columns.filter((column) => rows.some((row) => row[column]));
  const heads = filled.map((column) => inWords(words, column));
  const shown = rows.slice(0, ROWS_SHOWN);
  const cells = shown.map((row) => filled.map((column) => row[column] ?? ''));
  return html`<section><h2>${title}</h2>
${leftOut === undefined ? table(words, title, heads, cells) : html`<p>${words.leftOut(leftOut)}</p>`}
${rows.length > ROWS_SHOWN && html`<p>${words.first(ROWS_SHOWN, rows.length)}</p>`}
</section>`;
}

function processingSection(words: PackageWords, entries: readonly ProcessingEntry[]): Html {
  const { title, notStated, rights, ...heads } = words.processing;
  const { purpose, legalBasis, dataCategories, recipient, retentionPeriod } = heads;
  const cells = entries.map((entry) => [
    entry.purpose,
    inWords(words, entry.legalBasis),
    entry.dataCategories.map((category) => inWords(words, category)).join(', '),
    entry.recipients.join(', ') || notStated,
    entry.retentionPeriod || notStated,
  ]);
  return html`<section><h2>${title}</h2>
${table(words, title, [purpose, legalBasis, dataCategories, recipient, retentionPeriod], cells)}
<p>${rights}</p>
</section>`;
}

/** Wider than the screen it moves by itself, by keyboard too. */
function table(
  { nothing }: PackageWords,
  name: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): Html {
  if (rows.length === 0) return html`<p>${nothing}</p>`;
  return html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}

const inWords = ({ slugs }: PackageWords, slug: string): string =>
  slugs[slug] ?? slug.replaceAll('_', ' ');

const STYLE = html`
:root{color-scheme:light dark}
body{font:16px/1.6 system-ui,sans-serif;margin:0}
main{max-width:64rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:1.75rem;line-height:1.2}h2{font-size:1.2rem;margin-top:2.5rem}
.scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid #8888;padding:.4rem 1rem .4rem 0;text-align:left;vertical-align:top;max-width:24rem;overflow-wrap:break-word}
`;
