import { resolveAddresses } from '../config/index.ts';
import { loadExtensions } from '../extensions/loading.ts';
import { openDataSubjectRequests } from '../modules/dsar.ts';
import { CliError } from '../platform/errors.ts';
import {
  type Case,
  type Dsar,
  findCase,
  findCaseByReference,
  readReference,
} from '../privacy/dsar/index.ts';
import { currentConfig, table, withPlatform } from './cli.ts';

export const CASE_ARGUMENT = ['<case>', 'its id or its reference'] as const;

/** Runs work with the slice opened, including the sources of extensions. */
export function withDsar<T>(
  work: (dsar: Dsar) => Promise<T>,
  preparation?: Parameters<typeof withPlatform>[2],
): Promise<T> {
  const config = currentConfig();
  return withPlatform(
    config,
    async (platform) => {
      const { hooks, extensions: registry, log } = platform;
      await loadExtensions(config.extensions, { hooks, registry, log });
      return work(openDataSubjectRequests(platform, config, () => resolveAddresses(config)));
    },
    preparation,
  );
}

/** @throws CliError if there is no case with this id or reference */
export async function getCase({ platform: { datastore } }: Dsar, given: string): Promise<Case> {
  const reference = readReference(given);
  const found = reference
    ? await findCaseByReference(datastore.db, reference)
    : /^[1-9]\d{0,14}$/.test(given) && (await findCase(datastore.db, Number(given)));
  if (!found) throw new CliError(`there is no request ${given}: "pavis dsar list" shows them`);
  return found;
}

/** A table of these fields of records. */
export const recordTable = (columns: string[], records: readonly object[]): string =>
  table(
    columns,
    records.map((record) => {
      const fields: Record<string, unknown> = { ...record };
      return columns.map((column) => String(fields[column] ?? ''));
    }),
  );

export const taskTable = (tasks: readonly object[]): string =>
  recordTable(
    ['id', 'kind', 'source', 'status', 'records', 'erased', 'anonymised', 'last_error'],
    tasks,
  );
