import { notFound } from '../../platform/rest/errors.ts';
import { findPackage, readPackage, type StoredPackage } from './fulfilment/index.ts';
import { insertEvent, useToken } from './history/store.ts';
import { linkIsOver } from './intake.ts';
import { hashOf } from './notify.ts';
import type { Dsar } from './site.ts';
import { findCase } from './store.ts';

interface OpenedPackage extends StoredPackage {
  reference: string;
  content: Buffer;
}

/**
 * The package of a case, for an administrator.
 * @throws RestError 404 while there is none
 */
export async function openPackage(dsar: Dsar, id: number, actor: string): Promise<OpenedPackage> {
  const { datastore, clock } = dsar.platform;
  const opened = await openedPackage(dsar, id);
  if (!opened) throw notFound('A package of this request');
  await datastore.transaction((trx) =>
    insertEvent(trx, id, { at: clock.now(), actor, action: 'package_opened', details: {} }),
  );
  return opened;
}

/**
 * The package of a case by the link that was mailed for it, once.
 * @throws RestError 404 for a link that is none, was used, or is too old
 */
export async function downloadPackage(dsar: Dsar, token: string): Promise<OpenedPackage> {
  const { datastore, clock, secret } = dsar.platform;
  const hash = hashOf(secret, 'download', token);
  const caseId = await datastore.transaction(async (trx) => {
    const at = clock.now();
    const found = await useToken(trx, { purpose: 'download', hash }, at);
    if (found === undefined) throw linkIsOver();
    const event = { at, actor: 'requestor', action: 'package_downloaded', details: {} };
    await insertEvent(trx, found, event);
    return found;
  });
  const opened = await openedPackage(dsar, caseId);
  if (!opened) throw linkIsOver();
  return opened;
}

async function openedPackage(dsar: Dsar, id: number): Promise<OpenedPackage | undefined> {
  const { db } = dsar.platform.datastore;
  const [dsarCase, stored] = [await findCase(db, id), await findPackage(db, id)];
  const content = stored && (await readPackage(dsar, stored));
  return dsarCase && content ? { ...stored, reference: dsarCase.reference, content } : undefined;
}
