import { type Html, html } from '../../../../platform/html.ts';
import type { Terms } from './terms/terms.ts';
import { toHeading, toHtml, toText, type Writer } from './values.ts';

/** Further records are only in the files. */
const ROWS_SHOWN = 1_000;
/** Records with more columns are shown as cards. */
const COLUMNS_MAX = 7;

export interface PackageSource {
  id: string;
  /** Shown for sources of extensions. */
  label: string;
  state: 'collected' | 'left_out' | 'by_hand';
  reason: string | null;
  /** The retention period; undefined if it is not shown. */
  retention: string | undefined;
  records: readonly Record<string, unknown>[];
}

export const listColumns = (records: PackageSource['records']): string[] => [
  ...new Set(records.flatMap(Object.keys)),
];

export const getTitle = (
  { sources }: Terms,
  { id, label }: Pick<PackageSource, 'id' | 'label'>,
): string => sources[id] ?? label;

export function renderSource(writer: Writer, source: PackageSource): Html {
  const { texts } = writer;
  const { id, state, reason, retention, records } = source;
  if (state === 'left_out') return html`<p>${texts.leftOut(reason ?? '')}</p>`;
  if (state === 'by_hand') return html`<p>${texts.byHand}</p>${reason && html`<p>${reason}</p>`}`;
  const isFilled = (value: unknown) => toText(writer, { source: id, column: '' }, value) !== '';
  // Columns without values are only in the files.
  const columns = listColumns(records).filter((column) =>
    records.some((record) => isFilled(record[column])),
  );
  const shown = { ...source, records: records.slice(0, ROWS_SHOWN) };
  const render = columns.length > COLUMNS_MAX ? renderCards : renderTable;
  return html`${retention && html`<p class="soft">${retention}</p>`}
${render(writer, shown, columns, records.length)}
${records.length > ROWS_SHOWN && html`<p>${texts.first(ROWS_SHOWN, records.length)}</p>`}`;
}

/** Scrolls if it is wider than the screen. It has roles because its rows are cards on phones. */
function renderTable(
  writer: Writer,
  source: PackageSource,
  columns: readonly string[],
  total: number,
): Html {
  const { texts, terms } = writer;
  const heads = columns.map((column) => toHeading(terms, { source: source.id, column }));
  const caption = `${getTitle(terms, source)}: ${texts.records(total)}`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table role="table">
<caption>${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((head) => html`<th scope="col" role="columnheader">${head}</th>`)}</tr></thead>
<tbody role="rowgroup">${source.records.map(
    (row) =>
      html`<tr role="row">${columns.map(
        (column, at) =>
          html`<td role="cell" data-title="${heads[at]}">${toHtml(writer, { source: source.id, column }, row[column])}</td>`,
      )}</tr>\n`,
  )}</tbody></table></div>`;
}

function renderCards(
  writer: Writer,
  { id: source, records }: PackageSource,
  columns: readonly string[],
): Html {
  return html`${records.map((row, at) => {
    const facts = columns.map((column): [string, Html] => [
      toHeading(writer.terms, { source, column }),
      toHtml(writer, { source, column }, row[column]),
    ]);
    return renderCard(
      writer.texts.record(at + 1),
      facts.filter(([, value]) => value.text !== ''),
    );
  })}`;
}

export const renderCard = (
  title: string,
  facts: readonly [heading: string, value: Html | string][],
): Html =>
  html`<article class="card"><h3>${title}</h3><dl>
${facts.map(([heading, value]) => html`<dt>${heading}</dt><dd>${value}</dd>\n`)}</dl></article>
`;
