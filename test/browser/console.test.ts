import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { makeUser } from '../support/users.ts';

const HOUR_MS = 3_600_000;
const FIRST_SCREEN_BYTES = 250_000;

describe('The console', () => {
  // What it does with a scan is the matter here, not what a browser finds.
  const { app, open, openSignedIn, heading } = useConsole({
    PAVIS_DEMO: 'on',
    PAVIS_CHROMIUM: 'off',
  });

  it('sends whoever is not signed in to the door, and then on to where they wanted to be', async () => {
    const { login, password } = await makeUser(app.platform);
    const { page, faults } = await open('/vendors?search=matomo');
    await heading(page, 'Sign in').waitFor();
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('not right').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Matomo', exact: true }).waitFor();
    expect(page.url()).toBe(`${app.url}/admin/vendors?search=matomo`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await heading(page, 'Sign in').waitFor();
    await page.goto(`${app.url}/admin/`);
    await heading(page, 'Sign in').waitFor();
    expect(faults).toEqual([]);
  });

  it('goes nowhere else after signing in, whatever the address asks for', async () => {
    for (const next of ['//evil.example/', 'https://evil.example/', '/admin//evil.example']) {
      const { login, password } = await makeUser(app.platform);
      const { page } = await open(`/sign-in?next=${encodeURIComponent(next)}`);
      await page.getByLabel('Login').fill(login);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.keyboard.press('Enter');
      await heading(page, 'Overview').waitFor();
      expect(page.url()).toBe(`${app.url}/admin/`);
    }
  });

  it('says to who is no administrator that this is not for them', async () => {
    const { login, password } = await makeUser(app.platform, 'editor');
    const { page } = await open('/');
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Not for this account').waitFor();
  });

  it('asks for nothing from elsewhere, and its first screen is small', async () => {
    const decision = { visitor_id: 'somebody', consent_action: 'accept_all' };
    await app.http.post('/wp-json/svc/v1/consent', { body: decision });
    const page = await openSignedIn('/sign-in');
    const hosts = new Set<string>();
    let bytes = 0;
    const sizes: Promise<void>[] = [];
    page.on('requestfinished', (request) => {
      hosts.add(new URL(request.url()).origin);
      sizes.push(
        request.sizes().then(({ responseBodySize }) => {
          bytes += responseBodySize;
        }),
      );
    });
    await page
      .context()
      .route('**/*', (route) =>
        route.continue({ headers: { ...route.request().headers(), 'accept-encoding': 'gzip' } }),
      );
    await page.goto(`${app.url}/admin/`);
    await page.getByText('Needs attention').waitFor();
    await page.waitForLoadState('networkidle');
    await Promise.all(sizes);
    expect([...hosts]).toEqual([app.url]);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(FIRST_SCREEN_BYTES);
  });

  it('can be entered and used to add a vendor by keyboard alone', async () => {
    const { login, password } = await makeUser(app.platform);
    const { page } = await open('/vendors');
    await heading(page, 'Sign in').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(login);
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Vendors').waitFor();
    const press = async (key: string, until: string) => {
      for (let times = 0; times < 60; times += 1) {
        await page.keyboard.press(key);
        const focused = (await page.locator(':focus').allTextContents()).join();
        if (focused.includes(until)) return;
      }
      throw new Error(`${key} never led to ${until}`);
    };
    await press('Tab', 'New vendor');
    await page.keyboard.press('Enter');
    await heading(page, 'New vendor').waitFor();
    // Whoever goes to another screen is at its title, and goes on from there.
    await page.locator('h1:focus').waitFor();
    for (const [label, text] of [
      ['Name', 'Heron Post'],
      ['Domains', 'heron-post.example'],
    ] as const) {
      for (let times = 0; times < 20; times += 1) {
        await page.keyboard.press('Tab');
        const field = page.getByRole('textbox', { name: label, exact: true });
        if ((await field.and(page.locator(':focus')).count()) === 1) break;
      }
      await page.keyboard.type(text);
    }
    await press('Tab', 'Add vendor');
    await page.keyboard.press('Enter');
    await heading(page, 'Heron Post').waitFor();
    expect(await page.getByRole('textbox', { name: 'Slug' }).inputValue()).toBe('heron-post');
  });

  it('puts what the server refuses beside its field', async () => {
    const page = await openSignedIn('/vendors/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Another Matomo');
    await page.getByRole('textbox', { name: 'Slug' }).fill('matomo');
    await page.getByRole('button', { name: 'Add vendor' }).click();
    const slug = page.getByRole('textbox', { name: 'Slug' });
    await expect.poll(() => slug.getAttribute('aria-invalid')).toBe('true');
    await slug.and(page.locator(':focus')).waitFor();
  });

  it('scans page by page before the eyes, makes an unknown host a vendor, and fills the data map', async () => {
    const page = await openSignedIn('/scanner');
    await page.getByRole('button', { name: 'Start' }).click();
    await heading(page, /^Scan of/).waitFor();
    const hosts = page.getByRole('link', { name: /^Unknown hosts/ });
    // A small site may be done before the bar is seen.
    await page.getByRole('progressbar').or(hosts).first().waitFor();
    await hosts.click({ timeout: 25_000 });
    const before = await hosts.textContent();
    const host = page.getByRole('row').nth(1);
    await host.getByRole('link', { name: /^Make it a vendor/ }).click();
    await heading(page, 'New vendor').waitFor();
    await page.getByRole('button', { name: 'Add vendor' }).click();
    await heading(page, /^Scan of/).waitFor();
    expect(before).toMatch(/\([1-9]\d*\)/);
    await page.getByRole('link', { name: /^Vendors \(/ }).click();
    await page
      .getByRole('button', { name: /to the data map$/ })
      .first()
      .click();
    await page.getByText(/added to the data map/).waitFor();
    await page.goto(`${app.url}/admin/data-map`);
    await page.getByRole('table', { name: 'Data map' }).waitFor();
  }, 60_000);

  it('goes on when its nonce has run out, and comes to the door when its session has', async () => {
    const page = await openSignedIn('/scripts/new');
    await page.getByLabel('Label').fill('Late script');
    await page.getByLabel('Address').fill('https://late.example/late.js');
    app.clock.advance(25 * HOUR_MS);
    await page.getByRole('button', { name: 'Add script' }).click();
    await heading(page, 'Late script').waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Vendors', exact: true }).first().click();
    await heading(page, 'Sign in').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/admin/vendors');
  });

  it('runs retention for real only after a dry run, and shows the two side by side', async () => {
    const page = await openSignedIn('/retention/new');
    await page.getByLabel('Name').fill('Decisions of long ago');
    await page.getByLabel('Records').selectOption('consent_records');
    await page.getByRole('button', { name: 'Add policy' }).click();
    await heading(page, 'Decisions of long ago').waitFor();
    await page.goto(`${app.url}/admin/retention?view=run`);
    const real = page.getByRole('button', { name: 'Run for real' });
    expect(await real.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('table', { name: /^Dry run/ }).waitFor();
    await real.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('table', { name: /^Real run/ }).waitFor();
  });
});
