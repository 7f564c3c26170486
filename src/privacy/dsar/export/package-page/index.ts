import { formatDay } from '../../../../platform/clock.ts';
import { toCsvHead, toCsvRows } from '../../../../platform/csv.ts';
import { type Html, html } from '../../../../platform/html.ts';
import type { Controller, ProcessingEntry, RetentionRule } from '../../context.ts';
import { de } from './de.ts';
import { en, type PackageTexts } from './en.ts';
import { STYLE } from './style.ts';
import { de as deTerms } from './terms/de.ts';
import { en as enTerms } from './terms/en.ts';
import type { Terms } from './terms/terms.ts';
import { toHeading, toHtml, toText, type Writer } from './values.ts';

const LANGUAGES: Record<string, { texts: PackageTexts; terms: Terms }> = {
  en: { texts: en, terms: enTerms },
  de: { texts: de, terms: deTerms },
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
  /** How long records are kept, in texts; undefined where that is not told. */
  retention: string | undefined;
  records: readonly Record<string, unknown>[];
}

/** What is on the page. */
export interface PackageContents {
  reference: string;
  /** The name of the controller, or the host of the site where none is set. */
  organisation: string;
  /** `YYYY-MM-DD` */
  day: string;
  controller: Controller;
  sources: readonly PackageSource[];
  /** Undefined where only the data itself is asked for. */
  about: { processing: readonly ProcessingEntry[]; requestUrl: string } | undefined;
}

/** Writes the readable files of a package in the language of the request, or in English. */
export function createPackageWriter(language: string, timeZone: string) {
  const known = Object.hasOwn(LANGUAGES, language) ? language : 'en';
  const { texts, terms } = LANGUAGES[known] ?? { texts: en, terms: enTerms };
  const writer: Writer = { language: known, terms, timeZone };
  return {
    language: known,
    rights: texts.rights.list,
    complaint: texts.rights.complaint,
    title: (source: Pick<PackageSource, 'id' | 'label'>): string => getTitle(terms, source),
    retention: (category: string, rules: readonly RetentionRule[]): string =>
      formatRetention(texts, category, rules),
    page: (contents: PackageContents): string => page(writer, texts, contents),
    /** A table for spreadsheets, with headings and values in texts. */
    csv: ({ id, records }: Pick<PackageSource, 'id' | 'records'>): string => {
      const columns = listColumns(records);
      const headings = columns.map((column) => toHeading(terms, { source: id, column }));
      const rows = records.map((record) =>
        Object.fromEntries(
          columns.map((column) => [column, toText(writer, { source: id, column }, record[column])]),
        ),
      );
      return BYTE_ORDER_MARK + toCsvHead(headings) + toCsvRows(columns, rows);
    },
  };
}

const listColumns = (records: PackageSource['records']): string[] => [
  ...new Set(records.flatMap(Object.keys)),
];

const getTitle = ({ sources }: Terms, { id, label }: Pick<PackageSource, 'id' | 'label'>): string =>
  sources[id] ?? label;

function formatRetention(
  { retention }: PackageTexts,
  category: string,
  rules: readonly RetentionRule[],
): string {
  const from = retention.from[category];
  const periods = rules
    .filter((rule) => rule.category === category && from !== undefined)
    .map((rule) => retention.rule(rule, from ?? ''));
  return periods.join(' ') || (retention.criteria[category] ?? retention.notSet);
}

function page(writer: Writer, texts: PackageTexts, contents: PackageContents): string {
  const { language, terms, timeZone } = writer;
  const { reference, organisation, day, controller, sources, about } = contents;
  const title = texts.title(reference);
  const isEmpty = ({ state, records }: PackageSource) =>
    state === 'collected' && records.length === 0;
  const shown = sources.filter((source) => !isEmpty(source));
  const empty = sources.filter(isEmpty);
  const sections = [
    ...shown.map((source) => ({
      id: `s-${source.id}`,
      title: getTitle(terms, source),
      body: sourceBody(writer, texts, source),
    })),
    ...(about
      ? [
          {
            id: 'processing',
            title: texts.processing.title,
            body: processingBody(writer, texts, about.processing),
          },
          { id: 'rights', title: texts.rights.title, body: rightsBody(texts, about.requestUrl) },
        ]
      : []),
    { id: 'files', title: texts.files.title, body: html`<p>${texts.files.text}</p>` },
  ];
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
<p>${texts.lead(organisation, formatDay(language, day))}</p>
<p class="soft">${texts.times(timeZone)}</p>
${controllerCard(texts, controller)}
<nav aria-label="${texts.contents}"><h2>${texts.contents}</h2><ul>
${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>\n`)}</ul></nav>
${
  empty.length > 0 &&
  html`<p>${texts.nothing} ${empty.map((source) => getTitle(terms, source)).join(', ')}.</p>`
}
${sections.map(
  ({ id, title: name, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
${body}</section>
`,
)}
</main></body></html>
`.text;
}

function controllerCard({ controller: texts }: PackageTexts, controller: Controller): Html | false {
  const { name, address, email, dpo_name, dpo_email } = controller;
  const ours = [name, address, email].filter(Boolean).join('\n');
  const officer = [dpo_name, dpo_email].filter(Boolean).join('\n');
  const row = (heading: string, text: string) =>
    text !== '' && html`<dt>${heading}</dt><dd><address>${text}</address></dd>`;
  return (
    ours + officer !== '' &&
    html`<dl class="card">${row(texts.title, ours)}${row(texts.dpo, officer)}</dl>`
  );
}

function sourceBody(writer: Writer, texts: PackageTexts, source: PackageSource): Html {
  const { id, state, reason, retention, records } = source;
  if (state === 'left_out') return html`<p>${texts.leftOut(reason ?? '')}</p>`;
  if (state === 'by_hand') return html`<p>${texts.byHand}</p>${reason && html`<p>${reason}</p>`}`;
  const isFilled = (value: unknown) => toText(writer, { source: id, column: '' }, value) !== '';
  // The files have those too in which there is nothing.
  const columns = listColumns(records).filter((column) =>
    records.some((record) => isFilled(record[column])),
  );
  const rows = records.slice(0, ROWS_SHOWN);
  const write = columns.length > COLUMNS_MAX ? cards : table;
  return html`${retention && html`<p class="soft">${retention}</p>`}
