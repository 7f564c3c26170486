import type { Static } from 'typebox';
import { readEmail } from '../../../platform/email-address.ts';
import { InvalidFieldError } from '../../../platform/errors.ts';
import { insertEvent } from '../cases/history/store.ts';
import type { CaseCreation } from '../cases/schemas.ts';
import type { Dsar } from '../context.ts';
import { planTasks } from '../fulfilment/index.ts';
import { findRecipients, sendAlert } from '../messages/alerts/service.ts';
import { findLanguage } from '../messages/index.ts';
import { createLink } from '../messages/links.ts';
import { notify } from '../messages/notify.ts';
import { getDeadline } from '../rules.ts';
import { type Case, findOpenCase } from '../store.ts';
import { catchWriteFault, insertWithNewReference } from './intake.ts';

export type ManualEntry = Static<typeof CaseCreation>;

/**
 * Creates a request that did not come through the form. The deadline counts from the day of receipt
 * (GDPR Art. 12(3)) and may have passed already. A requester with an email address gets an email, with a link to
 * confirm the address unless the identity is verified.
 * @param actor the login of the user who enters it
 * @throws InvalidFieldError; DomainError 500 `create_failed`
 */
export async function enterRequest(dsar: Dsar, entry: ManualEntry, actor: string): Promise<Case> {
  const { platform, site } = dsar;
  const { dsar: rules, mail: sender } = await site.settings();
  const administrators = await findRecipients(dsar);
  const at = platform.clock.now();
  const fields = readEntry(entry, dsar.dayOf(at));
  const { channel, receivedOn, email, requestType } = fields;
  const { regime } = rules;
  const isVerified = entry.verified;
  const entered = await catchWriteFault(platform, () =>
    platform.datastore.transaction(async (trx, announce) => {
      const duplicateOf = email === null ? null : await findOpenCase(trx, email, requestType);
      const dsarCase = await insertWithNewReference(trx, {
        ...fields,
        regime,
        receivedAt: at,
        status: isVerified ? 'in_progress' : 'received',
        verifiedAt: isVerified ? at : null,
        deadline: getDeadline({ receivedOn, regime, extended: false, pausedDays: 0 }),
        duplicateOf: duplicateOf ?? null,
      });
      const { id } = dsarCase;
      const details = { channel, received_on: receivedOn };
      await insertEvent(trx, id, { at, actor, action: 'entered', details });
      if (isVerified) {
        await insertEvent(trx, id, { at, actor, action: 'identity_established' });
        await planTasks(dsar, trx, announce, dsarCase, rules.auto_erase);
      }
      await sendAlert(dsar, { trx, announce }, administrators);
      if (email === null) return dsarCase;
      const confirmUrl = isVerified ? undefined : await createLink(dsar, trx, id, 'verify');
      await notify({ dsar, trx, announce, sender }, dsarCase, 'entered', (emails) =>
        emails.entered({ channel, receivedOn, ...(confirmUrl && { confirmUrl }) }),
      );
      return dsarCase;
    }),
  );
  void platform.hooks.doAction('svc_dsar_received', entered.reference, entered.requestType);
  return entered;
}

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
