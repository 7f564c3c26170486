import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import type { EntryColumn } from './columns.ts';

/** A row as the database has it. Its values can have any type: SQLite does not enforce the types of columns. */
export type RawRow = Readonly<Record<string, unknown>>;

/** The latest moment that a `Date` can have, in milliseconds. */
const LAST_MOMENT = 8.64e15;
const LISTS_KEPT = 1_000;
const DAYS_KEPT = 10_000;

/** Texts of lists that are canonical. There are few different ones. */
const canonicalLists = new Set<string>();

/**
 * The columns of a row as canonical JSON (RFC 8785). Null values are left out, so that a new column does not change the
 * text of earlier rows. A value that the column cannot have becomes an object with its type, which equals no valid value.
 */
export function encodeRow(row: RawRow, columns: readonly EntryColumn[]): string {
  let text = '{';
  for (const { name, form } of columns) {
    const value = row[name];
    if (value === null || value === undefined) continue;
    // Names of columns contain nothing that JSON escapes.
    text += `${text.length > 1 ? ',' : ''}"${name}":${encoders[form](value)}`;
  }
  return `${text}}`;
}

const encoders: Record<EntryColumn['form'], (value: unknown) => string> = {
  plain: (value) =>
    typeof value === 'string' || Number.isFinite(value)
      ? JSON.stringify(value)
      : encodeInvalid(value),
  moment: (value) => (isMoment(value) ? `"${formatMoment(value)}"` : encodeInvalid(value)),
  flag: (value) => (value === 1 ? 'true' : value === 0 ? 'false' : encodeInvalid(value)),
  list: (value) =>
    typeof value === 'string' && isCanonicalList(value) ? value : encodeInvalid(value),
};

/** The beginnings of moments in ISO 8601, by day since 1970: records are read by day, and this takes half the time. */
const days = new Map<number, string>();

function formatMoment(at: number): string {
  const day = Math.floor(at / DAY_MS);
  let text = days.get(day);
  if (text === undefined) {
    text = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length);
    if (days.size >= DAYS_KEPT) days.clear();
    days.set(day, text);
  }
  const time = at - day * DAY_MS;
  const [hour, minute] = [Math.floor(time / HOUR_MS), Math.floor(time / MINUTE_MS) % 60];
  const [second, millisecond] = [Math.floor(time / 1_000) % 60, time % 1_000];
  return `${text}${pad(hour)}:${pad(minute)}:${pad(second)}.${millisecond < 100 ? '0' : ''}${pad(millisecond)}Z`;
}

const pad = (number: number): string => (number < 10 ? `0${number}` : String(number));

const isMoment = (value: unknown): value is number =>
  Number.isInteger(value) && Math.abs(value as number) <= LAST_MOMENT;

/** Whether a JSON text with facts has its time. */
export const hasMoment = (facts: string, at: unknown): boolean =>
  isMoment(at) && facts.includes(`"created_at":${encoders.moment(at)}`);

/** A value of the wrong type, with its type. */
export function encodeInvalid(value: unknown): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
  return `{"${value instanceof Uint8Array ? 'bytes' : typeof value}":${JSON.stringify(text)}}`;
}

/** Whether a text is a list of texts, exactly as `JSON.stringify` writes it. */
function isCanonicalList(text: string): boolean {
  if (canonicalLists.has(text)) return true;
  const list = parse(text);
  const isCanonical =
    Array.isArray(list) &&
    list.every((each) => typeof each === 'string') &&
    JSON.stringify(list) === text;
  if (!isCanonical) return false;
  if (canonicalLists.size >= LISTS_KEPT) canonicalLists.clear();
  canonicalLists.add(text);
  return true;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
