import { databaseFault, type Trx } from '../../../platform/db/index.ts';
import { DomainError } from '../../../platform/errors.ts';
import { queueCreated } from '../cases/case-webhooks.ts';
import { type CaseChange, changeCases, type Dsar } from '../context.ts';
import { planTasks } from '../fulfilment/index.ts';
import { findRecipients, sendAlert } from '../messages/alerts/service.ts';
import { createReference, getDeadline, isOptOut } from '../rules.ts';
import { type Case, findOpenCase, insertCase, type NewCase } from '../store.ts';

const REFERENCES_TRIED = 20;

/** The fields that do not follow from the others. */
type RequestFields = Omit<
  NewCase,
  'reference' | 'regime' | 'receivedAt' | 'deadline' | 'duplicateOf'
>;

/**
 * Stores a new request and alerts administrators, in one transaction with further work. Tasks are planned unless it
 * waits for a confirmation.
 * @throws DomainError 500 `create_failed` if the database refused it
 */
export async function storeRequest(
  dsar: Dsar,
  fields: RequestFields,
  work: (change: CaseChange, dsarCase: Case) => Promise<void>,
): Promise<Case> {
  const { hooks, log } = dsar.platform;
  const administrators = await findRecipients(dsar);
  const stored = await changeCases(dsar, async (change) => {
    const { trx, at, rules } = change;
    const { email = null, receivedOn, requestType } = fields;
    const { regime } = rules;
    const duplicateOf = email === null ? null : await findOpenCase(trx, email, requestType);
    const dsarCase = await insertWithNewReference(trx, {
      ...fields,
      ...(isOptOut(requestType, regime) && { status: 'in_progress' }),
      regime,
      receivedAt: at,
      deadline: getDeadline({ receivedOn, requestType, regime, extended: false, pausedDays: 0 }),
      duplicateOf: duplicateOf ?? null,
    });
    await work(change, dsarCase);
    if (dsarCase.status === 'in_progress') await planTasks(change, dsarCase);
    await queueCreated(change, dsarCase);
    await sendAlert(change, administrators);
    return dsarCase;
  }).catch((err: unknown) => {
    if (databaseFault(err) !== 'fault') throw err;
    log.error({ err }, 'a request could not be written');
    throw createFailed();
  });
  void hooks.doAction('svc_dsar_received', stored.reference, stored.requestType);
  return stored;
}

const createFailed = (): DomainError =>
  new DomainError('internal', 'create_failed', 'The request could not be saved. Try again.');

/** Inserts a case with a reference that is not taken. */
async function insertWithNewReference(trx: Trx, fields: Omit<NewCase, 'reference'>): Promise<Case> {
  for (let tried = 0; tried < REFERENCES_TRIED; tried++) {
    const reference = createReference(fields.receivedOn);
    const dsarCase = await insertCase(trx, { ...fields, reference });
    if (dsarCase) return dsarCase;
  }
  throw createFailed();
}
