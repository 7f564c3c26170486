import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import { databaseFault, type Trx } from '../../../platform/db/index.ts';
import { readEmail } from '../../../platform/email-address.ts';
import { ApiError } from '../../../platform/errors.ts';
import { announceStatus } from '../cases/change.ts';
import { hasToken, insertEvent, useToken } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { planTasks } from '../fulfilment/index.ts';
import { findRecipients, sendAlert } from '../messages/alerts/index.ts';
import { hashToken } from '../messages/notify.ts';
import { getDeadline, newReference, type RequestType, readReference } from '../rules.ts';
import {
  type Case,
  findCaseByReference,
  findOpenCase,
  insertCase,
  lockCase,
  type NewCase,
  updateCase,
} from '../store.ts';
import { acknowledge } from './acknowledgements/index.ts';
import type { Visitor } from './visitor.ts';

const REFERENCES_TRIED = 20;
const REQUESTOR = 'requestor';

export interface Intake {
  requestType: RequestType;
  /** Normalised. */
  email: string;
  firstName: string | null;
  lastName: string | null;
  additionalInfo: string | null;
  visitor: Visitor;
  language: string;
  /** The address that sends it, as limits count it. */
  from: string;
}

/** Whether the form accepts requests. */
export const isEnabled = async ({ site }: Dsar): Promise<boolean> =>
  (await site.settings()).dsar.enabled;

/**
 * Stores a request: the case and its acknowledgement are written in one transaction. A repeated request is a
 * case of its own, since it may be about something else (Art. 12(5) GDPR allows to refuse excessive ones).
 * @throws ApiError 500 `create_failed` if it could not be written
 */
export async function createRequest(
  dsar: Dsar,
  { from, visitor, ...intake }: Intake,
): Promise<Case> {
  const { platform, site, dayOf } = dsar;
  const { dsar: rules, mail: sender } = await site.settings();
  const administrators = await findRecipients(dsar);
  const receivedAt = platform.clock.now();
  const receivedOn = dayOf(receivedAt);
  const { regime } = rules;
  const deadline = getDeadline({ receivedOn, regime, extended: false, pausedDays: 0 });
  const written = platform.datastore.transaction(async (trx, announce) => {
    const fields = {
      ...intake,
      ...visitor,
      status: 'received' as const,
      regime,
      receivedAt,
      receivedOn,
      deadline,
      duplicateOf: (await findOpenCase(trx, intake.email, intake.requestType)) ?? null,
    };
    const dsarCase = await insertWithNewReference(trx, fields);
    const event = { at: receivedAt, actor: REQUESTOR, action: 'received', details: {} };
    await insertEvent(trx, dsarCase.id, event);
    const kind = 'acknowledgement';
    await acknowledge(dsar, { trx, announce, sender }, dsarCase, { kind, from });
    await sendAlert(dsar, { trx, announce }, administrators);
    return dsarCase;
  });
  const taken = await catchWriteFault(platform, written);
  void platform.hooks.doAction('svc_dsar_received', taken.reference, taken.requestType);
  return taken;
}

/** @throws ApiError 500 `create_failed` if the database refused a new case */
export function catchWriteFault<T>({ log }: Dsar['platform'], written: Promise<T>): Promise<T> {
  return written.catch((err) => {
    if (databaseFault(err) !== 'fault') throw err;
    log.error({ err }, 'a request could not be written');
    throw notStored();
  });
}

const notStored = (): ApiError =>
  new ApiError(500, 'create_failed', 'The request could not be saved. Try again.');

/** Adds a case under a reference that is not taken. */
export async function insertWithNewReference(
  trx: Trx,
  fields: Omit<NewCase, 'reference'>,
): Promise<Case> {
  for (let tried = 0; tried < REFERENCES_TRIED; tried++) {
    const reference = newReference(fields.receivedOn);
    const dsarCase = await insertCase(trx, { ...fields, reference });
    if (dsarCase) return dsarCase;
  }
  throw notStored();
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
  const asked = hashEmail(secret, readEmail(given.email) ?? 'nobody');
  const known = hashEmail(secret, found?.email ?? 'somebody');
  const isTheirs = equalInConstantTime(asked, found?.emailHash ?? known);
  return isTheirs ? found : undefined;
}

/** Whether an emailed link can confirm an address. It is not used up. */
export async function isConfirmationLinkValid(
  { platform: { datastore, secret, clock } }: Dsar,
  token: string,
): Promise<boolean> {
  const hash = hashToken(secret, 'verify', token);
  return hasToken(datastore.db, { purpose: 'verify', hash }, clock.now());
}

/**
 * Confirms the address of a case with the emailed link, once. Work on the case starts.
 * @returns undefined for a link that is unknown, used, replaced or expired
 */
export async function confirmAddress(dsar: Dsar, token: string): Promise<Case | undefined> {
  const { datastore, clock, secret } = dsar.platform;
  const { dsar: rules } = await dsar.site.settings();
  const hash = hashToken(secret, 'verify', token);
  return datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    const caseId = await useToken(trx, { purpose: 'verify', hash }, now);
    const dsarCase = caseId === undefined ? undefined : await lockCase(trx, caseId);
    if (!dsarCase) return undefined;
    const isNew = dsarCase.status === 'received';
    const changed = await updateCase(trx, dsarCase.id, {
      verifiedAt: dsarCase.verifiedAt ?? now,
      ...(isNew && { status: 'in_progress' }),
    });
    const event = { at: now, actor: REQUESTOR, action: 'identity_verified', details: {} };
    await insertEvent(trx, dsarCase.id, event);
    announceStatus(announce, dsarCase, changed.status);
    if (changed.status === 'in_progress') {
      await planTasks(dsar, trx, announce, changed, rules.auto_erase);
    }
    return changed;
  });
}
