import { DomainError } from '../../../platform/errors.ts';
import { changeCases, type Dsar } from '../context.ts';
import { findPackage, setPackageClosedAt } from '../fulfilment/index.ts';
import { createLink } from '../messages/links.ts';
import { notify } from '../messages/notify.ts';
import { isClosed, LINK_MS, type LinkPurpose } from '../rules.ts';
import { type Case, getLockedCase } from '../store.ts';
import { insertEvent, revokeTokens } from './history/store.ts';

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
    await revokeTokens(trx, id, tokenPurpose, at);
    const link = await createLink(change, id, tokenPurpose);
    // The retention period of the package starts again.
    if (!isConfirmation) await setPackageClosedAt(trx, { id, closedAt: at });
    await insertEvent(trx, id, { at, actor, action: 'link_sent', details: { purpose } });
    await notify(change, dsarCase, `${purpose}_link`, (emails) =>
      isConfirmation ? emails.newConfirmLink(link) : emails.newDownloadLink(link),
    );
    return at + LINK_MS;
  });
}

function findConfirmationProblem({ email, status, verifiedAt }: Case): string | undefined {
  if (email === null) return 'The request has no email address to confirm.';
  if (isClosed(status)) return `The request is ${status}: there is nothing to confirm.`;
  return verifiedAt === null ? undefined : 'The email address is already confirmed.';
}

function findDownloadProblem({ email, status }: Case, hasPackage: boolean): string | undefined {
  if (email === null) return 'The request has no email address: deliver the package another way.';
  if (status !== 'completed') {
    return `The request is ${status}: the package can be downloaded once it is completed.`;
  }
  return hasPackage ? undefined : 'The request has no package, or it has been deleted.';
}
