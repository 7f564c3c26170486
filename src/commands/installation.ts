import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, maskUrl } from '../config/index.ts';
import { toIsoMoment } from '../platform/clock.ts';
import { isEmptyDatabase } from '../platform/db/index.ts';
import type { Platform } from '../platform/deps.ts';
import { removeDrafts, writeDurably } from '../platform/durable-file.ts';
import { CliError } from '../platform/errors.ts';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

const toMarkFile = ({ dataDir }: Place): string => join(dataDir, 'installation.json');

/**
 * Prevents a start with an empty database in a used data folder. It would be filled as on a first start and hide
 * the loss of all data.
 * @throws CliError if the database is empty and the data folder is not new
 */
export async function assertDatabaseKept({ datastore }: Platform, place: Place): Promise<void> {
  const file = toMarkFile(place);
  if (!existsSync(file) || !(await isEmptyDatabase(datastore))) return;
  const restore =
    datastore.engine === 'sqlite' ? '"pavis restore FILE"' : 'pg_restore, with Pavis stopped';
  throw new CliError(
    `the database ${maskUrl(place.databaseUrl)} is empty, but ${describeUse(file)}. Restore a backup (${restore}) or set PAVIS_DATABASE_URL to the database that was used. To start with an empty one on purpose, remove ${file}`,
  );
}

/** Records in the data folder that its database is in use. */
export function noteDatabase({ clock, log }: Platform, place: Place): void {
  const file = toMarkFile(place);
  if (existsSync(file)) return;
  const note = { database: maskUrl(place.databaseUrl), since: toIsoMoment(clock.now()) };
  try {
    writeDurably(file, `${JSON.stringify(note, null, 2)}\n`);
    removeDrafts(file);
  } catch (err) {
    // With a database on another machine, the data folder may be read-only.
    log.warn(
      { err },
      'cannot write to the data folder, so an emptied database would not be detected',
    );
  }
}

function describeUse(file: string): string {
  try {
    const { database, since } = JSON.parse(readFileSync(file, 'utf8'));
    return `${file} says that ${database} has been in use since ${since}`;
  } catch {
    return `${file} says that a database was in use`;
  }
}
