import type { Static } from 'typebox';
import { readEmail } from '../../../platform/email-address.ts';
import { invalidParam } from '../../../platform/rest/errors.ts';
import { insertEvent } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { planTasks } from '../fulfilment/index.ts';
import { findRecipients, sendAlert } from '../messages/alerts/index.ts';
import { findLanguage } from '../messages/index.ts';
import { createLink, notify } from '../messages/notify.ts';
import { getDeadline } from '../rules.ts';
import type { CaseCreation } from '../schemas.ts';
import { type Case, findOpenCase, type NewCase } from '../store.ts';
import { catchWriteFault, insertWithNewReference } from './intake.ts';

export type ManualEntry = Static<typeof CaseCreation>;

/**
 * Enters a request that reached the controller by another way than the form. The deadline counts from
 * the day of receipt (GDPR Art. 12(3)), also if that lies so far back that it has passed. With an email
 * address the person is mailed, with a link to confirm it unless their identity is established.
 * @param actor the login of who enters it
 * @throws RestError 400 `rest_invalid_param`; 500 `create_failed` if it could not be written
 */
export async function enterRequest(dsar: Dsar, entry: ManualEntry, actor: string): Promise<Case> {
  const { platform, site } = dsar;
  const { dsar: rules, mail: sender } = await site.settings();
  const administrators = await findRecipients(dsar);
  const at = platform.clock.now();
  const { channel } = entry;
  const fields = { ...read(entry, dsar.dayOf(at)), regime: rules.regime, receivedAt: at };
  const { receivedOn, regime, email, requestType } = fields;
  const isVerified = entry.verified === true;
  const written = platform.datastore.transaction(async (trx, announce) => {
    const duplicateOf = email === null ? undefined : await findOpenCase(trx, email, requestType);
    const dsarCase = await insertWithNewReference(trx, {
      ...fields,
      status: isVerified ? 'in_progress' : 'received',
      verifiedAt: isVerified ? at : null,
      deadline: getDeadline({ receivedOn, regime, extended: false, pausedDays: 0 }),
      duplicateOf: duplicateOf ?? null,
    });
    const details = { channel, received_on: receivedOn };
    await insertEvent(trx, dsarCase.id, { at, actor, action: 'entered', details });
    if (isVerified) {
      const event = { at, actor, action: 'identity_established', details: {} };
      await insertEvent(trx, dsarCase.id, event);
      await planTasks(dsar, trx, announce, dsarCase, rules.auto_erase);
    }
    await sendAlert(dsar, { trx, announce }, administrators);
    if (email === null) return dsarCase;
    const confirmUrl = isVerified ? undefined : await createLink(dsar, trx, dsarCase.id, 'verify');
    await notify(dsar, { trx, announce, sender }, dsarCase, 'entered', (emails, facts) =>
      emails.entered(facts, { channel, receivedOn, ...(confirmUrl && { confirmUrl }) }),
    );
    return dsarCase;
  });
  const entered = await catchWriteFault(platform, written);
  void platform.hooks.doAction('svc_dsar_received', entered.reference, entered.requestType);
  return entered;
}

/**
 * The fields of the new case.
 * @throws RestError 400 `rest_invalid_param` where they contradict each other
 */
function read(entry: ManualEntry, today: string) {
  const textOf = (text: string | null | undefined) => text?.trim() || null;
  const typed = textOf(entry.email);
  const email = typed === null ? null : readEmail(typed);
  const fields = {
    requestType: entry.request_type,
    channel: entry.channel,
    receivedOn: entry.received_on,
    firstName: textOf(entry.first_name),
    lastName: textOf(entry.last_name),
    postalAddress: textOf(entry.postal_address),
    phone: textOf(entry.phone),
    representative: textOf(entry.representative),
    identityProof: textOf(entry.identity_proof),
    additionalInfo: textOf(entry.additional_info),
    visitorId: null,
    visitorClaim: null,
    language: findLanguage(entry.language ?? undefined),
  } satisfies Partial<NewCase>;
  if (fields.receivedOn > today) {
    throw invalidParam('received_on', `received_on must not be later than today, ${today}.`);
  }
  if (email === undefined) {
    throw invalidParam('email', 'email must be an email address, for example name@example.com.');
  }
  if (email === null && fields.postalAddress === null && fields.phone === null) {
    const message = 'Without an email address, postal_address or phone must be given.';
    throw invalidParam('postal_address', message);
  }
  if (fields.channel === 'representative' && fields.representative === null) {
    throw invalidParam('representative', 'representative must name who made the request.');
  }
  if (entry.verified && fields.identityProof === null) {
    throw invalidParam(
      'identity_proof',
      'identity_proof must say how the identity was established.',
    );
  }
  return { ...fields, email };
}
