import { formatDay } from '../../../../platform/clock.ts';
import { toCsvHead, toCsvRows } from '../../../../platform/csv.ts';
import { type Html, html } from '../../../../platform/html.ts';
import type { Controller, ProcessingEntry, RetentionRule } from '../../context.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { STYLE } from './style.ts';
import { de as deTerms } from './terms/de.ts';
import { en as enTerms } from './terms/en.ts';
import { toHeading, toHtml, toText, type Writing } from './values.ts';
import type { PackageWords, Terms } from './words.ts';

const LANGUAGES: Record<string, { words: PackageWords; terms: Terms }> = {
  en: { words: en, terms: enTerms },
  de: { words: de, terms: deTerms },
};
/** How much of a source the page shows; the files beside it have all. */
const ROWS_SHOWN = 1_000;
/** More do not fit beside each other: each record is a card. */
const COLUMNS_MAX = 7;
/** By which spreadsheets tell UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF';

/** What was collected from one source. */
export interface PackageSource {
  id: string;
  /** Of its own; sources of ours are named by the language. */
  label: string;
  /** Whether it was asked, left out, or is answered by a person. */
  state: 'collected' | 'left_out' | 'by_hand';
  /** Why it was left out. */
  reason: string | null;
  /** How long records are kept, in words; undefined where that is not told. */
  retention: string | undefined;
  records: readonly Record<string, unknown>[];
}

/** What is on the page. */
export interface PackageContents {
  reference: string;
  /** The host of the site. */
  site: string;
  /** `YYYY-MM-DD` */
  day: string;
  controller: Controller;
  sources: readonly PackageSource[];
  /** Undefined where only the data itself is asked for. */
  about: { processing: readonly ProcessingEntry[]; requestUrl: string } | undefined;
}

/** Writes what people read of a package, in the language of a request; English if there is no other. */
export function packageWriter(language: string, timeZone: string) {
  const known = Object.hasOwn(LANGUAGES, language) ? language : 'en';
  const { words, terms } = LANGUAGES[known] ?? { words: en, terms: enTerms };
  const writing: Writing = { language: known, terms, timeZone };
  return {
    language: known,
    rights: words.rights.list,
    complaint: words.rights.complaint,
    title: (source: Pick<PackageSource, 'id' | 'label'>): string => titleOf(terms, source),
    retention: (category: string, rules: readonly RetentionRule[]): string =>
      retentionOf(words, category, rules),
    page: (contents: PackageContents): string => page(writing, words, contents),
    /** A table for spreadsheets, with headings and values in words. */
    csv: ({ id, records }: Pick<PackageSource, 'id' | 'records'>): string => {
      const columns = columnsOf(records);
      const headings = columns.map((column) => toHeading(terms, { source: id, column }));
      const rows = records.map((record) =>
        Object.fromEntries(
          columns.map((column) => [
            column,
            toText(writing, { source: id, column }, record[column]),
          ]),
        ),
      );
      return BYTE_ORDER_MARK + toCsvHead(headings) + toCsvRows(columns, rows);
    },
  };
}

const columnsOf = (records: PackageSource['records']): string[] => [
  ...new Set(records.flatMap(Object.keys)),
];

const titleOf = ({ sources }: Terms, { id, label }: Pick<PackageSource, 'id' | 'label'>): string =>
  sources[id] ?? label;

function retentionOf(
  { retention }: PackageWords,
  category: string,
  rules: readonly RetentionRule[],
): string {
  const from = retention.from[category];
  const told = rules
    .filter((rule) => rule.category === category && from !== undefined)
    .map((rule) => retention.rule(rule, from ?? ''));
  return told.join(' ') || (retention.criteria[category] ?? retention.notSet);
}

function page(writing: Writing, words: PackageWords, contents: PackageContents): string {
  const { language, terms, timeZone } = writing;
  const { reference, site, day, controller, sources, about } = contents;
  const title = words.title(reference);
  const isEmpty = ({ state, records }: PackageSource) =>
    state === 'collected' && records.length === 0;
  const shown = sources.filter((source) => !isEmpty(source));
  const empty = sources.filter(isEmpty);
  const sections = [
    ...shown.map((source) => ({
      id: `s-${source.id}`,
      title: titleOf(terms, source),
      body: sourceBody(writing, words, source),
    })),
    ...(about
      ? [
          {
            id: 'processing',
            title: words.processing.title,
            body: processingBody(writing, words, about.processing),
          },
          { id: 'rights', title: words.rights.title, body: rightsBody(words, about.requestUrl) },
        ]
      : []),
    { id: 'files', title: words.files.title, body: html`<p>${words.files.text}</p>` },
  ];
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
<p>${words.lead(site, formatDay(language, day))}</p>
<p class="soft">${words.times(timeZone)}</p>
${controllerCard(words, controller)}
<nav aria-label="${words.contents}"><h2>${words.contents}</h2><ul>
${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>\n`)}</ul></nav>
${
  empty.length > 0 &&
  html`<p>${words.nothing} ${empty.map((source) => titleOf(terms, source)).join(', ')}.</p>`
}
${sections.map(
  ({ id, title: name, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
${body}</section>
`,
)}
</main></body></html>
`.text;
}

function controllerCard({ controller: words }: PackageWords, controller: Controller): Html | false {
  const { name, address, email, dpo_name, dpo_email } = controller;
  const ours = [name, address, email].filter(Boolean).join('\n');
  const officer = [dpo_name, dpo_email].filter(Boolean).join('\n');
  const row = (heading: string, text: string) =>
    text !== '' && html`<dt>${heading}</dt><dd><address>${text}</address></dd>`;
  return (
    ours + officer !== '' &&
    html`<dl class="card">${row(words.title, ours)}${row(words.dpo, officer)}</dl>`
  );
}

function sourceBody(writing: Writing, words: PackageWords, source: PackageSource): Html {
  const { id, state, reason, retention, records } = source;
  if (state === 'left_out') return html`<p>${words.leftOut(reason ?? '')}</p>`;
  if (state === 'by_hand') return html`<p>${words.byHand}</p>${reason && html`<p>${reason}</p>`}`;
  const isFilled = (value: unknown) => toText(writing, { source: id, column: '' }, value) !== '';
  // The files have those too in which there is nothing.
  const columns = columnsOf(records).filter((column) =>
    records.some((record) => isFilled(record[column])),
  );
  const rows = records.slice(0, ROWS_SHOWN);
  const write = columns.length > COLUMNS_MAX ? cards : table;
  return html`${retention && html`<p class="soft">${retention}</p>`}
