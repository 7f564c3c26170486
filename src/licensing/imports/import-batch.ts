import { appendSecurityEvent } from '../../identity/security-log/index.ts';
import type { Announce, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { type Catalogue, readCatalogue } from '../products/index.ts';
import { hashIdentity, hashOldKey } from './hashes.ts';
import {
  createImported,
  type ImportContext,
  type Outcome,
  updateImported,
} from './import-licence.ts';
import { type ImportedLicence, InvalidEntry, type PlanOptions, readEntry } from './read-entry.ts';
import type { Entry } from './sources/index.ts';
import { findImports, type KnownImport, lockImports } from './store.ts';

/** How long old keys can be exchanged. */
const EXCHANGE_MS = 365 * DAY_MS;

export interface ImportOptions extends PlanOptions {
  /** Reports what an import would do and changes nothing. */
  dryRun: boolean;
  /** Emails the keys of new licences to their customers. Default: false. */
  notify?: boolean | undefined;
  /** Until when old keys can be exchanged, in epoch milliseconds. Default: a year from now. */
  exchangeUntil?: number | undefined;
}

/** The user or the command that imports. */
export interface Importer {
  /** For the audit log of licences. */
  actor: string;
  /** For the security log: a login, or the command line. */
  login: string;
}

export interface ImportLine {
  line: number;
  action: Outcome['action'] | 'invalid';
  email: string;
  /** The public identifier of the licence; of a dry run, only if it exists. */
  id: string | null;
  /** Why it was not imported, or what was left out. */
  reason: string | null;
  /** A new key in clear that nobody gets otherwise, shown only once. */
  licence_key: string | null;
}

interface Batch {
  entries: readonly Entry[];
  /** Identities and old keys of licences on earlier lines. */
  earlier: ReadonlySet<string>;
  options: ImportOptions & { source: string };
  importer: Importer;
}

interface BatchResult {
  lines: ImportLine[];
  seen: ReadonlySet<string>;
}

/** Carries the result of a dry run out of its transaction, which it rolls back. */
class RolledBack extends Error {
  readonly result: BatchResult;

  constructor(result: BatchResult) {
    super('a dry run');
    this.result = result;
  }
}

/** Imports some licences of a file in one transaction. */
export async function importBatch(platform: Platform, batch: Batch): Promise<BatchResult> {
  try {
    return await platform.datastore.transaction(async (trx, announce) => {
      const result = await importWithin(platform, trx, announce, batch);
      if (batch.options.dryRun) throw new RolledBack(result);
      await logBatch(platform, trx, batch, result.lines);
      return result;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.result;
    throw error;
  }
}

async function importWithin(
  platform: Platform,
  trx: Trx,
  announce: Announce,
  { entries, earlier, options, importer }: Batch,
): Promise<BatchResult> {
  const { source, notify = false } = options;
  await lockImports(trx);
  const catalogue = await readCatalogue(trx);
  const exchangeUntil = options.exchangeUntil ?? platform.clock.now() + EXCHANGE_MS;
  const context = {
    platform,
    trx,
    announce,
    catalogue,
    source,
    notify,
    exchangeUntil,
    actor: importer.actor,
  };
  const read = entries.map((entry) => ({ entry, ...tryRead(entry, catalogue, options) }));
  const valid = read.flatMap(({ imported }) => (imported ? [imported] : []));
  const known = await findKnown(context, valid, earlier);
  const lines: ImportLine[] = [];
  for (const { entry, imported, error } of read) {
    const { key, action, reason, id } = imported
      ? await importOne(context, known, imported)
      : invalid(error);
    // The identifier and the key of a dry run are rolled back.
    const isKept = !(options.dryRun && action === 'created');
    lines.push({
      line: entry.line,
      action,
      email: imported?.email ?? entry.values.email?.slice(0, 254) ?? '',
      id: isKept ? id : null,
      reason,
      licence_key: isKept ? key : null,
    });
  }
  return { lines, seen: known.seen };
}

function tryRead(
  entry: Entry,
  catalogue: Catalogue,
  options: PlanOptions,
): { imported: ImportedLicence; error: null } | { imported?: never; error: string } {
  try {
    return { imported: readEntry(entry, catalogue, options), error: null };
  } catch (error) {
    if (error instanceof InvalidEntry) return { error: error.message };
    throw error;
  }
}

interface Known {
  byIdentity: Map<string, KnownImport>;
  /** The licence of each old key and product. */
  byOldKey: Map<string, string>;
  /** Identities of earlier lines, and the old keys of those that were created. */
  seen: Set<string>;
}

async function findKnown(
  { platform, trx, source }: ImportContext,
  imported: readonly ImportedLicence[],
  earlier: ReadonlySet<string>,
): Promise<Known> {
  const identities = imported.map((each) => hashIdentity(platform, source, each));
  const oldKeys = imported.flatMap(({ oldKey }) => (oldKey ? [hashOldKey(platform, oldKey)] : []));
  const found = await findImports(trx, identities, oldKeys);
  return {
    byIdentity: new Map(found.map((each) => [each.identityHash, each])),
    byOldKey: new Map(
      found.flatMap(({ oldKeyHash, productId, licenceId }) =>
        oldKeyHash ? [[`${oldKeyHash} ${productId}`, licenceId] as const] : [],
      ),
    ),
    seen: new Set(earlier),
  };
}

type LineOutcome = Omit<Outcome, 'action' | 'id'> & {
  action: ImportLine['action'];
  id: string | null;
};

async function importOne(
  context: ImportContext,
  { byIdentity, byOldKey, seen }: Known,
  imported: ImportedLicence,
): Promise<LineOutcome> {
  const { platform, source } = context;
  const identity = hashIdentity(platform, source, imported);
  if (seen.has(identity)) return invalid('The same licence is on an earlier line.');
  seen.add(identity);
  const known = byIdentity.get(identity);
  if (known) return updateImported(context, known, imported);
  const keyOfProduct =
    imported.oldKey && `${hashOldKey(platform, imported.oldKey)} ${imported.productId}`;
  // The licences of earlier lines exist in this transaction only if it is not a dry run.
  const isOnEarlierLine = keyOfProduct !== undefined && seen.has(keyOfProduct);
  const owner = keyOfProduct && byOldKey.get(keyOfProduct);
  if (isOnEarlierLine || owner) {
    const reason = isOnEarlierLine
      ? 'Another licence of the same product on an earlier line has this old key.'
      : `Licence ${owner} of the same product has this old key.`;
    return { action: 'conflict', id: null, reason, key: null };
  }
  if (keyOfProduct) seen.add(keyOfProduct);
  return createImported(context, imported);
}

const invalid = (reason: string): LineOutcome => ({
  action: 'invalid',
  id: null,
  reason,
  key: null,
});

/** One security event per transaction that changed something, so that none is lost if the process dies. */
async function logBatch(
  platform: Platform,
  trx: Trx,
  { options, importer }: Batch,
  lines: readonly ImportLine[],
): Promise<void> {
  const count = (wanted: ImportLine['action']) =>
    lines.filter(({ action }) => action === wanted).length;
  const [created, updated] = [count('created'), count('updated')];
  if (created + updated === 0) return;
  const details = {
    source: options.source,
    from_line: lines[0]?.line,
    to_line: lines.at(-1)?.line,
    created,
    updated,
  };
  const event = { event: 'licences_imported', actor: importer.login, details } as const;
  await appendSecurityEvent(trx, event, platform.clock.now());
}
