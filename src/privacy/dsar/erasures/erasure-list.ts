import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lockName } from '../../../platform/db/index.ts';
import { createFolder, writeDurably } from '../../../platform/durable-file.ts';
import { CliError, DomainError } from '../../../platform/errors.ts';
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

/** What the list is written with. */
export type Writer = Pick<Dsar, 'platform'> & Folder;

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
 * written before the erasure is committed, see `unlistUncommitted`.
 * @throws DomainError `service_unavailable` if it cannot be written
 */
export async function listErasure(dsar: Writer, erasure: Erasure): Promise<ListedErasure> {
  const [listed] = await listErasures(dsar, [erasure]);
  return listed as ListedErasure;
}

export async function listErasures(
  dsar: Writer,
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
  await withLock(dsar, () =>
    appendFile(getFile(dsar), lines, { mode: 0o600, flush: true }).catch((error) => {
      throw toUnavailable(error);
    }),
  );
  return listed;
}

/** The file is replaced when entries are removed, which would lose what another process adds meanwhile. */
const withLock = ({ platform: { datastore } }: Writer, work: () => Promise<void>): Promise<void> =>
  datastore.transaction(async (trx) => {
    await lockName(trx, ERASURES);
    await work();
  });

function toUnavailable(cause: NodeJS.ErrnoException): DomainError {
  const isFull = cause.code === 'ENOSPC' || cause.code === 'EDQUOT';
  const [problem, advice] = isFull
    ? ['The disk of the data folder is full', 'Free space on the server']
    : [`The data folder cannot be written (${cause.code})`, 'Make it writable on the server'];
  const message = `${problem}, so the erasure cannot be listed in ${ERASURES}. Nothing was erased. ${advice}, then try again.`;
  return new DomainError('unavailable', 'service_unavailable', message, { cause });
}

const toLines = (erasures: readonly ListedErasure[]): string =>
  erasures.map((each) => `${JSON.stringify(each)}\n`).join('');

/** How each entry begins. */
const START = '{"id":"';

/**
 * All erasures in the list, oldest first. Those that a crash or a full disk has cut off are skipped, since they were not
 * committed.
 * @throws CliError if a line is not an erasure: the one that it recorded would not be repeated
 */
export async function readErasures(folder: Folder): Promise<ListedErasure[]> {
  const file = getFile(folder);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    // The caller says whose permissions refuse it.
    if (error.code === 'EACCES') throw error;
    throw new CliError(
      `PAVIS_DATA_DIR is "${folder.site.dataDir}", whose file "${ERASURES}" cannot be read (${error.message}): put its latest copy back`,
      2,
    );
  });
  return text.split('\n').flatMap((line, index) =>
    // Earlier versions wrote onto a line that was cut off.
    line.split(/(?=\{"id":")/).flatMap((part) => {
      // A power failure can leave zeros.
      const entry = part.replaceAll('\0', '').trim();
      const isCutOff = START.startsWith(entry.slice(0, START.length)) && !entry.endsWith('}');
      return isCutOff ? [] : [parseErasure(entry, `line ${index + 1} of ${file}`)];
    }),
  );
}

function parseErasure(entry: string, place: string): ListedErasure {
  try {
    const parsed: ListedErasure = JSON.parse(entry);
    const { id, at, reference, source, email, visitor_id } = parsed;
    const areTexts = [id, reference, source, email ?? '', visitor_id ?? ''].every(
      (each) => typeof each === 'string',
    );
    if (areTexts && !Number.isNaN(Date.parse(at))) return parsed;
  } catch {
    // Reported below, as are entries that lack something.
  }
  throw new CliError(
    `${place} is not an erasure. Correct it, or put the latest copy of the file back. Without a copy, delete the line: the erasure that it recorded will not be repeated`,
  );
}

/** Removes erasures before a moment, in epoch milliseconds. */
export const pruneErasures = (dsar: Writer, before: number): Promise<void> =>
  keepErasures(dsar, ({ at }) => Date.parse(at) >= before);

export async function unlistErasures(
  dsar: Writer,
  erasures: readonly ListedErasure[],
): Promise<void> {
  const ids = new Set(erasures.map(({ id }) => id));
  await keepErasures(dsar, ({ id }) => !ids.has(id));
}

const keepErasures = (dsar: Writer, isKept: (erasure: ListedErasure) => boolean): Promise<void> =>
  withLock(dsar, async () => {
    const all = await readErasures(dsar);
    const kept = all.filter(isKept);
    if (kept.length < all.length) writeDurably(getFile(dsar), toLines(kept));
  });
