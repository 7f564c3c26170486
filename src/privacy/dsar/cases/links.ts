import { DomainError } from '../../../platform/errors.ts';
import { type CaseChange, changeCases, type Dsar } from '../context.ts';
import { findPackage, setPackageClosedAt } from '../fulfilment/index.ts';
import type { Emails } from '../messages/emails.ts';
import { createLink, revokeLinks, toTokenKey } from '../messages/links.ts';
import { notify } from '../messages/notify.ts';
import { isClosed, LINK_MS, type LinkPurpose, needsConfirmation } from '../rules.ts';
import { type Case, findCase, getLockedCase, lockCase } from '../store.ts';
import { findToken, insertEvent, isUsable, useToken } from './history/store.ts';

export const NO_PACKAGE = 'The request has no package, or it has been deleted.';

/** The purposes of links that change an open case. */
type OpenCasePurpose = 'verify' | 'withdraw';

/** Whether an emailed link works: nothing can be confirmed or withdrawn of a closed case. Does not use the link. */
export async function isLinkValid(
  dsar: Dsar,
  purpose: OpenCasePurpose,
  token: string,
): Promise<boolean> {
  const { datastore, clock } = dsar.platform;
  const link = await findToken(datastore.db, toTokenKey(dsar, purpose, token));
  if (!isUsable(link, clock.now())) return false;
  const dsarCase = await findCase(datastore.db, link.caseId);
  return dsarCase !== undefined && !isClosed(dsarCase.status);
}

/**
 * Uses an emailed link, once.
 * @returns its case, locked; undefined for a link that does not work, and for a closed case, which leaves the link unused
 */
export async function useLink(
  { dsar, trx, at }: CaseChange,
  purpose: OpenCasePurpose,
  token: string,
): Promise<Case | undefined> {
  const key = toTokenKey(dsar, purpose, token);
  const link = await findToken(trx, key);
  const dsarCase = link && (await lockCase(trx, link.caseId));
  if (!dsarCase || isClosed(dsarCase.status)) return undefined;
  return (await useToken(trx, key, at)) === undefined ? undefined : dsarCase;
}

/**
 * Emails the requester a new link to confirm the address or to download the package. Earlier links stop working.
 * @returns when the link expires, in epoch milliseconds
 * @throws NotFoundError; DomainError 409 `invalid_transition` if there is nothing to confirm or download
 */
export function sendNewLink(
  dsar: Dsar,
  id: number,
  purpose: LinkPurpose,
  actor: string,
): Promise<number> {
  return changeCases(dsar, async (change) => {
    const { trx, at } = change;
    const dsarCase = await getLockedCase(trx, id);
    const isConfirmation = purpose === 'confirm';
    const problem = isConfirmation
      ? findConfirmationProblem(dsarCase)
      : findDownloadProblem(dsarCase, (await findPackage(trx, id)) !== undefined);
    if (problem) throw new DomainError('conflict', 'invalid_transition', problem);
    const tokenPurpose = isConfirmation ? 'verify' : 'download';
    await revokeLinks(change, id, tokenPurpose);
    const link = await createLink(change, id, tokenPurpose);
    // The retention period of the package starts again.
    if (!isConfirmation) await setPackageClosedAt(trx, { id, closedAt: at });
    await insertEvent(trx, id, { at, actor, action: 'link_sent', details: { purpose } });
    const write = (emails: Emails) =>
      isConfirmation ? emails.newConfirmLink(link) : emails.newDownloadLink(link);
    await notify(change, dsarCase, `${purpose}_link`, write, true);
    return at + LINK_MS;
  });
}

function findConfirmationProblem(dsarCase: Case): string | undefined {
  const { email, status, verifiedAt } = dsarCase;
  if (email === null) return 'The request has no email address to confirm.';
  if (isClosed(status)) return `The request is ${status}: there is nothing to confirm.`;
  if (!needsConfirmation(dsarCase)) return 'The request needs no confirmation.';
  return verifiedAt === null ? undefined : 'The email address is already confirmed.';
}

function findDownloadProblem({ email, status }: Case, hasPackage: boolean): string | undefined {
  if (email === null) return 'The request has no email address: deliver the package another way.';
  if (status !== 'completed') {
    return `The request is ${status}: the package can be downloaded once it is completed.`;
  }
  return hasPackage ? undefined : NO_PACKAGE;
}
