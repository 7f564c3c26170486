import { listUsers } from '../../../identity/users/index.ts';
import { type MailPart, queueMail, renderMail } from '../../../mail/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { Job } from '../../../platform/jobs/job.ts';
import type { Dsar } from '../context.ts';
import { pruneOldErasures } from '../erasures/prune.ts';
import { removeFiles } from '../erasures/purger.ts';
import { acknowledge, sendDueAcknowledgements } from '../intake/acknowledgements/index.ts';
import { sendDueAlerts } from '../messages/alerts/index.ts';
import { daysBetween } from '../rules.ts';
import { type Case, lockCase } from '../store.ts';
import { expireUnconfirmed } from './expiry.ts';
import { insertEvent } from './history/store.ts';
import { listDue, listUnconfirmed, UNCONFIRMED_REMINDED } from './queue/store.ts';

/** Where reminders come from, as against requests. */
const REMINDERS = 'reminders';
/** How many days before its deadline administrators are reminded of a request. */
const REMINDER_DAYS = [1, 3, 7, 14];

/** What is done from hour to hour: deadlines, and files and lists that have become too old. */
export const dsarJobs = (dsar: Dsar): Job[] => [
  new Job(dsar.platform, {
    name: 'dsar_reminders',
    next: (now) => now + HOUR_MS,
    work: async () => {
      await sendReminders(dsar);
      await sendConfirmationReminders(dsar);
      await expireUnconfirmed(dsar);
    },
  }),
  new Job(dsar.platform, {
    name: 'dsar_acknowledgements',
    next: (now) => now + MINUTE_MS,
    work: () => sendDueAcknowledgements(dsar),
  }),
  new Job(dsar.platform, {
    name: 'dsar_alerts',
    next: (now) => now + MINUTE_MS,
    work: () => sendDueAlerts(dsar),
  }),
  new Job(dsar.platform, {
    name: 'dsar_packages',
    next: (now) => now + HOUR_MS,
    work: async () => {
      await removeFiles(dsar);
      await pruneOldErasures(dsar);
    },
  }),
];

/**
 * Mails administrators 14, 7, 3 and 1 days before each deadline, and once a day what is overdue. A
 * mail's key says which reminder it is, so that looking often, or late, reminds once.
 */
export async function sendReminders(dsar: Dsar): Promise<void> {
  const { platform, dayOf } = dsar;
  const today = dayOf(platform.clock.now());
  const soon = Temporal.PlainDate.from(today).add({ days: Math.max(...REMINDER_DAYS) });
  const due = await listDue(platform.datastore.db, soon.toString());
  const overdue = due.filter(({ deadline }) => deadline < today);
  for (const dsarCase of due.filter(({ deadline }) => deadline >= today)) {
    const left = daysBetween(today, dsarCase.deadline);
    const mark = REMINDER_DAYS.find((each) => left <= each);
    const days = left === 1 ? '1 day' : `${left} days`;
    const subject = `${days} left: ${dsarCase.reference}`;
    await mailAdministrators(dsar, `reminder:${dsarCase.id}:${dsarCase.deadline}:${mark}`, {
      subject,
      parts: [toFacts([dsarCase])],
    });
  }
  if (overdue.length === 0) return;
  const subject =
    overdue.length === 1
      ? '1 privacy request is overdue'
      : `${overdue.length} privacy requests are overdue`;
  await mailAdministrators(dsar, `overdue:${today}`, { subject, parts: [toFacts(overdue)] });
}

/** Nothing of the person: mail is no place for it. */
const toFacts = (cases: readonly Case[]): MailPart => ({
  facts: cases.map(
    ({ reference, requestType, status, deadline, assignee }) =>
      [reference, `${requestType}, ${status}, due ${deadline}, ${assignee ?? 'nobody'}`] as const,
  ),
});

async function mailAdministrators(
  { platform, site }: Dsar,
  key: string,
  { subject, parts }: { subject: string; parts: MailPart[] },
): Promise<void> {
  const { mail: sender } = await site.settings();
  const administrators = (await listUsers(platform)).filter(({ role }) => role === 'administrator');
  const rendered = renderMail({ language: 'en', subject, parts });
  await platform.datastore.transaction(async (trx, announce) => {
    for (const { id, email } of administrators) {
      const mail = { ...rendered, to: email, kind: 'dsar_reminder', fromName: sender.from_name };
      const onceKey = `dsar:${key}:${id}`;
      await queueMail(trx, announce, { ...mail, onceKey }, platform.clock.now());
    }
  });
}

/** Sends those who have not confirmed their address within a day another link, once. */
export async function sendConfirmationReminders(dsar: Dsar): Promise<void> {
  const { datastore, clock } = dsar.platform;
  const { mail: sender } = await dsar.site.settings();
  for (const id of await listUnconfirmed(datastore.db, clock.now() - DAY_MS)) {
    await datastore.transaction(async (trx, announce) => {
      const dsarCase = await lockCase(trx, id);
      if (dsarCase?.status !== 'received') return;
      const event = { at: clock.now(), actor: 'system', action: UNCONFIRMED_REMINDED, details: {} };
      await insertEvent(trx, id, event);
      const by = { trx, announce, sender };
      await acknowledge(dsar, by, dsarCase, { kind: 'reminder', from: REMINDERS });
    });
  }
}
