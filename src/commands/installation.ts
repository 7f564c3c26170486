import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, INSTALLATION_FILE, maskUrl } from '../config/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import { assertFillable, assertSameSecret, isEmptyDatabase } from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { removeDrafts, writeDurably } from '../platform/durable-file.ts';
import { CliError } from '../platform/errors.ts';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

const toMarkFile = ({ dataDir }: Pick<Config, 'dataDir'>): string =>
  join(dataDir, INSTALLATION_FILE);

/**
 * Prevents work on a database of another secret, also its migration, and a start with an empty database in a used data
 * folder: it would be filled as on a first start and hide the loss of all data.
 * @returns whether the database is empty, and so has no secret yet
 * @throws CliError if the database has another secret, if it was moved, or if it is empty and the data folder is not new
 */
export async function assertOwnDatabase(
  { datastore, secret }: Platform,
  place: Place,
): Promise<{ isEmpty: boolean }> {
  assertNotMoved(place);
  if (!(await isEmptyDatabase(datastore))) {
    await assertSameSecret(datastore, secret);
    return { isEmpty: false };
  }
  const file = toMarkFile(place);
  if (!existsSync(file)) {
    await assertFillable(datastore);
    return { isEmpty: true };
  }
  const restore =
    datastore.engine === 'sqlite' ? '"pavis restore FILE"' : 'pg_restore, with Pavis stopped';
  throw new CliError(
    `the database ${maskUrl(place.databaseUrl)} is empty, but ${describeUse(file)}. Restore a backup (${restore}) or set PAVIS_DATABASE_URL to the database that was used. To start with an empty one on purpose, remove ${file}`,
  );
}

/**
 * Prevents that two databases diverge, or that backups are made of the one that is no longer used. After a move, that is
 * every embedded one, because the data folder or the file can be copied or renamed.
 * @throws CliError if the database was moved
 */
export function assertNotMoved(place: Place): void {
  const file = toMarkFile(place);
  const { database, since, moved_from } = readMark(file);
  if (moved_from === undefined || !place.databaseUrl.startsWith('sqlite:')) return;
  throw new CliError(
    `the database ${moved_from} was moved to ${database} at ${since}: set PAVIS_DATABASE_URL to that. To go back to the old one on purpose, remove ${file}`,
  );
}

/** What to do about a file in the place of the database that `isOtherFile`. */
export const OTHER_FILE_ADVICE =
  '. Check PAVIS_DATABASE_URL: the file is of another program, or its beginning is damaged. If it is the database of Pavis, move it away and restore a backup';

/** How each SQLite file begins (https://www.sqlite.org/fileformat.html). */
const SQLITE_HEADER = 'SQLite format 3\0';

/** Whether the embedded database is a file of something else, which a restore must not replace. */
export function isOtherFile({ dataDir, databaseUrl }: Place): boolean {
  const file = databaseUrl.slice('sqlite:'.length);
  // Pavis has given this one its name.
  if (file === join(dataDir, 'pavis.db')) return false;
  try {
    const handle = openSync(file, 'r');
    const beginning = Buffer.alloc(SQLITE_HEADER.length);
    const length = readSync(handle, beginning);
    closeSync(handle);
    return length > 0 && beginning.toString('latin1') !== SQLITE_HEADER;
  } catch {
    // Without a file, or with one that cannot be read, using it says so.
    return false;
  }
}

/** Records in the data folder that its database was moved, so that the old one is not used by mistake. */
export function noteMove(place: Place, url: string, at: number): void {
  const note = {
    database: maskUrl(url),
    since: toIsoMoment(at),
    moved_from: maskUrl(place.databaseUrl),
  };
  writeMark(toMarkFile(place), note);
}

/** The user of the server, if it is another one than root, who runs this command. */
export function findOtherUser(place: Pick<Config, 'dataDir'>): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  try {
    return statSync(toMarkFile(place)).uid || undefined;
  } catch {
    // There is none yet, or the first use of the folder says what is wrong with it.
    return undefined;
  }
}

/**
 * Prevents that root writes to the data folder of another user's server, which could not read those files.
 * @throws CliError that says how to run the command instead
 */
export function assertServerUser(place: Pick<Config, 'dataDir'>): void {
  const user = findOtherUser(place);
  if (user === undefined) return;
  throw new CliError(
    `root runs this command, but user ${user} runs the server, and could not read what root writes to ${place.dataDir}. Run it as that user. If systemd runs the server, install the command "pavis" of docs/guides/install.md; in a container, leave out --user`,
  );
}

/** Records in the data folder that its database is in use. */
export function noteDatabase({ clock, log }: Platform, place: Place): void {
  const file = toMarkFile(place);
  if (existsSync(file)) return;
  const note = { database: maskUrl(place.databaseUrl), since: toIsoMoment(clock.now()) };
  try {
    writeMark(file, note);
  } catch (err) {
    // With a database on another machine, the data folder may be read-only.
    log.warn(
      { err },
      'cannot write to the data folder, so an emptied database would not be detected',
    );
  }
}

interface Mark {
  database: string;
  /** ISO 8601. */
  since: string;
  moved_from?: string;
}

function writeMark(file: string, mark: Mark): void {
  writeDurably(file, `${JSON.stringify(mark, null, 2)}\n`);
  removeDrafts(file);
}

/** Without properties if there is none, or one that cannot be read. */
function readMark(file: string): Partial<Mark> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) ?? {};
  } catch {
    return {};
  }
}

function describeUse(file: string): string {
  const { database, since } = readMark(file);
  return database === undefined
    ? `${file} says that a database was in use`
    : `${file} says that ${database} has been in use since ${since}`;
}
