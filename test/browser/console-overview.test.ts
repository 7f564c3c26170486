import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { makeUser } from '../support/users.ts';

/** Of the plugin API and the console. */
const FORWARDED = /^\/(?:wp-json\/svc\/v1|admin|console|privacy|docs)(?:\/|$)/;

describe('The overview', () => {
  const { app, openSignedIn, heading } = useConsole({ PAVIS_DEMO: 'on', PAVIS_CHROMIUM: 'off' });

  it('says that the first scan is running instead of offering to run it', async () => {
    const { db } = app.platform.datastore;
    const now = app.clock.now();
    const scan = {
      status: 'started',
      site_url: `${app.url}/demo`,
      depth: 1,
      engine: 'html',
      started_at: now,
      runner: 'command',
      lease_holder: 'another process',
      leased_until: now + MINUTE_MS,
      states: '["before"]',
    };
    await db
      .insertInto('scans')
      .values(scan as never)
      .execute();
    const page = await openSignedIn('/');
    await page.getByText('The first scan is running. Its tasks appear here.').waitFor();
    expect(await page.getByRole('button', { name: /Scan/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'View the running scan' }).first().click();
    await heading(page, /^Scan of/).waitFor();
    await db.deleteFrom('scans').execute();
  });

  it('finds the server healthy behind a proxy that forwards only the addresses of the WordPress guide', async () => {
    const page = await openSignedIn('/nowhere');
    await page.route('**/*', (route) =>
      FORWARDED.test(new URL(route.request().url()).pathname)
        ? route.fallback()
        : route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Not found</h1>' }),
    );
    const health = page.waitForResponse(/health$/);
    await page.goto(`${app.url}/admin/`);
    await health;
    await page.getByText('Run the first scan to see tasks here').waitFor();
    expect(await page.getByText('The server is unhealthy').count()).toBe(0);
  });

  it('has a title that does not break within a word, at 320 px with text at 200 %', async () => {
    const page = await openSignedIn('/');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await heading(page, 'Overview').waitFor();
    const countLines = (word: string) =>
      page.evaluate<number>(`(() => {
        const title = document.querySelector('h1');
        title.textContent = '${word}';
        const range = document.createRange();
        range.selectNodeContents(title);
        return range.getClientRects().length;
      })()`);
    for (const word of ['Overview', 'Operations', 'Declaration'])
      expect(await countLines(word), word).toBe(1);
  });

  it('has a header whose icons do not cover its name, at 320 px with text at 200 %', async () => {
    const page = await openSignedIn('/');
    await page.setViewportSize({ width: 320, height: 640 });
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    const header = page.getByRole('banner');
    const getBox = (role: 'link' | 'button', name: string) =>
      header.getByRole(role, { name }).boundingBox();
    const brand = await getBox('link', 'Pavis');
    const icons = [await getBox('button', 'Search'), await getBox('button', 'Menu')];
    expect((brand?.x ?? 320) + (brand?.width ?? 0)).toBeLessThanOrEqual(icons[0]?.x ?? 0);
    for (const icon of icons) expect(icon).toMatchObject({ width: 44, height: 44 });
    const isCut =
      'document.querySelector("header .brand").scrollWidth > document.querySelector("header .brand").clientWidth';
    expect(await page.evaluate(isCut)).toBe(false);
  });

  it('fits a phone with text of twice the size', async () => {
    const page = await openSignedIn('/', { viewport: { width: 390, height: 844 } });
    await page.getByRole('group', { name: 'Period' }).waitFor();
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    const overflow = 'document.documentElement.scrollWidth - innerWidth';
    expect(await page.evaluate(overflow)).toBe(0);
    const bar = await page.getByRole('banner').boundingBox();
    for (const name of ['Search', 'Menu']) {
      const button = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(bar?.height ?? 0);
      expect((button?.x ?? 0) + (button?.width ?? 0)).toBeLessThanOrEqual(390);
    }
  });

  it('shows the first steps to a new administrator, starting with a scan', async () => {
    const page = await openSignedIn('/');
    const steps = page.getByRole('region', { name: 'Get started' }).getByRole('listitem');
    await steps.first().waitFor();
    expect(await page.locator('[aria-current=step]').textContent()).toContain('Scan the site');
    expect(await steps.count()).toBe(6);
    await page.getByText('Run the first scan to see tasks here').waitFor();
    // The other steps can be read ahead.
    await steps.getByText('Install the banner').click();
    await steps.getByText('/banner.js"></script>').waitFor();
    await page
      .locator('[aria-current=step]')
      .getByRole('button', { name: 'Scan', exact: true })
      .click();
    await heading(page, /^Scan of/).waitFor();
  });

  it('links from the step "Name the controller" to the settings', async () => {
    const page = await openSignedIn('/');
    const steps = page.getByRole('region', { name: 'Get started' });
    await steps.getByText('Scan the site').waitFor();
    const client = createDsarClient(app);
    const { json: scan } = await client.admin('POST', '/scanner/start', { scan_depth: 0 });
    const scanOnce = async (id: number) => {
      await client.admin('POST', '/scanner/scan-page', { scan_id: id, url: scan.urls[0] });
      await client.admin('POST', '/scanner/complete', { scan_id: id });
    };
    await scanOnce(scan.scan_id);
    await client.admin('POST', '/consent', { visitor_id: 'first', consent_action: 'accept_all' });
    const handle = { handle: 'lumen', label: 'Lumen', category: 'analytics' };
    await client.admin('POST', '/scripts', { ...handle, script_url: 'https://lumen.example/l.js' });
    app.clock.advance(60_000);
    const { json: again } = await client.admin('POST', '/scanner/start', { scan_depth: 0 });
    await scanOnce(again.scan_id);
    await page.reload();
    await steps.getByText('4 of 6 done').waitFor();
    await page.locator('[aria-current=step]').getByRole('link', { name: 'Enter address' }).click();
    await page.getByLabel('Privacy policy', { exact: true }).fill('https://shop.example/privacy');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
    await page.goto(`${app.url}/admin/`);
    await steps.getByText('5 of 6 done').waitFor();
    await steps.getByRole('link', { name: 'Open settings' }).click();
    await heading(page, 'Settings').waitFor();
  });

  it('shows the last scan of the protected site, also after scans of others and many that failed', async () => {
    const { db } = app.platform.datastore;
    const [{ id: _, ...scan } = { id: 0 }] = await db
      .selectFrom('scans')
      .selectAll()
      .where('status', '=', 'completed')
      .execute();
    const staging = { ...scan, site_url: 'https://staging.example.com' };
    const failed = Array(21).fill({ ...scan, status: 'failed' });
    await db
      .insertInto('scans')
      .values([staging, ...failed] as never)
      .execute();
    const page = await openSignedIn('/');
    await page.getByText(`${app.url}/demo`, { exact: true }).waitFor();
    await page.getByText(/^scanned \d/).waitFor();
    const error = 'The site does not answer.';
    const scheduled = { ...scan, status: 'failed', started_by: 'schedule', error };
    await db
      .insertInto('scans')
      .values(scheduled as never)
      .execute();
    await page.reload();
    const task = page.getByRole('listitem').filter({ hasText: 'The last scheduled scan failed' });
    await task.getByText(error).waitFor();
  });

  it('says of one open finding that it can load without consent', async () => {
    const page = await openSignedIn('/nowhere');
    await page.route(/\/scanner\/results\//, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), open_resources: 1 } });
    });
    await page.goto(`${app.url}/admin/`);
    const task = page.getByRole('listitem').filter({ hasText: /1 open finding(?!s)/ });
    await task.getByText(/^It can load without consent\. Block it, mark it as/).waitFor();
  });

  it('counts a vendor with several unseen entries once', async () => {
    const client = createDsarClient(app);
    const body = { name: 'Two-entry chat', slug: 'two-entry-chat', domains: ['chat.example'] };
    const { json: vendor } = await client.admin('POST', '/vendors', body);
    for (const purpose of ['Answers questions.', 'Sells rooms']) {
      const entry = { vendor_id: vendor.id, purpose, legal_basis: 'consent' };
      await client.admin('POST', '/data-map', entry);
    }
    const { json: scan } = await client.admin('POST', '/scanner/start', { scan_depth: 0 });
    const visit = { scan_id: scan.scan_id, url: scan.urls[0] };
    await client.admin('POST', '/scanner/scan-page', visit);
    await client.admin('POST', '/scanner/complete', { scan_id: scan.scan_id });
    const page = await openSignedIn('/');
    const task = page
      .getByRole('listitem')
      .filter({ hasText: '1 vendor in the data map, but not' });
    await task.getByText('Two-entry chat', { exact: true }).waitFor();
    await task.getByRole('link', { name: 'Review' }).click();
    const unseen = page.getByRole('list', { name: 'In the data map, not seen' });
    await unseen
      .getByText(/^Answers questions\. Not seen in the last (scan|\d+ scans)\.$/)
      .waitFor();
  });

  it('lists a confirmed request until it has an assignee', async () => {
    const client = createDsarClient(app);
    const { id, reference } = await client.request({ request_type: 'deletion' });
    const page = await openSignedIn('/');
    await page.getByText(/vendors? in the data map, but not/).waitFor();
    const task = page.getByRole('listitem').filter({ hasText: '1 unassigned request' });
    expect(await task.count()).toBe(0);
    const [mail] = await client.mails();
    await client.verify(/token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '');
    await page.reload();
    await task.getByRole('link', { name: 'View' }).click();
    await heading(page, reference).waitFor();
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByRole('button', { name: 'Unassign' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText(/vendors? in the data map, but not/).waitFor();
    expect(await task.count()).toBe(0);
    const leaver = await makeUser(app.platform, 'editor');
    await client.admin('PUT', `/dsar/cases/${id}`, { assignee: leaver.login });
    await client.admin('DELETE', `/users/${leaver.id}`);
    await page.reload();
    const orphaned = page.getByRole('listitem').filter({ hasText: '1 request assigned to former' });
    await orphaned.getByText(leaver.login).waitFor();
    await client.admin('PUT', `/dsar/cases/${id}`, { status: 'withdrawn' });
  });

  it('lists a request with undelivered emails once, also if many other emails were not delivered', async () => {
    const client = createDsarClient(app);
    const { id } = await client.request({ email: 'unreachable@example.com' });
    await client.admin('POST', `/dsar/cases/${id}/links`, { purpose: 'confirm' });
    for (let sent = 0; sent < 25; sent += 1) await client.admin('POST', '/mail/test');
    const { db } = app.platform.datastore;
    await db.updateTable('outbox_mails').set({ status: 'dead' }).execute();
    const page = await openSignedIn('/');
    const tasks = page.getByRole('listitem').filter({ hasText: 'not delivered' });
    await tasks.getByText(`Email about request ${id} not delivered`).waitFor();
    expect(await tasks.filter({ hasText: `request ${id} ` }).count()).toBe(1);
    await tasks
      .filter({ hasText: `request ${id} ` })
      .getByRole('link', { name: 'Resend' })
      .click();
    await page.getByText('Not delivered', { exact: true }).first().waitFor();
    await db.deleteFrom('outbox_mails').execute();
    await client.admin('PUT', `/dsar/cases/${id}`, { status: 'withdrawn' });
  });

  it('lists missing and outdated consent texts and links to them', async () => {
    const dsarClient = createDsarClient(app);
    const save = (consent: object) => dsarClient.admin('PUT', '/settings', { consent });
    await save({ languages: ['en', 'de'], translations: [{ language: 'de', title: 'Wahl' }] });
    await save({ title: 'Your choice' });
    const page = await openSignedIn('/');
    await page.getByText('33 consent texts missing in German').waitFor();
    const expired = page
      .getByRole('listitem')
      .filter({ hasText: 'German consent texts are out of date' });
    await expired.getByText('Title').waitFor();
    await expired.getByRole('link', { name: 'Update' }).click();
    await heading(page, 'Banner').waitFor();
    await page.getByLabel('Title').fill('Ihre Wahl');
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
    await page.goto(`${app.url}/admin/`);
    await page.getByText('33 consent texts missing in German').waitFor();
    await expired.waitFor({ state: 'detached' });
  });
});
