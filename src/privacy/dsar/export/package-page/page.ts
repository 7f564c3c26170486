import { formatDay } from '../../../../platform/clock.ts';
import { type Html, html } from '../../../../platform/html.ts';
import type { Controller, ProcessingEntry } from '../../context.ts';
import { getRightsLaw, type Regime } from '../../rules.ts';
import type { PackageReceipts } from '../receipts.ts';
import { getTitle, type PackageSource, renderCard, renderSource } from './sources.ts';
import { STYLE } from './style.ts';
import type { Writer } from './values.ts';

export interface PackageContents {
  reference: string;
  /** The name of the controller, or the host of the site where none is set. */
  organisation: string;
  /** `YYYY-MM-DD` */
  day: string;
  controller: Controller;
  sources: readonly PackageSource[];
  /** The consent records of the person, by whether the package has a receipt. */
  receipts: PackageReceipts;
  /** The information of GDPR Art. 15(1), for access requests only. */
  about: { processing: readonly ProcessingEntry[]; regime: Regime; requestUrl: string } | undefined;
}

interface Section {
  id: string;
  title: string;
  body: Html;
}

/** The readable page of a package, one HTML document without scripts. */
export function renderPage(writer: Writer, contents: PackageContents): string {
  const { language, texts, terms, timeZone } = writer;
  const { reference, organisation, day, controller, sources, receipts, about } = contents;
  const title = texts.title(reference);
  const isEmpty = ({ state, records }: PackageSource) =>
    state === 'collected' && records.length === 0;
  const empty = sources.filter(isEmpty).map((source) => getTitle(terms, source));
  const sections = [
    ...sources
      .filter((source) => !isEmpty(source))
      .map((source) => ({
        id: `s-${source.id}`,
        title: getTitle(terms, source),
        body: renderSource(writer, source),
      })),
    ...renderReceipts(writer, receipts),
    ...(about ? renderAbout(writer, about, controller) : []),
    { id: 'files', title: texts.files.title, body: html`<p>${texts.files.text}</p>` },
  ];
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>
<p>${texts.lead(organisation, formatDay(language, day))}</p>
<p class="soft">${texts.times(timeZone)}</p>
${renderController(writer, controller)}
<nav aria-label="${texts.contents}"><h2>${texts.contents}</h2><ul>
${sections.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>\n`)}</ul></nav>
${empty.length > 0 && html`<p>${texts.nothing} ${empty.join(', ')}.</p>`}
${sections.map(
  ({ id, title: name, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
${body}</section>
`,
)}
</main></body></html>
`.text;
}

function renderController(
  { texts: { controller: texts } }: Writer,
  { name, address, email, dpo_name, dpo_email }: Controller,
): Html | false {
  const contact = [name, address, email].filter(Boolean).join('\n');
  const officer = [dpo_name, dpo_email].filter(Boolean).join('\n');
  const row = (heading: string, text: string) =>
    text !== '' && html`<dt>${heading}</dt><dd><address>${text}</address></dd>`;
  return (
    contact + officer !== '' &&
    html`<dl class="card">${row(texts.title, contact)}${row(texts.dpo, officer)}</dl>`
  );
}

function renderReceipts(
  { texts: { receipts: texts } }: Writer,
  { issued, not_logged, altered, unproven, verifier }: PackageReceipts,
): Section[] {
  const sentences = [
    issued > 0 && texts.issued(issued),
    verifier !== null && texts.check,
    not_logged > 0 && texts.notLogged(not_logged),
    altered > 0 && texts.altered(altered),
    unproven > 0 && texts.unproven(unproven),
  ].filter((text) => text !== false);
  if (sentences.length === 0) return [];
  const body = html`${sentences.map((text) => html`<p>${text}</p>\n`)}`;
  return [{ id: 'receipts', title: texts.title, body }];
}

function renderAbout(
  writer: Writer,
  { processing, regime, requestUrl }: NonNullable<PackageContents['about']>,
  { email }: Controller,
): Section[] {
  const { texts } = writer;
  const { list, complaint } = texts.rights[getRightsLaw(regime)];
  const entries = processing.map((entry) => renderProcessing(writer, entry));
  return [
    {
      id: 'processing',
      title: texts.processing.title,
      body: html`<p>${texts.processing.lead}</p>
${entries}`,
    },
    {
      id: 'rights',
      title: texts.rights.title,
      body: html`<ul>
${list.map((each) => html`<li>${each}</li>\n`)}</ul>
<p>${complaint(email)}</p>
<p>${texts.rights.how}: <a href="${requestUrl}">${requestUrl}</a></p>`,
    },
  ];
}

/** GDPR Art. 15(1)(a) to (d), (g) and (h), and 15(2). */
function renderProcessing({ texts: { processing: texts }, terms }: Writer, entry: ProcessingEntry) {
  const toTerm = (column: string, value: string) =>
    terms.values[column]?.[value] ?? value.replaceAll('_', ' ');
  const translate = (text: string) => terms.texts[text] ?? text;
  const categories = entry.dataCategories.map((each) => toTerm('data_categories', each));
  const facts: [heading: string, text: string | null][] = [
    [texts.legalBasis, toTerm('legal_basis', entry.legalBasis)],
    [texts.dataCategories, categories.join(', ')],
    [texts.dataSubjects, entry.dataSubjects],
    [texts.recipients, entry.recipients.map(translate).join('\n')],
    [texts.thirdCountries, entry.thirdCountries],
    [texts.safeguards, entry.safeguards],
    [texts.retentionPeriod, entry.retentionPeriod],
    [texts.dataSource, entry.dataSource],
    [texts.automatedDecisions, entry.automatedDecisions],
  ];
  // Safeguards are required only for transfers to third countries.
  const required = facts.filter(([heading]) => heading !== texts.safeguards || entry.hasTransfers);
  const stated = required.flatMap(([heading, text]): [string, string][] =>
    text ? [[heading, translate(text)]] : [],
  );
  const missing = required.filter(([, text]) => !text).map(([heading]) => heading);
  if (missing.length > 0) stated.push([texts.notStated, missing.join(', ')]);
  return renderCard(translate(entry.purpose), stated);
}
