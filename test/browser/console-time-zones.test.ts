import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { logAll } from '../support/consent-log.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';

/** In Kiritimati 02:00 of the next day. */
const NOON = '2026-11-21T12:00:00.000Z';

describe('The console for a site in another time zone', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_SITE_TIMEZONE: 'Pacific/Kiritimati' });
  const dsarClient = createDsarClient(app);

  /** Opens a page at a moment, for a user in a time zone. */
  const openAt = async (iso: string, path: string, timezoneId: string): Promise<Page> => {
    app.clock.set(iso);
    const page = await openSignedIn('/profile', { timezoneId });
    await page.clock.setFixedTime(iso);
    await page.goto(`${app.url}/admin${path}`);
    return page;
  };

  it('offers the current day of the site as the day of receipt', async () => {
    const page = await openAt(NOON, '/requests/new', 'Europe/Berlin');
    expect(await page.getByLabel('Received on').inputValue()).toBe('2026-11-22');
  });

  it('includes the current day of the site in the bundle for an auditor', async () => {
    await dsarClient.admin('POST', '/consent', { visitor_id: 'v-1', consent_action: 'accept_all' });
    await logAll(app);
    const page = await openAt(NOON, '/consent/log', 'Europe/Berlin');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2026-11-22');
  });

  it('marks a review as due from its day at the site', async () => {
    const { json: vendors } = await dsarClient.admin('GET', '/vendors');
    const entry = { purpose: 'Maps', legal_basis: 'consent', data_categories: ['IP address'] };
    await dsarClient.admin('POST', '/data-map', {
      ...{ ...entry, vendor_id: vendors[0].id, review_date: '2026-11-22' },
    });
    const page = await openAt(NOON, '/data-map', 'Europe/Berlin');
    await page.getByText('Review due since 22 Nov 2026').waitFor();
  });

  it('counts requests as due within a week as their list does', async () => {
    app.clock.set('2026-10-29T12:00:00Z');
    const { id } = await dsarClient.request();
    const { json } = await dsarClient.admin('GET', `/dsar/cases/${id}`);
    expect(json.deadline).toBe('2026-11-30');
    const list = await openAt('2026-11-22T12:00:00Z', '/requests', 'Europe/Berlin');
    await list.getByText('7 days left').waitFor();
    await list.getByRole('link', { name: 'Overview' }).click();
    await list.getByText('1 request due within a week').waitFor();

    const paused = { status: 'on_hold', ground: 'identity', reason: 'Please confirm your name.' };
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    expect((await dsarClient.admin('PUT', `/dsar/cases/${id}`, paused)).status).toBe(200);
    await list.reload();
    await list.getByText('Open requests').waitFor();
    await list.getByText('Get started').waitFor();
    expect(await list.getByText('due within a week').count()).toBe(0);
  });

  it('shows times of the site that do not exist in the zone of the browser', async () => {
    // 02:30 on 28 March in Kiritimati. In Berlin, clocks skip that hour.
    app.clock.set('2027-03-27T12:30:00Z');
    const { id } = await dsarClient.request();
    const page = await openAt('2027-03-27T12:31:00Z', `/requests/${id}`, 'Europe/Berlin');
    await page.getByText('28 Mar 2027, 02:30 (site time)').waitFor();
  });

  it('shows the day of a moment in the zone of the browser, as its time', async () => {
    // 23:30 on 21 November in UTC, 00:30 on 22 November in Berlin.
    app.clock.set('2026-11-21T23:30:00Z');
    const { json: scan } = await dsarClient.admin('POST', '/scanner/start', { scan_depth: 0 });
    await dsarClient.admin('POST', '/scanner/complete', { scan_id: scan.scan_id });
    const page = await openAt('2026-11-21T23:40:00Z', '/', 'Europe/Berlin');
    await page.getByText('scanned 22 Nov 2026').waitFor();
    await page.getByRole('link', { name: '22 Nov 2026, 00:30' }).waitFor();
  });

  it('says that the days of filters are those of the site', async () => {
    const page = await openAt(NOON, '/consent', 'Europe/Berlin');
    await page.getByLabel('From (site time)').waitFor();
    const local = await openAt(NOON, '/consent', 'Pacific/Kiritimati');
    await local.getByLabel('From', { exact: true }).waitFor();
  });
});
