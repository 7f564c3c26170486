import type { Announce, Trx } from '../../../../platform/db/index.ts';
import { lockName } from '../../../../platform/db/index.ts';
import { HOUR_MS } from '../../../../platform/durations.ts';
import { insertEvent } from '../../cases/history/store.ts';
import type { Dsar, Sender } from '../../context.ts';
import { createLink, notify, notifyTogether } from '../../messages/notify.ts';
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
  markMailed,
  putOff,
} from './store.ts';

/** How many requests an email lists. */
const MOST_IN_EMAIL = 200;

interface Within {
  trx: Trx;
  announce: Announce;
  sender: Sender;
}

/**
 * Mails the link that confirms a request, at once or within an hour together with those of other requests to the
 * address: anybody can send requests in the name of an address.
 * @param from what tells one source of requests from another; it is kept as a keyed hash, for a day
 */
export async function acknowledge(
  dsar: Dsar,
  by: Within,
  dsarCase: Case,
  { kind, from }: { kind: AcknowledgementKind; from: string },
): Promise<void> {
  const { id: caseId, email } = dsarCase;
  if (email === null) return;
  const { secret, clock } = dsar.platform;
  const { trx } = by;
  const source = secret.hash('dsar-source', toSource(dsarCase, kind, from));
  const now = clock.now();
  await lockAddress(dsar, trx, email);
  const dueAt = getSendTime(await listEarlier(trx, email, now - COUNTED_MS), source, now);
  const mailedAt = dueAt <= now ? now : null;
  await insertAcknowledgement(trx, { caseId, kind, source, requestedAt: now, dueAt, mailedAt });
  if (mailedAt !== null) await mailOne(dsar, by, dsarCase, kind);
}

/**
 * People behind one network address are told apart by what they ask for and how they are called, so that only
 * repetitions wait for each other.
 */
const toSource = (
  { requestType, firstName, lastName }: Case,
  kind: AcknowledgementKind,
  from: string,
): string =>
  kind === 'reminder' ? from : JSON.stringify([from, requestType, firstName, lastName]);

/** Two requests to one address at once must see each other. */
const lockAddress = ({ platform: { secret } }: Dsar, trx: Trx, email: string): Promise<void> =>
  lockName(trx, `acknowledgements ${secret.hash('dsar-email', email)}`);

/** Mails the acknowledgements that are due, one email to each address. */
export async function sendDueAcknowledgements(dsar: Dsar): Promise<void> {
  const { datastore, clock } = dsar.platform;
  const { mail: sender } = await dsar.site.settings();
  for (const email of await listDueAddresses(datastore.db, clock.now())) {
    await datastore.transaction(async (trx, announce) => {
      await lockAddress(dsar, trx, email);
      await mailWaiting(dsar, { trx, announce, sender }, email);
    });
  }
  await datastore.transaction((trx) => deletePast(trx, clock.now() - COUNTED_MS));
}

async function mailWaiting(dsar: Dsar, by: Within, email: string): Promise<void> {
  const { trx } = by;
  const now = dsar.platform.clock.now();
  const waiting = await listWaiting(trx, email);
  const taken = takeRoundRobin(waiting, MOST_IN_EMAIL);
  const rest = waiting.filter((each) => !taken.includes(each));
  await putOff(
    trx,
    rest.map(({ id }) => id),
    now + HOUR_MS,
  );
  await markMailed(
    trx,
    taken.map(({ id }) => id),
    now,
  );
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
    await mailOne(dsar, by, first, isReminder ? 'reminder' : 'acknowledgement');
    return;
  }
  const requests: { dsarCase: Case; link: string }[] = [];
  for (const dsarCase of cases.toSorted((a, b) => a.id - b.id)) {
    requests.push({ dsarCase, link: await createLink(dsar, trx, dsarCase.id, 'verify') });
    const details = { requests: cases.length };
    const event = { at: now, actor: 'system', action: 'acknowledged_together', details };
    await insertEvent(trx, dsarCase.id, event);
  }
  await notifyTogether(dsar, by, requests, isReminder ? 'unconfirmed' : 'acknowledgement');
}

async function mailOne(
  dsar: Dsar,
  by: Within,
  dsarCase: Case,
  kind: AcknowledgementKind,
): Promise<void> {
  const link = await createLink(dsar, by.trx, dsarCase.id, 'verify');
  if (kind === 'acknowledgement') {
    await notify(dsar, by, dsarCase, 'acknowledgement', (emails, facts) =>
      emails.acknowledgement(facts, link),
    );
  } else {
    await notify(dsar, by, dsarCase, 'unconfirmed', (emails, facts) =>
      emails.unconfirmed(facts, link),
    );
  }
}
