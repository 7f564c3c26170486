import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder, writeDurably } from '../../../platform/durable-file.ts';
import type { Dsar, DsarSite } from '../context.ts';

/**
 * An erasure, so that a database restored from an earlier backup can repeat it. The person is listed by keyed hashes
 * only.
 */
export interface ListedErasure {
  id: string;
  /** ISO 8601 */
  at: string;
  /** The reference of the request; empty without a request. */
  reference: string;
  /** The id of a source; `REQUEST` for the request itself. */
  source: string;
  email: string | null;
  visitor_id: string | null;
}

/** The source that stands for the request itself. */
export const REQUEST = 'request';

/** The file of the list, in the data folder. */
export const ERASURES = 'erasures.jsonl';

interface Folder {
  site: Pick<DsarSite, 'dataDir'>;
}

const getFile = ({ site }: Folder): string => join(site.dataDir, ERASURES);

export const hashErased = (
  { platform: { secret } }: Pick<Dsar, 'platform'>,
  identity: 'email' | 'visitor_id',
  value: string,
): string => secret.hash(`erased-${identity}`, value);

interface Erasure extends Pick<ListedErasure, 'reference' | 'source' | 'email'> {
  visitorId: string | null;
}

/**
 * Adds an erasure to the list, which is a file beside the database so that restoring a backup does not undo it. It is
 * written before the erasure is committed: an entry too many does no harm.
 */
export async function listErasure(
  dsar: Pick<Dsar, 'platform'> & Folder,
  erasure: Erasure,
): Promise<ListedErasure> {
  const [listed] = await listErasures(dsar, [erasure]);
  return listed as ListedErasure;
}

export async function listErasures(
  dsar: Pick<Dsar, 'platform'> & Folder,
  erasures: readonly Erasure[],
): Promise<ListedErasure[]> {
  const hashed = (identity: 'email' | 'visitor_id', value: string | null) =>
    value === null ? null : hashErased(dsar, identity, value);
  const at = new Date(dsar.platform.clock.now()).toISOString();
  const listed = erasures.map(({ reference, source, email, visitorId }) => ({
    id: randomUUID(),
    at,
    reference,
    source,
    email: hashed('email', email),
    visitor_id: hashed('visitor_id', visitorId),
  }));
  createFolder(dsar.site.dataDir);
  // On a new line, because a crash or a full disk may have cut the last one off.
  const lines = `\n${toLines(listed)}`;
  await appendFile(getFile(dsar), lines, { mode: 0o600, flush: true });
  return listed;
}

const toLines = (erasures: readonly ListedErasure[]): string =>
  erasures.map((each) => `${JSON.stringify(each)}\n`).join('');

/** All erasures in the list, oldest first. Empty lines, and those that were cut off, are skipped. */
export async function readErasures(folder: Folder): Promise<ListedErasure[]> {
  const text = await readFile(getFile(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as ListedErasure];
    } catch {
      return [];
    }
  });
}

/** Removes erasures before a moment, in epoch milliseconds. */
export const pruneErasures = (folder: Folder, before: number): Promise<void> =>
  keepErasures(folder, ({ at }) => Date.parse(at) >= before);

/** Removes erasures that were not committed. */
export async function unlistErasures(
  folder: Folder,
  erasures: readonly ListedErasure[],
): Promise<void> {
  const ids = new Set(erasures.map(({ id }) => id));
  await keepErasures(folder, ({ id }) => !ids.has(id));
}

async function keepErasures(
  folder: Folder,
  isKept: (erasure: ListedErasure) => boolean,
): Promise<void> {
  const all = await readErasures(folder);
  const kept = all.filter(isKept);
  if (kept.length === all.length) return;
  writeDurably(getFile(folder), toLines(kept));
}
