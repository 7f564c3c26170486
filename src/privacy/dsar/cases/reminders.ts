import { listUsers } from '../../../identity/users/index.ts';
import { queueMail } from '../../../mail/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { Job } from '../../../platform/jobs/job.ts';
import { changeCases, type Dsar } from '../context.ts';
import { pruneOldErasures, removeFiles } from '../erasures/purger.ts';
import { acknowledge, sendDueAcknowledgements } from '../intake/acknowledgements/service.ts';
import { renderReminder } from '../messages/alerts/reminder.ts';
import { sendDueAlerts } from '../messages/alerts/service.ts';
import { countDays, isOverdue } from '../rules.ts';
import { type Case, lockCase } from '../store.ts';
import { expireUnconfirmed } from './expiry.ts';
import { insertEvent } from './history/store.ts';
import { listDue, listUnconfirmed, markReminded, UNCONFIRMED_REMINDED } from './queue/store.ts';

/** The source of reminders, which limits count apart from those of requests. */
const REMINDERS = 'reminders';
/** Days before a deadline on which administrators are reminded of it. */
const REMINDER_DAYS = [1, 3, 7, 14];

export function dsarJobs(dsar: Dsar): Job[] {
  const createJob = (name: string, every: number, work: () => Promise<void>) =>
    new Job(dsar.platform, { name, next: (now) => now + every, work });
  return [
    createJob('dsar_reminders', HOUR_MS, async () => {
      await sendReminders(dsar);
      await sendConfirmationReminders(dsar);
      await expireUnconfirmed(dsar);
    }),
    createJob('dsar_acknowledgements', MINUTE_MS, () => sendDueAcknowledgements(dsar)),
    createJob('dsar_alerts', MINUTE_MS, () => sendDueAlerts(dsar)),
    createJob('dsar_packages', HOUR_MS, async () => {
      await removeFiles(dsar);
      await pruneOldErasures(dsar);
    }),
  ];
}

/**
 * Emails administrators 14, 7, 3 and 1 days before deadlines, and daily about overdue requests. Anybody can send
 * requests, so they get at most one email a day for each of these marks, about all requests that have reached it.
 */
export async function sendReminders(dsar: Dsar): Promise<void> {
  const { platform, formatDay } = dsar;
  const today = formatDay(platform.clock.now());
  const soon = Temporal.PlainDate.from(today).add({ days: Math.max(...REMINDER_DAYS) });
  const due = await listDue(platform.datastore.db, soon.toString());
  const overdue = due.filter(({ deadline }) => isOverdue({ deadline, today }));
  const findMark = (day: string, { deadline }: Case) => {
    const left = countDays(day, deadline);
    return left < 0 ? undefined : REMINDER_DAYS.find((each) => left <= each);
  };
  const isUnreminded = (dsarCase: Case) =>
    dsarCase.remindedAt === null ||
    findMark(formatDay(dsarCase.remindedAt), dsarCase) !== findMark(today, dsarCase);
  const unreminded = due.filter((each) => each.deadline >= today && isUnreminded(each));
  for (const [mark, cases] of Map.groupBy(unreminded, (each) => findMark(today, each))) {
    const [first] = cases;
    const days = cases.length === 1 && first ? countDays(today, first.deadline) : mark;
    await mailAdministrators(dsar, `reminder:${mark}:${today}`, cases, days);
  }
  if (overdue.length === 0) return;
  await mailAdministrators(dsar, `overdue:${today}`, overdue);
}

/**
 * Lists cases without any data about the person. An administrator gets one email with a key; requests that come too
 * late for it are listed in the next one.
 */
async function mailAdministrators(
  { platform, site }: Dsar,
  key: string,
  cases: readonly Case[],
  days?: number,
): Promise<void> {
  const { mail: sender, consent } = await site.settings();
  const administrators = (await listUsers(platform)).filter(({ role }) => role === 'administrator');
  const rendered = renderReminder(cases, {
    days,
    language: consent.languages[0] ?? 'en',
    consoleUrl: `${site.consoleUrl()}/requests`,
  });
  await platform.datastore.transaction(async (trx, announce) => {
    const now = platform.clock.now();
    const queued: unknown[] = [];
    for (const { id, email } of administrators) {
      const mail = { ...rendered, to: email, kind: 'dsar_reminder', fromName: sender.from_name };
      const onceKey = `dsar:${key}:${id}`;
      queued.push(await queueMail(trx, announce, { ...mail, onceKey }, now));
    }
    const isNew = queued.length > 0 && queued.every((id) => id !== undefined);
    if (days !== undefined && isNew) await markReminded(trx, cases, now);
  });
}

/** Emails a new link, once, to requesters who have not confirmed their address within a day. */
export async function sendConfirmationReminders(dsar: Dsar): Promise<void> {
  const { datastore, clock } = dsar.platform;
  for (const id of await listUnconfirmed(datastore.db, clock.now() - DAY_MS)) {
    await changeCases(dsar, async (change) => {
      const { trx, at } = change;
      const dsarCase = await lockCase(trx, id);
      if (dsarCase?.status !== 'received') return;
      await insertEvent(trx, id, { at, actor: 'system', action: UNCONFIRMED_REMINDED });
      await acknowledge(change, dsarCase, { kind: 'reminder', from: REMINDERS });
    });
  }
}