${write(writer, texts, source, columns, rows)}
${records.length > ROWS_SHOWN && html`<p>${texts.first(ROWS_SHOWN, records.length)}</p>`}`;
}

/** Wider than the screen it scrolls by itself, by keyboard too. Roles: on phones the rows are cards. */
function table(
  writer: Writer,
  texts: PackageTexts,
  source: PackageSource,
  columns: readonly string[],
  rows: PackageSource['records'],
): Html {
  const { terms } = writer;
  const heads = columns.map((column) => toHeading(terms, { source: source.id, column }));
  const caption = `${getTitle(terms, source)}: ${texts.records(source.records.length)}`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows.map(
    (row) =>
      html`<tr role="row">${columns.map(
        (column, at) =>
          html`<td role="cell" data-title="${heads[at]}">${toHtml(writer, { source: source.id, column }, row[column])}</td>`,
      )}</tr>\n`,
  )}</tbody></table></div>`;
}

function cards(
  writer: Writer,
  texts: PackageTexts,
  { id }: PackageSource,
  columns: readonly string[],
  rows: PackageSource['records'],
): Html {
  return html`${rows.map((row, at) => {
    const facts = columns.map((column): [string, Html] => [
      toHeading(writer.terms, { source: id, column }),
      toHtml(writer, { source: id, column }, row[column]),
    ]);
    return card(
      texts.record(at + 1),
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
  writer: Writer,
  { processing: texts }: PackageTexts,
  entries: readonly ProcessingEntry[],
): Html {
  const { texts: mapTexts } = writer.terms;
  const term = (column: string, value: string) => {
    const known = writer.terms.values[column] ?? {};
    return known[value] ?? value.replaceAll('_', ' ');
  };
  return html`<p>${texts.lead}</p>
${entries.map((entry) => {
  const { thirdCountries, safeguards } = entry;
  const categories = entry.dataCategories.map((each) => term('data_categories', each));
  const facts: [heading: string, text: string | null][] = [
    [texts.legalBasis, term('legal_basis', entry.legalBasis)],
    [texts.dataCategories, categories.join(', ')],
    [texts.dataSubjects, entry.dataSubjects],
    [texts.recipients, entry.recipients.map((each) => mapTexts[each] ?? each).join('\n')],
    [texts.thirdCountries, thirdCountries],
    [texts.safeguards, safeguards],
    [texts.retentionPeriod, entry.retentionPeriod],
    [texts.dataSource, entry.dataSource],
    [texts.automatedDecisions, entry.automatedDecisions],
  ];
  // Without a transfer there is nothing to protect it.
  const asked = facts.filter(([heading]) => heading !== texts.safeguards || thirdCountries);
  const stated = asked.flatMap(([heading, text]): [string, string][] =>
    text ? [[heading, mapTexts[text] ?? text]] : [],
  );
  const missing = asked.filter(([, text]) => !text).map(([heading]) => heading);
  if (missing.length > 0) stated.push([texts.notStated, missing.join(', ')]);
  return card(mapTexts[entry.purpose] ?? entry.purpose, stated);
})}`;
}

/** GDPR Art. 15(1)(e) and (f). */
const rightsBody = ({ rights }: PackageTexts, requestUrl: string): Html => html`<ul>
${rights.list.map((each) => html`<li>${each}</li>\n`)}</ul>
<p>${rights.complaint}</p>
<p>${rights.how}: <a href="${requestUrl}">${requestUrl}</a></p>`;
