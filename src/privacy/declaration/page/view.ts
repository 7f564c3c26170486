import { type Html, html } from '../../../platform/html.ts';
import type { ViewDocument } from '../../../platform/http/view-document.ts';
import { getDirection } from '../../../platform/text-direction.ts';
import type { DeclarationBody, DeclaredRecipient } from '../schemas.ts';
import { findTexts, LANGUAGES } from '../texts/index.ts';

/** The declaration as a page. */
export function declarationView(declaration: DeclarationBody, siteHost: string): ViewDocument {
  const { language, category_language, labels, categories } = declaration;
  const main = html`<h1>${labels.title}</h1>
<p class="lead">${labels.lead}</p>
<p>${labels.basis}</p>
${categories.map(
  ({ label, description, recipients, id }) =>
    html`<section${inLanguage(id === null ? language : category_language, language)}>
<h2>${label}</h2>
${description && html`<p>${description}</p>`}
${recipients.map((recipient) => html`<div${inLanguage(language, id === null ? language : category_language)}>${renderRecipient(recipient, declaration)}</div>`)}
</section>`,
)}`;
  return toPage(language, siteHost, labels.title, main);
}

/** The attributes of text in another language than that around it. */
const inLanguage = (language: string, around: string): Html | false =>
  language !== around && html` lang="${language}" dir="${getDirection(language)}"`;

function renderRecipient(recipient: DeclaredRecipient, { labels }: DeclarationBody): Html {
  const { kind, purposes, legal_bases, domains, third_countries, safeguards } = recipient;
  // The data map has no entries for hosts without a vendor and for the site itself.
  const unstated = kind === 'vendor' ? labels.not_stated : '';
  const facts: [label: string, values: string[]][] = [
    [labels.purpose, purposes.length > 0 ? purposes : [unstated]],
    [labels.legal_basis, legal_bases.length > 0 ? legal_bases : [unstated]],
    [labels.third_countries, third_countries],
    [labels.safeguards, safeguards],
    [labels.domains, domains],
  ];
  const stated = facts.filter(([, values]) => values.some(Boolean));
  return html`<div class="card notice">
<h3>${recipient.name}</h3>
${recipient.note && html`<p class="note">${recipient.note}</p>`}
${stated.length > 0 && html`<dl>${stated.map(([label, values]) => html`<dt>${label}</dt><dd class="lines">${values.join('\n')}</dd>`)}</dl>`}
${renderStored(recipient, labels)}
</div>`;
}

/** Its roles keep the semantics of a table where rows are shown as blocks. */
function renderStored(
  { name, stored }: DeclaredRecipient,
  { columns }: DeclarationBody['labels'],
): Html | false {
  if (stored.length === 0) return false;
  const heads = [columns.name, columns.kind, columns.domain, columns.duration];
  const cell = (title: string, value: Html | string) =>
    html`<td role="cell" data-title="${title}">${value}</td>`;
  return html`<table role="table" aria-label="${name}">
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${stored.map(
    (item) =>
      html`<tr role="row">${cell(columns.name, html`<code>${item.name}</code>${item.purpose && html`<br>${item.purpose}`}`)}${cell(columns.kind, item.kind_label)}${cell(columns.domain, item.domain)}${cell(columns.duration, html`${item.duration}${item.usual_duration && html`<br><span class="note">${item.usual_duration}</span>`}`)}</tr>`,
  )}</tbody>
</table>`;
}

function toPage(language: string, siteHost: string, title: string, main: Html): ViewDocument {
  const { texts } = findTexts(language);
  const languages = Object.entries(LANGUAGES).map(([tag, { name }]) =>
    tag === language
      ? html`<span lang="${tag}" aria-current="true">${name}</span>`
      : html`<a href="?lang=${tag}" lang="${tag}" hreflang="${tag}">${name}</a>`,
  );
  return {
    language,
    dir: 'ltr',
    title: `${title} – ${siteHost}`,
    brand: siteHost,
    home: `./?lang=${language}`,
    skip: texts.skip,
    tools: html`<nav aria-label="${texts.languages}">${languages}</nav>`,
    main,
    footer: html`<p><a href="../?lang=${language}">${texts.toRequests}</a></p>`,
  };
}

export function faultView(language: string, siteHost: string, status: number): ViewDocument {
  const { faults } = findTexts(language).texts;
  const { title, text } = status === 404 ? faults.notFound : faults.other;
  return toPage(language, siteHost, title, html`<h1>${title}</h1><p class="lead">${text}</p>`);
}
