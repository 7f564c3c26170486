import type { CsvRow } from '../../../platform/csv-reader.ts';
import { COLUMNS, type Entry, InvalidFile } from './entry.ts';
import { type JsonEntry, readMembers } from './parse-json.ts';

/** The documented columns, as CSV. */
export function readOwnCsv(columns: readonly string[], rows: readonly CsvRow[]): Entry[] {
  const isKnown = columns.every((name) => COLUMNS.some((column) => column === name));
  if (!isKnown || new Set(columns).size < columns.length)
    throw new InvalidFile(
      `The header may contain each of these columns once: ${COLUMNS.join(', ')}. It contains: ${columns.join(', ')}.`,
    );
  return rows.map(({ line, values, cells }) => ({
    line,
    values,
    planNames: [],
    ...(cells > columns.length && {
      error: 'The line has more cells than the header has columns.',
    }),
  }));
}

/** The same columns as members of JSON objects. `sites` may be a list. */
export const readOwnJson = (entries: readonly JsonEntry[]): Entry[] =>
  entries.map(({ line, fields }) => {
    const unknown = Object.keys(fields).find((name) => !COLUMNS.some((column) => column === name));
    return {
      line,
      ...readMembers(fields, Object.keys(fields)),
      planNames: [],
      ...(unknown !== undefined && {
        error: `${unknown} is not one of: ${COLUMNS.join(', ')}.`,
      }),
    };
  });
