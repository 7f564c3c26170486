import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dsar, DsarSite } from '../site.ts';

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

const fileOf = ({ site }: Folder): string => join(site.dataDir, ERASURES);

/** What stands in the list for an address or a visitor id. */
export const erasureHash = (
  { platform: { secret } }: Pick<Dsar, 'platform'>,
  identity: 'email' | 'visitor_id',
  value: string,
): string => secret.hash(`erased-${identity}`, value);

/**
 * Adds an erasure to the list, which is a file beside the database: a restored database must not take it
 * back. It is on the disk before the erasure is committed, since one too many does no harm.
 */
export async function listErasure(
  dsar: Pick<Dsar, 'platform'> & Folder,
  {
    reference,
    source,
    email,
    visitorId,
  }: { reference: string; source: string; email: string | null; visitorId: string | null },
): Promise<ListedErasure> {
  const hashed = (identity: 'email' | 'visitor_id', value: string | null) =>
    value === null ? null : erasureHash(dsar, identity, value);
  const listed: ListedErasure = {
    id: randomUUID(),
    at: new Date(dsar.platform.clock.now()).toISOString(),
    reference,
    source,
    email: hashed('email', email),
    visitor_id: hashed('visitor_id', visitorId),
  };
  await mkdir(dsar.site.dataDir, { recursive: true, mode: 0o700 });
  const handle = await open(fileOf(dsar), 'a', 0o600);
  try {
    await handle.appendFile(`${JSON.stringify(listed)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return listed;
}

/** Every erasure in the list, oldest first. A line that a crash has cut off is left out. */
export async function readErasures(folder: Folder): Promise<ListedErasure[]> {
  const text = await readFile(fileOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
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
export async function pruneErasures(folder: Folder, before: number): Promise<void> {
  const all = await readErasures(folder);
  const kept = all.filter(({ at }) => Date.parse(at) >= before);
  if (kept.length === all.length) return;
  const file = fileOf(folder);
  const draft = `${file}.${randomUUID()}.part`;
  await writeFile(draft, kept.map((each) => `${JSON.stringify(each)}\n`).join(''), { mode: 0o600 });
  await rename(draft, file);
}