${write(writing, words, source, columns, rows)}
${records.length > ROWS_SHOWN && html`<p>${words.first(ROWS_SHOWN, records.length)}</p>`}`;
}

/** Wider than the screen it scrolls by itself, by keyboard too. Roles: on phones the rows are cards. */
function table(
  writing: Writing,
  words: PackageWords,
  source: PackageSource,
  columns: readonly string[],
  rows: PackageSource['records'],
): Html {
  const { terms } = writing;
  const heads = columns.map((column) => toHeading(terms, { source: source.id, column }));
  const caption = `${titleOf(terms, source)}: ${words.records(source.records.length)}`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${columns.map(
        (column, at) =>
          html`<td role="cell" data-title="${heads[at]}">${toHtml(writing, { source: source.id, column }, row[column])}</td>`,
      )}</tr>\n`,
  )}</tbody></table></div>`;
}

function cards(
  writing: Writing,
  words: PackageWords,
  { id }: PackageSource,
  columns: readonly string[],
  rows: PackageSource['records'],
): Html {
  return html`${rows.map((row, at) => {
    const facts = columns.map((column): [string, Html] => [
      toHeading(writing.terms, { source: id, column }),
      toHtml(writing, { source: id, column }, row[column]),
    ]);
    return card(
      words.record(at + 1),
      facts.filter(([, value]) => value.text !== ''),
    );
  })}`;
}

const card = (title: string, facts: readonly [heading: string, value: Html | string][]): Html =>
  html`<article class="card"><h3>${title}</h3><dl>
${facts.map(([heading, value]) => html`<dt>${heading}</dt><dd>${value}</dd>\n`)}</dl></article>
`;

/** GDPR Art. 15(1)(a) to (d), (g) and (h), and 15(2). */
function processingBody(
  writing: Writing,
  { processing: words }: PackageWords,
  entries: readonly ProcessingEntry[],
): Html {
  const { texts } = writing.terms;
  const term = (column: string, value: string) => {
    const known = writing.terms.values[column] ?? {};
    return known[value] ?? value.replaceAll('_', ' ');
  };
  return html`<p>${words.lead}</p>
${entries.map((entry) => {
  const { thirdCountries, safeguards } = entry;
  const categories = entry.dataCategories.map((each) => term('data_categories', each));
  const facts: [heading: string, text: string | null][] = [
    [words.legalBasis, term('legal_basis', entry.legalBasis)],
    [words.dataCategories, categories.join(', ')],
    [words.dataSubjects, entry.dataSubjects],
    [words.recipients, entry.recipients.map((each) => texts[each] ?? each).join('\n')],
    [words.thirdCountries, thirdCountries],
    [words.safeguards, safeguards],
    [words.retentionPeriod, entry.retentionPeriod],
    [words.dataSource, entry.dataSource],
    [words.automatedDecisions, entry.automatedDecisions],
  ];
  // Without a transfer there is nothing to protect it.
  const asked = facts.filter(([heading]) => heading !== words.safeguards || thirdCountries);
  const stated = asked.flatMap(([heading, text]): [string, string][] =>
    text ? [[heading, texts[text] ?? text]] : [],
  );
  const missing = asked.filter(([, text]) => !text).map(([heading]) => heading);
  if (missing.length > 0) stated.push([words.notStated, missing.join(', ')]);
  return card(texts[entry.purpose] ?? entry.purpose, stated);
})}`;
}

/** GDPR Art. 15(1)(e) and (f). */
const rightsBody = ({ rights }: PackageWords, requestUrl: string): Html => html`<ul>
${rights.list.map((each) => html`<li>${each}</li>\n`)}</ul>
<p>${rights.complaint}</p>
<p>${rights.how}: <a href="${requestUrl}">${requestUrl}</a></p>`;
