import { appendSecurityEvent } from '../../../identity/security-log/index.ts';
import { DomainError, NotFoundError } from '../../../platform/errors.ts';
import { findToken, insertEvent, useToken } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { findPackage, readPackage, type StoredPackage } from '../fulfilment/index.ts';
import { toTokenKey } from '../messages/links.ts';
import { type Case, findCase, lockCase } from '../store.ts';

interface OpenedPackage extends StoredPackage {
  caseId: number;
  reference: string;
  content: Buffer;
}

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
 * @throws NotFoundError
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
    await insertEvent(trx, id, { at, actor, action: 'package_opened' });
    await appendSecurityEvent(trx, { event: 'data_exported', actor, details }, at);
  });
  return { ...stored, caseId: id, reference: dsarCase.reference, content };
}

/** Undefined if the link works. Does not use it. */
export async function findLinkProblem(dsar: Dsar, token: string): Promise<LinkProblem | undefined> {
  const found = await findLinkedPackage(dsar, token);
  return typeof found === 'string' ? found : undefined;
}

async function findLinkedPackage(dsar: Dsar, token: string): Promise<OpenedPackage | LinkProblem> {
  const { datastore, clock } = dsar.platform;
  const { db } = datastore;
  const link = await findToken(db, toTokenKey(dsar, 'download', token));
  if (!link) return 'unknown';
  const dsarCase = await findCase(db, link.caseId);
  if (!dsarCase) return 'unknown';
  if (!isDownloadable(dsarCase)) return 'revoked';
  // Completing a request again, or sending a new link, revokes earlier ones.
  if (link.revokedAt !== null) return 'replaced';
  if (link.usedAt !== null) return 'used';
  if (link.expiresAt <= clock.now()) return 'expired';
  const stored = await findPackage(db, link.caseId);
  const content = stored && (await readPackage(dsar, stored));
  const { id: caseId, reference } = dsarCase;
  return content ? { ...stored, caseId, reference, content } : 'deleted';
}

/** A package is the result of a completed request. */
const isDownloadable = ({ status }: Case): boolean => status === 'completed';

/**
 * Uses an emailed link, which works once. The file is read first, so that a link whose file is missing is neither
 * used nor logged as a download.
 */
export async function downloadPackage(
  dsar: Dsar,
  token: string,
): Promise<OpenedPackage | LinkProblem> {
  const { datastore, clock } = dsar.platform;
  const opened = await findLinkedPackage(dsar, token);
  if (typeof opened === 'string') return opened;
  return datastore.transaction(async (trx) => {
    const at = clock.now();
    // The status may have changed while the file was read.
    const dsarCase = await lockCase(trx, opened.caseId);
    if (!dsarCase || !isDownloadable(dsarCase)) return 'revoked';
    const key = toTokenKey(dsar, 'download', token);
    if ((await useToken(trx, key, at)) === undefined) return 'used';
    const event = { at, actor: 'requestor', action: 'package_downloaded' };
    await insertEvent(trx, dsarCase.id, event);
    const details = { what: 'dsar_packages', reference: dsarCase.reference, method: 'link' };
    await appendSecurityEvent(trx, { event: 'data_exported', details }, at);
    return opened;
  });
}
