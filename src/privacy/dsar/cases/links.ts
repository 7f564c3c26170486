import { notFound, RestError } from '../../../platform/rest/errors.ts';
import type { Dsar } from '../context.ts';
import { findPackage, setPackageClosedAt } from '../fulfilment/index.ts';
import { createLink, notify } from '../messages/notify.ts';
import { isClosed, LINK_MS, type LinkPurpose } from '../rules.ts';
import { type Case, lockCase } from '../store.ts';
import { insertEvent, revokeTokens } from './history/store.ts';

/**
 * Mails the requestor a new link to confirm the address, or to download the package; older ones stop working.
 * @returns until when it works, in epoch milliseconds
 * @throws RestError 404; 409 `invalid_transition` where such a link would lead to nothing
 */
export async function sendNewLink(
  dsar: Dsar,
  id: number,
  purpose: LinkPurpose,
  actor: string,
): Promise<number> {
  const { datastore, clock } = dsar.platform;
  const { mail: sender } = await dsar.site.settings();
  return datastore.transaction(async (trx, announce) => {
    const dsarCase = await lockCase(trx, id);
    if (!dsarCase) throw notFound('The request');
    const hasPackage = Boolean(await findPackage(trx, id));
    const problem =
      purpose === 'confirm' ? whyUnconfirmable(dsarCase) : whyEmpty(dsarCase, hasPackage);
    if (problem) throw new RestError(409, 'invalid_transition', problem);
    const at = clock.now();
    const stored = purpose === 'confirm' ? 'verify' : 'download';
    await revokeTokens(trx, id, stored, at);
    const link = await createLink(dsar, trx, id, stored);
    // The package stays as long as after the answer.
    if (purpose === 'download') await setPackageClosedAt(trx, { id, closedAt: at });
    await insertEvent(trx, id, { at, actor, action: 'link_sent', details: { purpose } });
    await notify(dsar, { trx, announce, sender }, dsarCase, `${purpose}_link`, (emails, facts) =>
      purpose === 'confirm'
        ? emails.newConfirmLink(facts, link)
        : emails.newDownloadLink(facts, link),
    );
    return at + LINK_MS;
  });
}

function whyUnconfirmable({ email, status, verifiedAt }: Case): string | undefined {
  if (email === null) return 'The request has no email address to confirm.';
  if (isClosed(status)) return `The request is ${status}: there is nothing to confirm.`;
  return verifiedAt === null ? undefined : 'The address is confirmed already.';
}

function whyEmpty({ email, status }: Case, hasPackage: boolean): string | undefined {
  if (email === null) return 'The request has no email address: hand the package over another way.';
  if (status !== 'completed') {
    return `The request is ${status}: the package can be downloaded once it is completed.`;
  }
  return hasPackage ? undefined : 'The request has no package, or it has been deleted.';
}
