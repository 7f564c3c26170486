import { appendSecurityEvent } from '../../../identity/security-log/index.ts';
import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import { findToken, insertEvent, useToken } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { findPackage, readPackage, type StoredPackage } from '../fulfilment/index.ts';
import { hashToken } from '../messages/notify.ts';
import { type Case, findCase, lockCase } from '../store.ts';

interface OpenedPackage extends StoredPackage {
  caseId: number;
  reference: string;
  content: Buffer;
}

/** Why a download link does not work. */
export type LinkProblem = 'unknown' | 'used' | 'expired' | 'revoked' | 'replaced' | 'deleted';

const PROBLEMS: Record<LinkProblem, string> = {
  unknown: 'This download link is incomplete or wrong. Copy the whole link from the email.',
  used: 'This download link was already used. Ask for a new one.',
  expired: 'This download link has expired: it was valid for seven days. Ask for a new one.',
  revoked: 'This download link was withdrawn because the status of the request has changed.',
  replaced: 'A newer download link has replaced this one. Use the link in the latest email.',
  deleted: 'The package has been deleted from the server. Ask for a new copy.',
};

export const invalidLinkError = (problem: LinkProblem): DomainError =>
  new DomainError('not_found', 'not_found', PROBLEMS[problem]);

/**
 * The package of a case, for an administrator.
 * @throws NotFoundError while there is none
 */
export async function openPackage(dsar: Dsar, id: number, actor: string): Promise<OpenedPackage> {
  const { datastore, clock } = dsar.platform;
  const { db } = datastore;
  const [dsarCase, stored] = [await findCase(db, id), await findPackage(db, id)];
  const content = stored && (await readPackage(dsar, stored));
  if (!dsarCase || !content) throw new NotFoundError('A package of this request');
  const at = clock.now();
  const details = { what: 'dsar_packages', reference: dsarCase.reference };
  await datastore.transaction(async (trx) => {
    await insertEvent(trx, id, { at, actor, action: 'package_opened', details: {} });
    await appendSecurityEvent(trx, { event: 'data_exported', actor, details }, at);
  });
  return { ...stored, caseId: id, reference: dsarCase.reference, content };
}

/** Why a download link does not work; undefined if it does. It is not used up. */
export async function findLinkProblem(dsar: Dsar, token: string): Promise<LinkProblem | undefined> {
  const found = await findLinkedPackage(dsar, token);
  return typeof found === 'string' ? found : undefined;
}

/** The package that a download link leads to, or why it leads to none. */
async function findLinkedPackage(dsar: Dsar, token: string): Promise<OpenedPackage | LinkProblem> {
  const { datastore, clock, secret } = dsar.platform;
  const { db } = datastore;
  const hash = hashToken(secret, 'download', token);
  const link = await findToken(db, { purpose: 'download', hash });
  if (!link) return 'unknown';
  const dsarCase = await findCase(db, link.caseId);
  if (!dsarCase) return 'unknown';
  if (!isDownloadable(dsarCase)) return 'revoked';
  // Completing a request again, or sending a new link, emails one that works.
  if (link.revokedAt !== null) return 'replaced';
  if (link.usedAt !== null) return 'used';
  if (link.expiresAt <= clock.now()) return 'expired';
  const stored = await findPackage(db, link.caseId);
  const content = stored && (await readPackage(dsar, stored));
  const { id: caseId, reference } = dsarCase;
  return content ? { ...stored, caseId, reference, content } : 'deleted';
}

/** A package is the result of a completed request and is available only while that is its status. */
const isDownloadable = ({ status }: Case): boolean => status === 'completed';

/**
 * The package of a case with the emailed link, once, or why the link does not work. The file is read first, so
 * that a link without a file is not used up and only a download that happens is logged.
 */
export async function downloadPackage(
  dsar: Dsar,
  token: string,
): Promise<OpenedPackage | LinkProblem> {
  const { datastore, clock, secret } = dsar.platform;
  const hash = hashToken(secret, 'download', token);
  const opened = await findLinkedPackage(dsar, token);
  if (typeof opened === 'string') return opened;
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    // The status may have changed while the file was read.
    const dsarCase = await lockCase(trx, opened.caseId);
    if (!dsarCase || !isDownloadable(dsarCase)) return 'revoked';
    const isUsed = await useToken(trx, { purpose: 'download', hash }, at);
    if (isUsed === undefined) return 'used';
    const event = { at, actor: 'requestor', action: 'package_downloaded', details: {} };
    await insertEvent(trx, dsarCase.id, event);
    const details = { what: 'dsar_packages', reference: dsarCase.reference, method: 'link' };
    await appendSecurityEvent(trx, { event: 'data_exported', details }, at);
    return opened;
  });
}
