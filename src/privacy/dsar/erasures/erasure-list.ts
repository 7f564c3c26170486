import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dsar, DsarSite } from '../context.ts';

/**
 * An erasure, for a database that is restored from an earlier backup. Of the person there are hashes only,
 * which nobody can use without the secret of the installation.
 */
export interface ListedErasure {
  id: string;
  /** ISO 8601 */
  at: string;
  /** Of the request; empty where there was none. */
  reference: string;
  /** The id of a source; `REQUEST` for the request itself. */
  source: string;
  email: string | null;
  visitor_id: string | null;
}

/** Stands for a source where a completed request itself is erased. */
export const REQUEST = 'request';

/** Within the data folder. */
export const ERASURES = 'erasures.jsonl';

interface Folder {
  site: Pick<DsarSite, 'dataDir'>;
}

const getFile = ({ site }: Folder): string => join(site.dataDir, ERASURES);

/** What stands in the list for an address or a visitor id. */
export const hashErased = (
  { platform: { secret } }: Pick<Dsar, 'platform'>,
  identity: 'email' | 'visitor_id',
  value: string,
): string => secret.hash(`erased-${identity}`, value);

interface Erasure {
  reference: string;
  source: string;
  email: string | null;
  visitorId: string | null;
}

/**
 * Adds an erasure to the list, which is a file beside the database: a restored database must not take it
 * back. It is on the disk before the erasure is committed, since one too many does no harm.
 */
export async function listErasure(
  dsar: Pick<Dsar, 'platform'> & Folder,
  erasure: Erasure,
): Promise<ListedErasure> {
  const [listed] = await listErasures(dsar, [erasure]);
  return listed as ListedErasure;
}

/** `listErasure` for several, which reach the disk together. */
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
  await mkdir(dsar.site.dataDir, { recursive: true, mode: 0o700 });
  const handle = await open(getFile(dsar), 'a', 0o600);
  try {
    await handle.appendFile(toLines(listed));
    await handle.sync();
  } finally {
    await handle.close();
  }
  return listed;
}

const toLines = (erasures: readonly ListedErasure[]): string =>
  erasures.map((each) => `${JSON.stringify(each)}\n`).join('');

/** Every erasure in the list, oldest first. A line that a crash has cut off is left out. */
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

/** Takes erasures from before a moment, in epoch milliseconds, off the list. */
export const pruneErasures = (folder: Folder, before: number): Promise<void> =>
  keepErasures(folder, ({ at }) => Date.parse(at) >= before);

/** Takes erasures off the list that were not made after all. */
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
  const file = getFile(folder);
  const draft = `${file}.${randomUUID()}.part`;
  await writeFile(draft, toLines(kept), { mode: 0o600, flush: true });
  await rename(draft, file);
}
