import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import { databaseFault, type Trx } from '../../../platform/db/index.ts';
import { readEmail } from '../../../platform/email-address.ts';
import { RestError } from '../../../platform/rest/errors.ts';
import { announceStatus } from '../cases/change.ts';
import { hasToken, insertEvent, useToken } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { planTasks } from '../fulfilment/index.ts';
import { alertAdministrators, findRecipients } from '../messages/alerts/index.ts';
import { hashOf } from '../messages/notify.ts';
import { deadlineOf, newReference, type RequestType, readReference } from '../rules.ts';
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

/** @throws RestError 503 `dsar_disabled` where no requests are taken in */
export async function assertEnabled({ site }: Dsar): Promise<void> {
  if ((await site.settings()).dsar.enabled) return;
  throw new RestError(503, 'dsar_disabled', 'Requests cannot be sent here at the moment.');
}

/**
 * Takes a request in: the case and the mail that acknowledges it are written in one transaction. A
 * repeated request is a case of its own (decision 45).
 * @throws RestError 500 `create_failed` if it could not be written; there is nothing of it then
 */
export async function takeIn(dsar: Dsar, { from, visitor, ...intake }: Intake): Promise<Case> {
  const { platform, site, dayOf } = dsar;
  const { dsar: rules, mail: sender } = await site.settings();
  const administrators = await findRecipients(dsar);
  const receivedAt = platform.clock.now();
  const receivedOn = dayOf(receivedAt);
  const { regime } = rules;
  const deadline = deadlineOf({ receivedOn, regime, extended: false, pausedDays: 0 });
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
    const dsarCase = await insertUnderFreeReference(trx, fields);
    const event = { at: receivedAt, actor: REQUESTOR, action: 'received', details: {} };
    await insertEvent(trx, dsarCase.id, event);
    const kind = 'acknowledgement';
    await acknowledge(dsar, { trx, announce, sender }, dsarCase, { kind, from });
    await alertAdministrators(dsar, { trx, announce }, administrators);
    return dsarCase;
  });
  const taken = await orNotStored(platform, written);
  void platform.hooks.doAction('svc_dsar_received', taken.reference, taken.requestType);
  return taken;
}

/** @throws RestError 500 `create_failed` if the database refused a new case */
export function orNotStored<T>({ log }: Dsar['platform'], written: Promise<T>): Promise<T> {
  return written.catch((err) => {
    if (databaseFault(err) !== 'fault') throw err;
    log.error({ err }, 'a request could not be written');
    throw notStored();
  });
}

const notStored = (): RestError =>
  new RestError(500, 'create_failed', 'The request could not be stored. Try again.');

/** Adds a case under a reference that no other has. */
export async function insertUnderFreeReference(
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

/** By what an address is compared, and what stays of that of an erased request. */
export const hashOfEmail = (secret: Dsar['platform']['secret'], email: string): string =>
  secret.hash('dsar-email', email);

/**
 * The case of a reference, for whoever knows its address as well; undefined for every mismatch. The
 * same is done whatever is wrong, so that its time tells nothing.
 */
export async function caseOf(
  { platform: { datastore, secret } }: Dsar,
  given: { reference: string; email: string },
): Promise<Case | undefined> {
  const found = await findCaseByReference(datastore.db, readReference(given.reference) ?? '');
  const asked = hashOfEmail(secret, readEmail(given.email) ?? 'nobody');
  const known = hashOfEmail(secret, found?.email ?? 'somebody');
  const isTheirs = equalInConstantTime(asked, found?.emailHash ?? known);
  return isTheirs ? found : undefined;
}

/** Whether a mailed link would confirm an address now. Nothing is used up. */
export async function isLinkGood(
  { platform: { datastore, secret, clock } }: Dsar,
  token: string,
): Promise<boolean> {
  const hash = hashOf(secret, 'verify', token);
  return hasToken(datastore.db, { purpose: 'verify', hash }, clock.now());
}

/**
 * Confirms the address of a case by the link that was mailed to it, once. Work on the case begins.
 * @throws RestError 404 `not_found` for a link that is none, was used, or is too old
 */
export async function confirmAddress(dsar: Dsar, token: string): Promise<Case> {
  const { datastore, clock, secret } = dsar.platform;
  const { dsar: rules } = await dsar.site.settings();
  const hash = hashOf(secret, 'verify', token);
  return datastore.transaction(async (trx, announce) => {
    const now = clock.now();
    const caseId = await useToken(trx, { purpose: 'verify', hash }, now);
    const dsarCase = caseId === undefined ? undefined : await lockCase(trx, caseId);
    if (!dsarCase) throw linkIsOver();
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

const linkIsOver = (): RestError =>
  new RestError(
    404,
    'not_found',
    'This link no longer works: it was used, replaced by a newer one, or is older than seven days.',
  );
