import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { makeUser } from '../../../../test/support/users.ts';
import { DAY_MS, HOUR_MS } from '../../../platform/durations.ts';
import { renderReminder } from '../messages/alerts/reminder.ts';
import { de } from '../messages/de.ts';
import { writeExpired } from '../messages/digests.ts';
import type { CaseFacts } from '../messages/emails.ts';
import { en } from '../messages/en.ts';
import type { Case } from '../store.ts';
import { sendReminders } from './reminders.ts';

describe.each(ENGINES)('Reminders of deadlines on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const remind = async () => {
    await sendReminders(dsarClient.dsar());
    return (await dsarClient.mails()).filter(({ kind }) => kind === 'dsar_reminder');
  };
  const subjects = async () => (await remind()).map(({ subject }) => subject);
  /** The day on which the deadline is this many days away. */
  const goTo = async (id: number, daysLeft: number) => {
    const { json } = await dsarClient.admin('GET', `/dsar/cases/${id}`);
    app.clock.advance((json.days_left - daysLeft) * DAY_MS);
  };

  it('are one email a day and mark for each administrator, however many requests there are', async () => {
    await dsarClient.headers();
    await makeUser(app.platform);
    const requests: { id: number; reference: string }[] = [];
    for (let n = 0; n < 40; n++) requests.push(await dsarClient.request());
    const [{ id } = { id: 0 }] = requests;
    const sent: string[] = [];
    for (const mark of [14, 7, 3, 1]) {
      await goTo(id, mark);
      const [mail, other, ...more] = await remind();
      expect(more).toEqual([]);
      expect(mail?.to).not.toBe(other?.to);
      for (const { reference } of requests) expect(mail?.text).toContain(reference);
      expect(mail?.text).toContain(`${app.url}/admin/requests\n`);
      sent.push(mail?.subject ?? '', other?.subject ?? '');
      for (let hour = 0; hour < 24; hour++) {
        app.clock.advance(HOUR_MS);
        expect(await subjects()).toEqual([]);
      }
    }
    expect(sent).toEqual(
      ['14 days', '7 days', '3 days', '1 day'].flatMap((days) => {
        const subject = `40 privacy requests are due within ${days}`;
        return [subject, subject];
      }),
    );
    app.clock.advance(DAY_MS);
    expect(await subjects()).toEqual(Array(2).fill('40 privacy requests are overdue'));
  });

  it('include a request that reaches a mark later on the next day', async () => {
    app.clock.advance(100 * DAY_MS);
    const first = await dsarClient.request();
    await goTo(first.id, 14);
    const dueSubjects = async () =>
      (await subjects()).filter((subject) => !subject.includes('overdue'));
    expect(await dueSubjects()).toEqual(Array(2).fill(`14 days left: ${first.reference}`));
    const { deadline } = (await dsarClient.admin('GET', `/dsar/cases/${first.id}`)).json;
    const late = await dsarClient.request();
    await app.platform.datastore.db
      .updateTable('dsar_cases')
      .set({ deadline })
      .where('id', '=', late.id)
      .execute();
    expect(await dueSubjects()).toEqual([]);
    app.clock.advance(DAY_MS);
    expect(await dueSubjects()).toEqual(Array(2).fill(`13 days left: ${late.reference}`));
  });
});

describe('An email about deadlines or expired requests', () => {
  const cases = Array.from({ length: 103 }, (_, n) => ({
    ...{ id: n, reference: `DSR-${n}`, requestType: 'access', status: 'received' },
    ...{ deadline: '2026-12-21', assignee: null, formUrl: 'https://site.example/privacy/' },
  }));
  const links = { consoleUrl: 'https://site.example/admin/requests' };

  it.each([
    ['en', 14, '103 privacy requests are due within 14 days', 'And 3 more.'],
    ['de', 1, '103 Datenschutz-Anfragen sind innerhalb von 1 Tag fällig', 'Und 3 weitere.'],
    ['en', undefined, '103 privacy requests are overdue', 'And 3 more.'],
  ])('reminds in %s of a hundred, and counts the others', (language, days, subject, more) => {
    const mail = renderReminder(cases as unknown as Case[], { days, language, ...links });
    expect(mail.subject).toBe(subject);
    expect(mail.text.match(/DSR-\d+/g)).toHaveLength(100);
    expect(mail.text).toContain(more);
  });

  it('about one request names it', () => {
    const [first] = cases as unknown as [Case];
    const mail = renderReminder([first], { days: 3, language: 'de-AT', ...links });
    expect(mail.subject).toBe('Noch 3 Tage: DSR-0');
    expect(mail.text).toContain('/admin/requests/0\n');
  });

  it.each([
    [en, 'And 3 more.'],
    [de, 'Und 3 weitere.'],
  ])('lists a hundred that have expired, and counts the others', (texts, more) => {
    const { subject, parts } = writeExpired(texts, cases as unknown as CaseFacts[]);
    expect(subject).toContain('103');
    expect(JSON.stringify(parts).match(/DSR-\d+/g)).toHaveLength(100);
    expect(parts).toContain(more);
  });
});
