import { parseCsv } from '../../../platform/csv-reader.ts';
import { readEdd } from './edd.ts';
import { type Entry, InvalidFile } from './entry.ts';
import { readLemonSqueezyCsv, readLemonSqueezyJson } from './lemon-squeezy.ts';
import { readOwnCsv, readOwnJson } from './own.ts';
import { parseJsonEntries } from './parse-json.ts';

export { type Entry, InvalidFile, LIFETIME, UNLIMITED } from './entry.ts';

export const IMPORT_FORMATS = ['csv', 'json', 'edd', 'lemon-squeezy'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** Identifiers of one source are unique. Files in our own format may be CSV at one time and JSON at another. */
export const getSource = (format: ImportFormat): string => (format === 'json' ? 'csv' : format);

/**
 * The licences of a file.
 * @throws InvalidFile
 */
export function readEntries(format: ImportFormat, content: string): Entry[] {
  const isJson =
    format === 'json' || (format === 'lemon-squeezy' && /^[\uFEFF\s]*[[{]/.test(content));
  if (isJson) {
    const entries = parseJsonEntries(content);
    return format === 'json' ? readOwnJson(entries) : readLemonSqueezyJson(entries);
  }
  const { columns, rows } = parse(content);
  if (format === 'edd') return readEdd(columns, rows);
  return format === 'csv' ? readOwnCsv(columns, rows) : readLemonSqueezyCsv(columns, rows);
}

function parse(content: string) {
  try {
    return parseCsv(content);
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidFile(error.message);
    throw error;
  }
}
