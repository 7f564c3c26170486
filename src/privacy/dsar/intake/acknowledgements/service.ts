import { lockName, type Trx } from '../../../../platform/db/index.ts';
import { HOUR_MS } from '../../../../platform/durations.ts';
import { insertEvent } from '../../cases/history/store.ts';
import type { Dsar } from '../../context.ts';
import { createLink } from '../../messages/links.ts';
import { notify, notifyTogether, type Queueing } from '../../messages/notify.ts';
import { isClosed } from '../../rules.ts';
import { type Case, findCase } from '../../store.ts';
import type { AcknowledgementKind } from '../../tables.ts';
import { COUNTED_MS, getSendTime, takeRoundRobin } from './rules.ts';
import {
  deletePast,
  insertAcknowledgement,
  listDueAddresses,
  listEarlier,
  listWaiting,
  updateAcknowledgements,
} from './store.ts';

/** Requests that one email lists. */
const MOST_IN_EMAIL = 200;

/**
 * Emails the link that confirms a request: at once, or within an hour together with other requests to the
 * address, because anybody can send requests in the name of an address.
 * @param from the source of the request, kept as a keyed hash for a day
 */
export async function acknowledge(
  by: Queueing,
  dsarCase: Case,
  { kind, from }: { kind: AcknowledgementKind; from: string },
): Promise<void> {
  const { id: caseId, email } = dsarCase;
  if (email === null) return;
  const { dsar, trx } = by;
  const { secret, clock } = dsar.platform;
  const source = secret.hash('dsar-source', toSource(dsarCase, kind, from));
  const now = clock.now();
  await lockAddress(dsar, trx, email);
  const dueAt = getSendTime(await listEarlier(trx, email, now - COUNTED_MS), source, now);
  const mailedAt = dueAt <= now ? now : null;
  await insertAcknowledgement(trx, { caseId, kind, source, requestedAt: now, dueAt, mailedAt });
  if (mailedAt !== null) await mailOne(by, dsarCase, kind);
}

/** People behind one network address are told apart by type and name, so that only repeated requests are delayed. */
const toSource = (
  { requestType, firstName, lastName }: Case,
  kind: AcknowledgementKind,
  from: string,
): string =>
  kind === 'reminder' ? from : JSON.stringify([from, requestType, firstName, lastName]);

/** Serialises concurrent requests to one address. */
const lockAddress = ({ platform: { secret } }: Dsar, trx: Trx, email: string): Promise<void> =>
  lockName(trx, `acknowledgements ${secret.hash('dsar-email', email)}`);

/** Sends the acknowledgements that are due, one email to each address. */
export async function sendDueAcknowledgements(dsar: Dsar): Promise<void> {
  const { datastore, clock } = dsar.platform;
  const { mail: sender } = await dsar.site.settings();
  for (const email of await listDueAddresses(datastore.db, clock.now())) {
    await datastore.transaction(async (trx, announce) => {
      await lockAddress(dsar, trx, email);
      await mailWaiting({ dsar, trx, announce, sender }, email);
    });
  }
  await datastore.transaction((trx) => deletePast(trx, clock.now() - COUNTED_MS));
}

async function mailWaiting(by: Queueing, email: string): Promise<void> {
  const { dsar, trx } = by;
  const now = dsar.platform.clock.now();
  const waiting = await listWaiting(trx, email);
  const taken = takeRoundRobin(waiting, MOST_IN_EMAIL);
  const rest = waiting.filter((each) => !taken.includes(each));
  await updateAcknowledgements(trx, rest, { dueAt: now + HOUR_MS });
  await updateAcknowledgements(trx, taken, { mailedAt: now });
  const cases: Case[] = [];
  for (const caseId of new Set(taken.map((each) => each.caseId))) {
    const dsarCase = await findCase(trx, caseId);
    if (dsarCase && !isClosed(dsarCase.status) && dsarCase.verifiedAt === null)
      cases.push(dsarCase);
  }
  const [first] = cases;
  if (!first) return;
  const isReminder = taken.every(({ kind }) => kind === 'reminder');
  if (cases.length === 1) {
    await mailOne(by, first, isReminder ? 'reminder' : 'acknowledgement');
    return;
  }
  const requests: { dsarCase: Case; link: string }[] = [];
  for (const dsarCase of cases.toSorted((a, b) => a.id - b.id)) {
    requests.push({ dsarCase, link: await createLink(dsar, trx, dsarCase.id, 'verify') });
    const details = { requests: cases.length };
    const event = { at: now, actor: 'system', action: 'acknowledged_together', details };
    await insertEvent(trx, dsarCase.id, event);
  }
  await notifyTogether(by, requests, isReminder ? 'unconfirmed' : 'acknowledgement');
}

async function mailOne(by: Queueing, dsarCase: Case, kind: AcknowledgementKind): Promise<void> {
  const link = await createLink(by.dsar, by.trx, dsarCase.id, 'verify');
  const mailKind = kind === 'reminder' ? 'unconfirmed' : kind;
  await notify(by, dsarCase, mailKind, (emails) => emails[mailKind](link));
}
