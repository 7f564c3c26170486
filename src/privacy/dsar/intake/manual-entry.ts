import type { Static } from 'typebox';
import { readEmail } from '../../../platform/email-address.ts';
import { InvalidFieldError } from '../../../platform/errors.ts';
import { insertEvent } from '../cases/history/store.ts';
import type { CaseCreation } from '../cases/schemas.ts';
import type { Dsar } from '../context.ts';
import { findLanguage } from '../messages/index.ts';
import { createLink } from '../messages/links.ts';
import { notify } from '../messages/notify.ts';
import type { Case, NewCase } from '../store.ts';
import { storeRequest } from './store-request.ts';

export type ManualEntry = Static<typeof CaseCreation>;

/**
 * Creates a request that did not come through the form. The deadline counts from the day of receipt
 * (GDPR Art. 12(3)) and may have passed already. A requester with an email address gets an email, with a link to
 * confirm the address unless the identity is verified or need not be.
 * @param actor the login of the user who enters it
 * @throws InvalidFieldError; DomainError 500 `create_failed`
 */
export async function enterRequest(dsar: Dsar, entry: ManualEntry, actor: string): Promise<Case> {
  const now = dsar.platform.clock.now();
  const given = readEntry(entry, dsar.formatDay(now));
  const { channel, receivedOn } = given;
  const isVerified = entry.verified;
  const fields: typeof given & Pick<NewCase, 'status' | 'verifiedAt'> = {
    ...given,
    status: isVerified ? 'in_progress' : 'received',
    verifiedAt: isVerified ? now : null,
  };
  return storeRequest(dsar, fields, async (change, dsarCase) => {
    const { trx, at } = change;
    const { id } = dsarCase;
    const details = { channel, received_on: receivedOn };
    await insertEvent(trx, id, { at, actor, action: 'entered', details });
    if (isVerified) await insertEvent(trx, id, { at, actor, action: 'identity_established' });
    if (dsarCase.email === null) return;
    const isWaiting = dsarCase.status === 'received';
    const confirmUrl = isWaiting ? await createLink(change, id, 'verify') : undefined;
    const receipt = { channel, receivedOn, ...(confirmUrl && { confirmUrl }) };
    await notify(change, dsarCase, 'entered', (emails) => emails.entered(receipt), isWaiting);
  });
}

/** Before the laws of all regimes (GDPR, CCPA, LGPD), so an earlier day is a typing error. */
const EARLIEST_DAY = '2000-01-01';

/**
 * The fields of the new case.
 * @throws InvalidFieldError for fields that contradict each other
 */
function readEntry(entry: ManualEntry, today: string) {
  const trim = (text: string | null | undefined) => text?.trim() || null;
  const typed = trim(entry.email);
  const email = typed === null ? null : readEmail(typed);
  const fields = {
    requestType: entry.request_type,
    channel: entry.channel,
    receivedOn: entry.received_on,
    firstName: trim(entry.first_name),
    lastName: trim(entry.last_name),
    postalAddress: trim(entry.postal_address),
    phone: trim(entry.phone),
    representative: trim(entry.representative),
    identityProof: trim(entry.identity_proof),
    additionalInfo: trim(entry.additional_info),
    language: findLanguage(entry.language ?? undefined),
  };
  const invalid = (field: string, message: string) => new InvalidFieldError(field, message);
  if (fields.receivedOn > today) {
    throw invalid('received_on', `received_on must not be later than today, ${today}.`);
  }
  if (fields.receivedOn < EARLIEST_DAY) {
    throw invalid('received_on', `received_on must be ${EARLIEST_DAY} or later.`);
  }
  if (email === undefined) {
    throw invalid('email', 'email must be an email address, for example name@example.com.');
  }
  if (email === null && fields.postalAddress === null && fields.phone === null) {
    const message = 'Without an email address, postal_address or phone must be given.';
    throw invalid('postal_address', message);
  }
  if (fields.channel === 'representative' && fields.representative === null) {
    throw invalid('representative', 'representative must name who made the request.');
  }
  if (entry.verified && fields.identityProof === null) {
    throw invalid('identity_proof', 'identity_proof must say how the identity was established.');
  }
  return { ...fields, email };
}
