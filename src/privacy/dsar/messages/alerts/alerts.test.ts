import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../../test/support/engines.ts';
import { useTestApp } from '../../../../../test/support/test-app.ts';
import { makeUser } from '../../../../../test/support/users.ts';
import { toIsoMoment } from '../../../../platform/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../platform/durations.ts';
import { sendReminders } from '../../cases/reminders.ts';
import { sendDueAlerts } from './service.ts';

describe.each(ENGINES)('Alerts for administrators on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);
  const alerts = async () =>
    (await dsarClient.allMails()).filter(({ kind }) => kind === 'dsar_new_requests');

  it('contain reference, type and deadline of a new request, and nothing about the person', async () => {
    const [ada, grace] = [await makeUser(app.platform), await makeUser(app.platform)];
    await makeUser(app.platform, 'editor');
    const { id, reference, email } = await dsarClient.request({
      request_type: 'deletion',
      first_name: 'Jean',
      last_name: 'Bartik',
      additional_info: 'Everything',
    });
    const mails = await alerts();
    expect(mails.map(({ to }) => to).toSorted()).toEqual([ada.email, grace.email].toSorted());
    for (const { subject, text } of mails) {
      expect(subject).toBe(`New privacy request ${reference}`);
      expect(text).toContain(`${reference}: Deletion, deadline 21 December 2026`);
      expect(text).toContain(`${app.url}/admin/requests/${id}`);
      expect(`${subject} ${text}`).not.toMatch(/Jean|Bartik|Everything/);
      expect(text).not.toContain(email);
    }
  });

  it('are sent at most once an hour, with all references', async () => {
    app.clock.advance(61 * MINUTE_MS);
    await dsarClient.request();
    const [first] = await alerts();
    expect(first?.subject).toMatch(/^New privacy request/);
    const flood: string[] = [];
    for (let n = 0; n < 12; n++) flood.push((await dsarClient.request()).reference);
    app.clock.advance(59 * MINUTE_MS);
    await sendDueAlerts(dsarClient.dsar());
    expect(await alerts()).toEqual([]);
    app.clock.advance(2 * MINUTE_MS);
    await Promise.all([sendDueAlerts(dsarClient.dsar()), sendDueAlerts(dsarClient.dsar())]);
    const [merged, other, ...more] = await alerts();
    expect([merged?.subject, other?.subject, more]).toEqual([
      '12 new privacy requests',
      '12 new privacy requests',
      [],
    ]);
    expect(merged?.to).not.toBe(other?.to);
    for (const reference of flood) expect(merged?.text).toContain(reference);
    expect(merged?.text).toContain(`${app.url}/admin/requests\n`);
    await sendDueAlerts(dsarClient.dsar());
    expect(await alerts()).toEqual([]);
  });

  it('are sent at most once an hour also if the clock is set back', async () => {
    await makeUser(app.platform);
    app.clock.advance(61 * MINUTE_MS);
    await dsarClient.request();
    expect(await alerts()).not.toEqual([]);
    app.clock.set(toIsoMoment(app.clock.now() - 6 * HOUR_MS));
    const { reference } = await dsarClient.request();
    expect((await alerts())[0]?.subject).toBe(`New privacy request ${reference}`);
    await dsarClient.request();
    app.clock.advance(59 * MINUTE_MS);
    await sendDueAlerts(dsarClient.dsar());
    expect(await alerts()).toEqual([]);
    app.clock.advance(2 * MINUTE_MS);
    await sendDueAlerts(dsarClient.dsar());
    expect(await alerts()).not.toEqual([]);
    // The next tests are later than all alerts.
    app.clock.advance(6 * HOUR_MS);
  });

  it('are sent once for concurrent requests', async () => {
    app.clock.advance(61 * MINUTE_MS);
    await Promise.all(Array.from({ length: 6 }, () => dsarClient.request()));
    const subjects = (await alerts()).map(({ to }) => to);
    expect(new Set(subjects).size).toBe(subjects.length);
  });

  it('are in German if that is the first language of the site', async () => {
    app.clock.advance(61 * MINUTE_MS);
    await sendDueAlerts(dsarClient.dsar());
    await alerts();
    app.clock.advance(61 * MINUTE_MS);
    await dsarClient.admin('PUT', '/settings', { consent: { languages: ['de-AT', 'en'] } });
    const { reference } = await dsarClient.request({ request_type: 'access' });
    const [mail] = await alerts();
    expect(mail?.subject).toBe(`Neue Datenschutz-Anfrage ${reference}`);
    expect(mail?.text).toContain('Auskunft, Frist ');
    app.clock.advance(30 * DAY_MS);
    await sendReminders(dsarClient.dsar());
    const reminder = (await dsarClient.mails()).find(({ text }) => text.includes(reference));
    expect(reminder?.subject).toMatch(
      /^\d+ Datenschutz-Anfragen sind innerhalb von \d Tage?n? fällig$/,
    );
    expect(reminder?.text).toMatch(
      /Auskunft, eingegangen, Frist \d+\. \S+ \d{4}, niemandem zugewiesen/,
    );
    app.clock.advance(-30 * DAY_MS);
  });

  it('are not sent for a request that could not be stored', async () => {
    app.clock.advance(61 * MINUTE_MS);
    await sendDueAlerts(dsarClient.dsar());
    await alerts();
    app.clock.advance(61 * MINUTE_MS);
    await dsarClient.intake({ request_type: 'access', email: 'nobody' });
    expect(await alerts()).toEqual([]);
  });
});
