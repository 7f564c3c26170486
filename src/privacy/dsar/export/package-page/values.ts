import { toLocale } from '../../../../platform/clock.ts';
import { type Html, html } from '../../../../platform/html.ts';
import type { PackageTexts } from './en.ts';
import type { Terms } from './terms/terms.ts';

interface Place {
  source: string;
  column: string;
}

export interface Writer {
  language: string;
  texts: PackageTexts;
  terms: Terms;
  timeZone: string;
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** `expires_at` of records without an end. */
const NEVER = '9999-12-31T23:59:59.000Z';

/** The heading of a column: its term, or its name with spaces for underscores and humps. */
export function toHeading({ columns }: Terms, { source, column }: Place): string {
  const known = columns[`${source}.${column}`] ?? columns[column];
  if (known !== undefined) return known;
  const words = column
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1).toLowerCase();
}

/** A value as text. Moments stay in ISO 8601, which spreadsheets read. */
export const toText = (writer: Writer, place: Place, value: unknown): string =>
  render(writer, place, value, (text) => text).join('');

/** A value for the page, with formatted moments and days. */
export const toHtml = (writer: Writer, place: Place, value: unknown): Html =>
  html`${render<Html | string>(writer, place, value, (text) => toTime(writer, text))}`;

function render<Piece>(
  writer: Writer,
  place: Place,
  value: unknown,
  write: (text: string) => Piece,
): (Piece | string)[] {
  const { terms } = writer;
  if (value === null || value === undefined) return [];
  if (typeof value === 'boolean') return [value ? terms.yes : terms.no];
  if (Array.isArray(value)) {
    return value.flatMap((each, at) => [
      ...(at > 0 ? [', '] : []),
      ...render(writer, place, each, write),
    ]);
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([column, each], at) => {
      const inner = { source: place.source, column };
      const heading = `${at > 0 ? '; ' : ''}${toHeading(terms, inner)}: `;
      return [heading, ...render(writer, inner, each, write)];
    });
  }
  return [typeof value === 'string' ? write(toTerm(writer, place, value)) : String(value)];
}

function toTerm({ language, terms }: Writer, { source, column }: Place, value: string): string {
  if (value === NEVER) return terms.never;
  const isBuiltIn = source in terms.sources;
  if (!isBuiltIn) return value;
  if (column === 'language' && /^[a-z]{2,3}(?:-[a-z]{2})?$/i.test(value))
    return new Intl.DisplayNames([language], { type: 'language' }).of(value) ?? value;
  // Events name the source that a task worked on.
  if (column === 'source' && Object.hasOwn(terms.sources, value))
    return terms.sources[value] ?? value;
  const known = terms.values[column] ?? terms.values[column.replace(/_(?:accepted|rejected)$/, '')];
  if (known && Object.hasOwn(known, value)) return known[value] ?? value;
  return known && /^[a-z\d]+(?:_[a-z\d]+)+$/.test(value) ? value.replaceAll('_', ' ') : value;
}

function toTime({ language, timeZone }: Writer, text: string): Html | string {
  const milliseconds = Date.parse(text);
  if (!(MOMENT.test(text) || DAY.test(text)) || Number.isNaN(milliseconds)) return text;
  const locale = toLocale(language);
  const format = DAY.test(text)
    ? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
    : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return html`<time datetime="${text}">${format.format(milliseconds)}</time>`;
}
