import type { Platform } from '../../platform/deps.ts';
import { InvalidFieldError } from '../../platform/errors.ts';
import { type Importer, type ImportLine, type ImportOptions, importBatch } from './import-batch.ts';
import {
  type Entry,
  getSource,
  type ImportFormat,
  InvalidFile,
  readEntries,
} from './sources/index.ts';

/** The most licences of one import. */
const IMPORT_MAX = 100_000;
/** Licences per transaction: others wait for it no longer than for a few requests. */
const BATCH = 50;

export interface ImportRequest extends ImportOptions {
  format: ImportFormat;
  content: string;
}

export interface ImportReport {
  dry_run: boolean;
  created: number;
  updated: number;
  unchanged: number;
  conflicts: number;
  invalid: number;
  lines: ImportLine[];
}

/**
 * Imports the licences of a file. Each batch is a transaction, so an interrupted import can be repeated: what is done is
 * reported as unchanged.
 * @param onBatch is given the lines of each batch that is saved
 * @throws InvalidFieldError for a file that cannot be read
 */
export async function importLicences(
  platform: Platform,
  { format, content, ...request }: ImportRequest,
  importer: Importer,
  onBatch: (lines: readonly ImportLine[]) => void = () => {},
): Promise<ImportReport> {
  const entries = read(format, content);
  const options = { ...request, source: getSource(format) };
  const lines: ImportLine[] = [];
  let earlier: ReadonlySet<string> = new Set();
  for (let from = 0; from < entries.length; from += BATCH) {
    const batch = entries.slice(from, from + BATCH);
    const done = await importBatch(platform, { entries: batch, earlier, options, importer });
    lines.push(...done.lines);
    earlier = done.seen;
    onBatch(done.lines);
  }
  return toImportReport(lines, request.dryRun);
}

/** Counts the lines by what was done with them. */
export function toImportReport(lines: ImportLine[], dryRun: boolean): ImportReport {
  const count = (action: ImportLine['action']) =>
    lines.filter((line) => line.action === action).length;
  return {
    dry_run: dryRun,
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    conflicts: count('conflict'),
    invalid: count('invalid'),
    lines,
  };
}

function read(format: ImportFormat, content: string): Entry[] {
  const invalid = (message: string) => new InvalidFieldError('content', message);
  try {
    const entries = content.trim() === '' ? [] : readEntries(format, content);
    if (entries.length === 0) throw invalid('The file has no licences.');
    if (entries.length > IMPORT_MAX)
      throw invalid(
        `You can import up to ${IMPORT_MAX} licences at a time. This file has ${entries.length}.`,
      );
    return entries;
  } catch (error) {
    if (error instanceof InvalidFile) throw invalid(error.message);
    throw error;
  }
}
