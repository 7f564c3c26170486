import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import { readEmail } from '../../../platform/email-address.ts';
import { announceStatus } from '../cases/change.ts';
import { insertEvent } from '../cases/history/store.ts';
import { useLink } from '../cases/links.ts';
import { changeCases, type Dsar } from '../context.ts';
import { planTasks } from '../fulfilment/index.ts';
import { type RequestType, readReference } from '../rules.ts';
import { type Case, findCaseByReference, updateCase } from '../store.ts';
import { acknowledge } from './acknowledgements/service.ts';
import { storeRequest } from './store-request.ts';
import type { Visitor } from './visitor.ts';

const ACTOR = 'requestor';

export interface Intake {
  requestType: RequestType;
  /** Normalised. */
  email: string;
  firstName: string | null;
  lastName: string | null;
  additionalInfo: string | null;
  visitor: Visitor;
  language: string;
  /** The network address of the client, for rate limits. */
  from: string;
}

/** Whether the form accepts requests. */
export const isEnabled = async ({ site }: Dsar): Promise<boolean> =>
  (await site.settings()).dsar.enabled;

/**
 * Stores a request of the form, with its acknowledgement in the same transaction. A repeated request is a case of its
 * own, since it may be about something else (GDPR Art. 12(5) allows refusing excessive ones).
 * @throws DomainError 500 `create_failed`
 */
export function createRequest(dsar: Dsar, { from, visitor, ...intake }: Intake): Promise<Case> {
  const receivedOn = dsar.formatDay(dsar.platform.clock.now());
  const fields = { ...intake, ...visitor, status: 'received' as const, receivedOn };
  return storeRequest(dsar, fields, async (change, dsarCase) => {
    await insertEvent(change.trx, dsarCase.id, { at: change.at, actor: ACTOR, action: 'received' });
    await acknowledge(change, dsarCase, { kind: 'acknowledgement', from });
  });
}

/** Addresses are compared by this hash, which is kept when a request is erased. */
export const hashEmail = (secret: Dsar['platform']['secret'], email: string): string =>
  secret.hash('dsar-email', email);

/**
 * The case with this reference and email address; undefined for every mismatch. All mismatches take the same
 * steps, so that the response time does not show which of the two was wrong.
 */
export async function findCaseOfRequester(
  { platform: { datastore, secret } }: Dsar,
  given: { reference: string; email: string },
): Promise<Case | undefined> {
  const found = await findCaseByReference(datastore.db, readReference(given.reference) ?? '');
  const givenHash = hashEmail(secret, readEmail(given.email) ?? 'nobody');
  const caseHash = hashEmail(secret, found?.email ?? 'somebody');
  return equalInConstantTime(givenHash, found?.emailHash ?? caseHash) ? found : undefined;
}

/**
 * Confirms the address of a case with the emailed link, once. Work on the case starts.
 * @returns undefined for a link that is unknown, used, replaced or expired, and for a closed request
 */
export function confirmAddress(dsar: Dsar, token: string): Promise<Case | undefined> {
  return changeCases(dsar, async (change) => {
    const { trx, at } = change;
    const dsarCase = await useLink(change, 'verify', token);
    if (!dsarCase) return undefined;
    const { id, status, verifiedAt } = dsarCase;
    const changed = await updateCase(trx, id, {
      verifiedAt: verifiedAt ?? at,
      ...(status === 'received' && { status: 'in_progress' }),
    });
    await insertEvent(trx, id, { at, actor: ACTOR, action: 'identity_verified' });
    await announceStatus(change, dsarCase, changed);
    if (changed.status === 'in_progress') await planTasks(change, changed);
    return changed;
  });
}
