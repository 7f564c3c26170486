import { beforeAll, describe } from 'vitest';
import { createDsarClient } from '../support/dsar.ts';
import { fill } from '../support/filled.ts';
import { makeLicence } from '../support/makers.ts';
import { useStates } from '../support/states.ts';

describe('States of the console in use', () => {
  const on = useStates();
  const { app, at, text, field, press, refuse, areForEverybody } = on;
  const dsarClient = createDsarClient(app);
  let licence: string;
  let request: number;
  let scan: number;
  beforeAll(async () => {
    ({ licence, request } = await fill(app));
    const started = await dsarClient.admin('POST', '/scanner/start', { scan_depth: 1 });
    scan = started.json.scan_id;
  });

  /** Leases a scan to another process, with two of its pages scanned. */
  async function leaseElsewhere(id: number): Promise<void> {
    const { db } = app.platform.datastore;
    const lease = { lease_holder: 'another', leased_until: app.clock.now() + 60_000 };
    await db
      .updateTable('scans')
      .set({ runner: 'server', ...lease })
      .where('id', '=', id)
      .execute();
    const pages = await db
      .selectFrom('scan_pages')
      .select('id')
      .where('scan_id', '=', id)
      .orderBy('id')
      .limit(2)
      .execute();
    await db
      .updateTable('scan_pages')
      .set({ state: 'scanned' })
      .where(
        'id',
        'in',
        pages.map((page) => page.id),
      )
      .execute();
  }

  areForEverybody({
    'a licence that has expired': async () => {
      const expiresAt = app.clock.now() - 1;
      await at(`/licences/${(await makeLicence(app.platform, { expiresAt })).id}`);
      return text('Expired').first();
    },
    'a licence that was revoked': async () => {
      const { id } = await makeLicence(app.platform);
      const headers = await dsarClient.headers();
      await app.http.post(`/console/licences/${id}/revoke`, { headers, body: {} });
      await at(`/licences/${id}`);
      return text('Revoked').first();
    },
    'a banner without a title, with a category that has no name': async () => {
      await at('/banner');
      await field('Title').fill('');
      await press('Add category');
      await press('Publish');
      return text('Enter a title.');
    },
    'a banner that is off, in a new language, with the list of languages open': async () => {
      await at('/banner');
      await on.page.getByRole('switch', { name: 'Show consent banner' }).press('Space');
      await on.page.getByRole('combobox', { name: 'Add a language' }).fill('Arabic');
      await on.page.getByRole('option', { name: 'Arabic' }).click();
      await press('Add');
      await text('Machine-translated, please review').waitFor();
      await on.page.getByRole('combobox', { name: 'Add a language' }).click();
      await on.page.getByRole('option', { name: 'Bulgarian' }).waitFor();
      return text('The banner is off.');
    },
    'versions of the banner side by side': async () => {
      await dsarClient.admin('PUT', '/settings', { consent: { title: 'Your choice' } });
      await at('/banner/versions');
      return on.page.locator('ins').first();
    },
    'a scan that the server runs': async () => {
      await leaseElsewhere(scan);
      await on.page.goto(`${app.url}/admin/scanner/${scan}`);
      await text(/^2 of \d+ pages scanned$/).waitFor();
      return on.page.getByRole('progressbar');
    },
    'a scan in the queue': async () => {
      const { json } = await dsarClient.admin('POST', '/scanner/scans', { scan_depth: 0 });
      await at(`/scanner/${json.scan_id}`);
      await text('The scan starts when the previous one has ended.').waitFor();
      return text('Queued');
    },
    'a scan that was cancelled': async () => {
      await on.page.goto(`${app.url}/admin/scanner/${scan}`);
      await press('Cancel scan');
      await text('Scan cancelled').waitFor();
      return text(/^\d+ of \d+ pages not visited\.$/);
    },
    'a scan of a site that cannot be reached': async () => {
      const error = 'The site https://example.com cannot be reached.';
      await app.platform.datastore.db
        .updateTable('scans')
        .set({ status: 'failed', error })
        .where('id', '=', scan)
        .execute();
      await at(`/scanner/${scan}`);
      await text('Scan failed').waitFor();
      return text(error);
    },
    'a scan that is rejected because the queue is full': async () => {
      await at('/scanner');
      await refuse(
        '/scanner/scans',
        503,
        'service_unavailable',
        '10 scans are queued, which is the maximum.',
      );
      await press('New scan');
      await press('Start scan');
      return text('10 scans are queued, which is the maximum.');
    },
    'an unfinished scan in the list': async () => {
      await dsarClient.admin('POST', '/scanner/start', { scan_depth: 0 });
      await at('/scanner');
      return text('Not finished');
    },
    'a findings filter without matches': async () => {
      await at('/scanner/1?view=findings&search=nobody-at-all');
      return text('No matching findings');
    },
    'a dry run and a run': async () => {
      await at('/retention?view=run');
      await press('Dry run');
      await on.page.getByRole('table', { name: /^Dry run/ }).waitFor();
      await press('Run now');
      await on.page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
      await on.page.getByRole('dialog').waitFor({ state: 'hidden' });
      return on.page.getByRole('table', { name: 'Run', exact: true });
    },
    'the form to refuse a request': async () => {
      await at(`/requests/${request}`);
      await press('Refuse');
      return on.page.getByLabel('Ground');
    },
    'the form to leave out a data source': async () => {
      await at(`/requests/${request}`);
      await press(/^Leave out: /);
      return on.page.getByRole('textbox', { name: /^Reason for leaving out: / });
    },
    'an overdue request with a failed source and a failed email': async () => {
      const { db } = app.platform.datastore;
      const problem = { last_error: 'connect ECONNREFUSED 192.0.2.1:5432' };
      await db
        .updateTable('dsar_tasks')
        .set({ status: 'failed', ...problem })
        .where('case_id', '=', request)
        .execute();
      await db
        .updateTable('outbox_mails')
        .set({ status: 'dead', ...problem })
        .execute();
      await db
        .updateTable('dsar_cases')
        .set({ deadline: '2026-11-02' })
        .where('id', '=', request)
        .execute();
      await at(`/requests/${request}`);
      await text(/days overdue/).waitFor();
      await text('Send again').waitFor();
      return text('Try again');
    },
    'an overview with urgent tasks': async () => {
      await at('/');
      await text(/^Email about request \d+ not delivered$/).waitFor();
      return text('1 request past the deadline');
    },
    'a request that was withdrawn': async () => {
      const over = await dsarClient.request({ request_type: 'deletion' });
      await dsarClient.admin('PUT', `/dsar/cases/${over.id}`, { status: 'withdrawn' });
      await at(`/requests/${over.id}`);
      await press('Reopen');
      return on.page.getByLabel('Reason');
    },
    'a licence whose expiry is being changed': async () => {
      await at(`/licences/${licence}`);
      await press('Change expiry');
      await on.page.getByRole('switch', { name: 'No expiry' }).press('Space');
      return on.page.getByLabel('Paid until');
    },
    'a licence that is transferred to another customer': async () => {
      await at(`/licences/${licence}`);
      await press('Transfer');
      return on.page.getByLabel('Email');
    },
    'a licence with a new key': async () => {
      await at(`/licences/${licence}`);
      await press('Rotate key');
      await press('Generate new key');
      return on.page.getByRole('textbox', { name: 'New licence key' });
    },
    'a licence that is suspended': async () => {
      await at(`/licences/${licence}`);
      await press('Suspend');
      await on.page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
      return on.page.getByRole('button', { name: 'Reinstate' });
    },
    'a password that is shown once': async () => {
      await at('/profile');
      await field('Name').fill('backup');
      await press('Create application password');
      return on.page.getByRole('textbox', { name: 'Application password “backup”' });
    },
    'the licence of the site, and an invalid key': async () => {
      const { key } = await makeLicence(app.platform);
      await dsarClient.admin('POST', '/licence', { key });
      await at('/system');
      await on.page.getByLabel('Replace the key').fill('pv_live_none');
      await press('Save');
      return on.message('Action failed');
    },
  });
});
