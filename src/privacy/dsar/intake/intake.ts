import { equalInConstantTime } from '../../../platform/crypto/constant-time.ts';
import { databaseFault, type Trx } from '../../../platform/db/index.ts';
import { readEmail } from '../../../platform/email-address.ts';
import { DomainError } from '../../../platform/errors.ts';
import { announceStatus } from '../cases/change.ts';
import { findToken, insertEvent, isUsable, useToken } from '../cases/history/store.ts';
import type { Dsar } from '../context.ts';
import { planTasks } from '../fulfilment/index.ts';
import { findRecipients, sendAlert } from '../messages/alerts/service.ts';
import { hashToken } from '../messages/links.ts';
import { createReference, getDeadline, type RequestType, readReference } from '../rules.ts';
import {
  type Case,
  findCaseByReference,
  findOpenCase,
  insertCase,
  lockCase,
  type NewCase,
  updateCase,
} from '../store.ts';
import { acknowledge } from './acknowledgements/service.ts';
import type { Visitor } from './visitor.ts';

const REFERENCES_TRIED = 20;
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
 * Stores a request: the case and its acknowledgement are written in one transaction. A repeated request is a
 * case of its own, since it may be about something else (GDPR Art. 12(5) allows refusing excessive ones).
 * @throws DomainError 500 `create_failed`
 */
export async function createRequest(
  dsar: Dsar,
  { from, visitor, ...intake }: Intake,
): Promise<Case> {
  const { platform, site } = dsar;
  const { dsar: rules, mail: sender } = await site.settings();
  const administrators = await findRecipients(dsar);
  const receivedAt = platform.clock.now();
  const receivedOn = dsar.dayOf(receivedAt);
  const { regime } = rules;
  const created = await catchWriteFault(platform, () =>
    platform.datastore.transaction(async (trx, announce) => {
      const dsarCase = await insertWithNewReference(trx, {
        ...intake,
        ...visitor,
        status: 'received',
        regime,
        receivedAt,
        receivedOn,
        deadline: getDeadline({ receivedOn, regime, extended: false, pausedDays: 0 }),
        duplicateOf: (await findOpenCase(trx, intake.email, intake.requestType)) ?? null,
      });
      await insertEvent(trx, dsarCase.id, { at: receivedAt, actor: ACTOR, action: 'received' });
      const by = { dsar, trx, announce, sender };
      await acknowledge(by, dsarCase, { kind: 'acknowledgement', from });
      await sendAlert(dsar, { trx, announce }, administrators);
      return dsarCase;
    }),
  );
  void platform.hooks.doAction('svc_dsar_received', created.reference, created.requestType);
  return created;
}

/** @throws DomainError 500 `create_failed` if the database refused a new case */
export async function catchWriteFault<T>(
  { log }: Dsar['platform'],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (err) {
    if (databaseFault(err) !== 'fault') throw err;
    log.error({ err }, 'a request could not be written');
    throw createFailed();
  }
}

const createFailed = (): DomainError =>
  new DomainError('internal', 'create_failed', 'The request could not be saved. Try again.');

/** Inserts a case with a reference that is not taken. */
export async function insertWithNewReference(
  trx: Trx,
  fields: Omit<NewCase, 'reference'>,
): Promise<Case> {
  for (let tried = 0; tried < REFERENCES_TRIED; tried++) {
    const reference = createReference(fields.receivedOn);
    const dsarCase = await insertCase(trx, { ...fields, reference });
    if (dsarCase) return dsarCase;
  }
  throw createFailed();
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

/** Does not use the link. */
export async function isConfirmationLinkValid(dsar: Dsar, token: string): Promise<boolean> {
  const { datastore, clock } = dsar.platform;
  const hash = hashToken(dsar, 'verify', token);
  return isUsable(await findToken(datastore.db, { purpose: 'verify', hash }), clock.now());
}

/**
 * Confirms the address of a case with the emailed link, once. Work on the case starts.
 * @returns undefined for a link that is unknown, used, replaced or expired
 */
export async function confirmAddress(dsar: Dsar, token: string): Promise<Case | undefined> {
  const { datastore, clock } = dsar.platform;
  const { dsar: rules } = await dsar.site.settings();
  const hash = hashToken(dsar, 'verify', token);
  return datastore.transaction(async (trx, announce) => {
    const at = clock.now();
    const caseId = await useToken(trx, { purpose: 'verify', hash }, at);
    const dsarCase = caseId === undefined ? undefined : await lockCase(trx, caseId);
    if (!dsarCase) return undefined;
    const { id, status, verifiedAt } = dsarCase;
    const changed = await updateCase(trx, id, {
      verifiedAt: verifiedAt ?? at,
      ...(status === 'received' && { status: 'in_progress' }),
    });
    await insertEvent(trx, id, { at, actor: ACTOR, action: 'identity_verified' });
    announceStatus(announce, dsarCase, changed.status);
    if (changed.status === 'in_progress') {
      await planTasks(dsar, trx, announce, changed, rules.auto_erase);
    }
    return changed;
  });
}
