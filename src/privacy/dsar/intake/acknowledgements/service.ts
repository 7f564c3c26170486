import { lockName } from '../../../../platform/db/index.ts';
import { HOUR_MS } from '../../../../platform/durations.ts';
import { insertEvent } from '../../cases/history/store.ts';
import { willExpire } from '../../cases/queue/store.ts';
import { type CaseChange, changeCases, type Dsar } from '../../context.ts';
import { createLink } from '../../messages/links.ts';
import { notify, notifyTogether } from '../../messages/notify.ts';
import { isClosed, needsConfirmation } from '../../rules.ts';
import { type Case, findCase } from '../../store.ts';
import type { AcknowledgementKind } from '../../tables.ts';
import { COUNTED_MS, getSendTime } from './rules.ts';
import {
  deletePast,
  insertAcknowledgement,
  listDueAddresses,
  listWaiting,
  markMailed,
  postponeWaiting,
  summariseEarlier,
} from './store.ts';

/** Requests that one email lists. */
const MOST_IN_EMAIL = 200;

/**
 * Emails the receipt of a request, with the link that confirms it unless it needs none: at once, or within an hour together with other requests to the
 * address, because anybody can send requests in the name of an address.
 * @param from the source of the request, kept as a keyed hash for a day
 */
export async function acknowledge(
  change: CaseChange,
  dsarCase: Case,
  { kind, from }: { kind: AcknowledgementKind; from: string },
): Promise<void> {
  const { id: caseId, email } = dsarCase;
  if (email === null) return;
  const { dsar, trx, at } = change;
  const source = dsar.platform.secret.hash('dsar-source', toSource(dsarCase, kind, from));
  await lockAddress(change, email);
  const dueAt = getSendTime(await summariseEarlier(trx, { email, source, now: at }), at);
  const mailedAt = dueAt <= at ? at : null;
  await insertAcknowledgement(trx, { caseId, kind, source, requestedAt: at, dueAt, mailedAt });
  if (mailedAt !== null) await mailOne(change, dsarCase, kind);
}

/** People behind one network address are told apart by type and name, so that only repeated requests are delayed. */
const toSource = (
  { requestType, firstName, lastName }: Case,
  kind: AcknowledgementKind,
  from: string,
): string =>
  kind === 'reminder' ? from : JSON.stringify([from, requestType, firstName, lastName]);

/** Serialises concurrent requests to one address. */
const lockAddress = ({ dsar, trx }: CaseChange, email: string): Promise<void> =>
  lockName(trx, `acknowledgements ${dsar.platform.secret.hash('dsar-email', email)}`);

/** Sends the acknowledgements that are due, one email to each address. If one fails, it is tried again with the next run. */
export async function sendDueAcknowledgements(dsar: Dsar): Promise<void> {
  const { datastore, clock, log } = dsar.platform;
  for (const email of await listDueAddresses(datastore.db, clock.now())) {
    await changeCases(dsar, async (change) => {
      await lockAddress(change, email);
      await mailWaiting(change, email);
    }).catch((err: unknown) =>
      log.error({ err }, 'the acknowledgements to one address could not be sent'),
    );
  }
  await datastore.transaction((trx) => deletePast(trx, clock.now() - COUNTED_MS));
}

async function mailWaiting(change: CaseChange, email: string): Promise<void> {
  const { trx, at } = change;
  const taken = await listWaiting(trx, email, MOST_IN_EMAIL);
  if (taken.length === 0) return;
  await markMailed(trx, taken, at);
  await postponeWaiting(trx, email, at + HOUR_MS);
  const isReminder = taken.every(({ kind }) => kind === 'reminder');
  const cases: Case[] = [];
  for (const caseId of new Set(taken.map((each) => each.caseId))) {
    const dsarCase = await findCase(trx, caseId);
    if (!dsarCase || isClosed(dsarCase.status) || dsarCase.verifiedAt !== null) continue;
    // An opt-out can have been begun while its reminder waited.
    if (!isReminder || needsConfirmation(dsarCase)) cases.push(dsarCase);
  }
  const [first] = cases;
  if (!first) return;
  if (cases.length === 1) {
    await mailOne(change, first, isReminder ? 'reminder' : 'acknowledgement');
    return;
  }
  const requests: { dsarCase: Case; link: string | undefined }[] = [];
  for (const dsarCase of cases.toSorted((a, b) => a.id - b.id)) {
    requests.push({ dsarCase, link: await createConfirmLink(change, dsarCase) });
    const details = { requests: cases.length };
    const event = { at, actor: 'system', action: 'acknowledged_together', details };
    await insertEvent(trx, dsarCase.id, event);
  }
  await notifyTogether(change, requests, isReminder ? 'unconfirmed_requests' : 'acknowledgements');
}

/** Undefined for a request that needs no confirmation. */
const createConfirmLink = async (
  change: CaseChange,
  dsarCase: Case,
): Promise<string | undefined> =>
  needsConfirmation(dsarCase) ? createLink(change, dsarCase.id, 'verify') : undefined;

async function mailOne(
  change: CaseChange,
  dsarCase: Case,
  kind: AcknowledgementKind,
): Promise<void> {
  const link = await createConfirmLink(change, dsarCase);
  if (kind === 'acknowledgement' || link === undefined) {
    const hasLink = link !== undefined;
    await notify(
      change,
      dsarCase,
      'acknowledgement',
      (emails) => emails.acknowledgement(link),
      hasLink,
    );
    return;
  }
  const expires = await willExpire(change.trx, dsarCase);
  await notify(
    change,
    dsarCase,
    'unconfirmed',
    (emails) => emails.unconfirmed(link, expires),
    true,
  );
}
