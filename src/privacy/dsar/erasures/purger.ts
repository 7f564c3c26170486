import { removeMailFiles } from '../../../mail/index.ts';
import { completePurgeRequest, findPurgeRequest } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { Worker } from '../../../platform/jobs/worker.ts';
import type { Dsar } from '../context.ts';
import { removeLeftFiles } from '../fulfilment/index.ts';
import { eraseCompletedRequests } from './erase-request.ts';
import { pruneErasures } from './erasure-list.ts';
import { deleteErasures } from './store.ts';

/** The longest life of a backup, see docs/guides/backup.md. */
const BACKUP_MS = 3 * 366 * DAY_MS;

/** Emails without personal data in their text. */
const IMPERSONAL_MAILS = ['dsar_completed'];

/** Deletes the files of emails and packages that no record refers to. */
export async function removeFiles(dsar: Dsar): Promise<void> {
  const { dataDir } = dsar.site;
  const { db } = dsar.platform.datastore;
  await removeMailFiles(db, { dataDir, impersonalKinds: IMPERSONAL_MAILS });
  await removeLeftFiles(dsar);
}

/** Deletes list entries that no backup can need. */
export async function pruneOldErasures(dsar: Dsar): Promise<void> {
  const { datastore, clock } = dsar.platform;
  const before = clock.now() - BACKUP_MS;
  await pruneErasures(dsar, before);
  await deleteErasures(datastore.db, before);
}

/**
 * Removes deleted data from the disk after an erasure, a retention run or the deletion of a request: files, and
 * remains in the files of the database.
 * @returns whether a purge was requested
 */
export async function purgeIfRequested(dsar: Dsar): Promise<boolean> {
  const { datastore } = dsar.platform;
  const request = await findPurgeRequest(datastore.db);
  if (request === undefined) return false;
  await removeFiles(dsar);
  const tables = dsar.site.personalData.flatMap(({ table, parts = [] }) => [
    table,
    ...parts.map((part) => part.table),
  ]);
  await datastore.purge([...new Set(tables)]);
  await completePurgeRequest(datastore.db, request);
  return true;
}

/** Completes erasures and purges the disk in the background. */
export const erasurePurger = (dsar: Dsar): Worker =>
  new Worker({
    name: 'purge',
    log: dsar.platform.log,
    work: async () => {
      await eraseCompletedRequests(dsar);
      return purgeIfRequested(dsar);
    },
  });
