import { removeMailFiles } from '../../../mail/index.ts';
import { completePurgeRequest, findPurgeRequest } from '../../../platform/db/index.ts';
import { Worker } from '../../../platform/jobs/worker.ts';
import type { Dsar } from '../context.ts';
import { removeLeftFiles } from '../fulfilment/index.ts';
import { eraseCompletedRequests } from './erase-request.ts';

/** Their text says what was done, and nothing about the person. */
const IMPERSONAL_MAILS = ['dsar_completed'];

/** Removes the files of emails and packages that no record needs any more. */
export async function removeFiles(dsar: Dsar): Promise<void> {
  const { dataDir } = dsar.site;
  const { db } = dsar.platform.datastore;
  await removeMailFiles(db, { dataDir, impersonalKinds: IMPERSONAL_MAILS });
  await removeLeftFiles(dsar);
}

/**
 * Takes what an erasure, a retention run or the deletion of a request has removed off the disk: files, and
 * what the files of the database still have of it. True: it was done now.
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

/** Ends erasures and purges the disk after them, in the background. */
export const erasurePurger = (dsar: Dsar): Worker =>
  new Worker({
    name: 'purge',
    log: dsar.platform.log,
    work: async () => {
      await eraseCompletedRequests(dsar);
      return purgeIfRequested(dsar);
    },
  });
