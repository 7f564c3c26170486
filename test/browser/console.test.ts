import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { editLicence } from '../../src/licensing/licences/index.ts';
import { HOUR_MS } from '../../src/platform/durations.ts';
import { axeFinds } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { basic, makeUser, signIn } from '../support/users.ts';

const FIRST_SCREEN_BYTES = 250_000;

describe('The console', () => {
  // These tests cover the console, not the browser engine of the scanner.
  const { app, open, openSignedIn, heading } = useConsole({
    PAVIS_DEMO: 'on',
    PAVIS_CHROMIUM: 'off',
  });

  it('asks for sign-in and then returns to the requested page', async () => {
    const { login, password } = await makeUser(app.platform);
    const { page, faults } = await open('/vendors?search=matomo');
    await heading(page, 'Sign in').waitFor();
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('The login or the password is wrong.').waitFor();
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

  it('ignores redirects to other sites after sign-in', async () => {
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

  it('redirects users with no other page to their account', async () => {
    const { login, password } = await makeUser(app.platform, 'subscriber');
    const { page } = await open('/');
    await page.getByLabel('Login').fill(login);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await heading(page, 'Your account').waitFor();
  });

  it('makes no third-party requests, and its first page is small', async () => {
    const decision = { visitor_id: 'somebody', consent_action: 'accept_all' };
    await app.http.post('/wp-json/svc/v1/consent', { body: decision });
    const page = await openSignedIn('/sign-in');
    // What the sign-in page loads later is not part of the first page.
    await page.waitForLoadState('networkidle');
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
    await page.getByRole('heading', { name: 'Open tasks' }).waitFor();
    await page.waitForLoadState('networkidle');
    await Promise.all(sizes);
    expect([...hosts]).toEqual([app.url]);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(FIRST_SCREEN_BYTES);
  });

  it('links each page to its guide', async () => {
    const page = await openSignedIn('/vendors');
    const help = page.getByRole('link', { name: 'Help for this page (new tab)' });
    const openGuide = async () => {
      const [guide] = await Promise.all([page.waitForEvent('popup'), help.click()]);
      await guide.waitForLoadState();
      return new URL(guide.url()).pathname;
    };
    await heading(page, 'Vendors').waitFor();
    expect(await openGuide()).toBe('/docs/data-map');
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Retention' })
      .click();
    await heading(page, 'Retention').waitFor();
    expect(await openGuide()).toBe('/docs/guides/set-up-retention');
  });

  it('signs in and adds a vendor with the keyboard only', async () => {
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
    // Opening another page moves the focus to its title.
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

  it('shows a server error beside its field', async () => {
    const page = await openSignedIn('/vendors/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Another Matomo');
    await page.getByRole('textbox', { name: 'Slug' }).fill('matomo');
    await page.getByRole('button', { name: 'Add vendor' }).click();
    const slug = page.getByRole('textbox', { name: 'Slug' });
    await expect.poll(() => slug.getAttribute('aria-invalid')).toBe('true');
    await slug.and(page.locator(':focus')).waitFor();
  });

  it('changes a script, and deletes it after confirmation', async () => {
    const page = await openSignedIn('/scripts/new');
    await page.getByLabel('Label').fill('Passing by');
    await page.getByLabel('URL').fill('https://passing.example/by.js');
    await page.getByRole('button', { name: 'Add script' }).click();
    await heading(page, 'Passing by').waitFor();
    await page.getByLabel('Handle').fill('Not a handle');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Use lowercase letters, digits, - and _.').waitFor();
    await page.getByLabel('Handle').fill('passing');
    await page.getByRole('switch', { name: 'Active' }).uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The changes were saved.').waitFor();
    await page.reload();
    await heading(page, 'Passing by').waitFor();
    expect(await page.getByLabel('Handle').inputValue()).toBe('passing');
    expect(await page.getByRole('switch', { name: 'Active' }).isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const asked = page.getByRole('dialog', { name: 'Delete Passing by?' });
    await asked.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The script was deleted.').waitFor();
    await heading(page, 'Scripts').waitFor();
    expect(await page.getByRole('link', { name: 'Passing by' }).count()).toBe(0);
  });

  it('shows the progress of a scan, adds an unknown host as vendor, and fills the data map', async () => {
    const page = await openSignedIn('/scanner');
    await page.getByRole('button', { name: 'New scan' }).click();
    await page.getByRole('button', { name: 'Start scan' }).click();
    await heading(page, /^Scan of/).waitFor();
    const hosts = page.getByRole('link', { name: /^Unrecognised domains/ });
    // The scan of a small site may end before the progress bar appears.
    await page.getByRole('progressbar').or(hosts).first().waitFor();
    await hosts.click({ timeout: 60_000 });
    const before = await hosts.textContent();
    const host = page.getByRole('row').nth(1);
    await host.getByRole('link', { name: /^Assign vendor/ }).click();
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
  });

  it('continues with an expired nonce, and asks for sign-in when the session has expired', async () => {
    const page = await openSignedIn('/scripts/new');
    await page.getByLabel('Label').fill('Late script');
    await page.getByLabel('URL').fill('https://late.example/late.js');
    app.clock.advance(25 * HOUR_MS);
    await page.getByRole('button', { name: 'Add script' }).click();
    await heading(page, 'Late script').waitFor();
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Vendors', exact: true }).first().click();
    await heading(page, 'Sign in').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/admin/vendors');
  });

  it('stays signed in if the server cannot sign out, and signs out with an expired nonce', async () => {
    const page = await openSignedIn('/vendors');
    const signOut = page.getByRole('button', { name: 'Sign out' });
    await heading(page, 'Vendors').waitFor();
    await page.route('**/console/session', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 503 }) : route.continue(),
    );
    await signOut.click();
    await page.getByText('The server answered 503.').waitFor();
    await heading(page, 'Vendors').waitFor();
    await page.unroute('**/console/session');
    app.clock.advance(25 * HOUR_MS);
    await signOut.click();
    await heading(page, 'Sign in').waitFor();
    await page.goto(`${app.url}/admin/vendors`);
    await heading(page, 'Sign in').waitFor();
  });

  it('runs retention only after a dry run, and shows both results side by side', async () => {
    const page = await openSignedIn('/retention/new');
    await page.getByLabel('Name').fill('Old consent records');
    await page.getByLabel('Records').selectOption('consent_records');
    await page.getByRole('button', { name: 'Add policy' }).click();
    await heading(page, 'Old consent records').waitFor();
    await page.goto(`${app.url}/admin/retention?view=run`);
    const real = page.getByRole('button', { name: 'Run now' });
    expect(await real.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Dry run' }).click();
    await page.getByRole('table', { name: /^Dry run/ }).waitFor();
    await real.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('table', { name: 'Run', exact: true }).waitFor();
  });

  it('adds a user who can sign in to their own account only, and shows the password once', async () => {
    const page = await openSignedIn('/users');
    await page.getByRole('link', { name: 'New user' }).click();
    await heading(page, 'New user').waitFor();
    await page.getByLabel('Login').fill('mary');
    await page.getByLabel('Email').fill('mary@example.com');
    await page.getByLabel('Role').selectOption('subscriber');
    await page.getByRole('button', { name: 'Add user' }).click();
    await page.getByText('Copy it now. It is shown only once.').waitFor();
    const password = await page.getByRole('textbox', { name: 'Password of mary' }).inputValue();
    await page.reload();
    await heading(page, 'New user').waitFor();
    expect((await page.content()).includes(password)).toBe(false);

    const theirs = (await open('/profile')).page;
    await theirs.getByLabel('Login').fill('mary');
    await theirs.getByLabel('Password', { exact: true }).fill(password);
    await theirs.keyboard.press('Enter');
    await heading(theirs, 'Your account').waitFor();
    await theirs.getByLabel('Current password', { exact: true }).fill('a guess');
    await theirs.getByLabel('New password', { exact: true }).fill('one of my own');
    await theirs.getByRole('button', { name: 'Change password' }).click();
    await theirs.getByText('The current password is wrong.').waitFor();
    await theirs.getByLabel('Current password', { exact: true }).fill(password);
    await theirs.getByRole('button', { name: 'Change password' }).click();
    await theirs.getByText('Your password was changed.').waitFor();
    for (const field of ['Current password', 'New password'])
      await expect.poll(() => theirs.getByLabel(field, { exact: true }).inputValue()).toBe('');
    // The current session stays, although a new password ends all others.
    await theirs.getByLabel('Name', { exact: true }).fill('backup');
    await theirs.getByRole('button', { name: 'Create application password' }).click();
    const secret = theirs.getByRole('textbox', { name: 'Application password “backup”' });
    const headers = basic('mary', await secret.inputValue());
    const me = () => app.http.get('/wp-json/svc/v1/users/me', { headers });
    expect((await me()).json.username).toBe('mary');
    await theirs.getByRole('button', { name: 'Revoke backup' }).click();
    await theirs.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await theirs.getByText('“backup” was revoked.').waitFor();
    expect((await me()).status).toBe(401);
    expect(await theirs.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0);
    await theirs.goto(`${app.url}/admin/users`);
    await heading(theirs, 'Your account').waitFor();

    // The answer to the sign-in with the new password is lost.
    await theirs.getByLabel('Current password', { exact: true }).fill('one of my own');
    await theirs.getByLabel('New password', { exact: true }).fill('another of my own');
    await theirs.route('**/console/session', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await theirs.getByRole('button', { name: 'Change password' }).click();
    await theirs.getByText('Your password was changed. Sign in again with it.').waitFor();
    await heading(theirs, 'Sign in').waitFor();
    expect(await theirs.getByText('Action failed').count()).toBe(0);
    await theirs.unroute('**/console/session');
    await theirs.getByLabel('Login').fill('mary');
    await theirs.getByLabel('Password', { exact: true }).fill('another of my own');
    await theirs.keyboard.press('Enter');
    await heading(theirs, 'Your account').waitFor();
  });

  it('signs a user out everywhere, resets their password and deletes them, except your own user', async () => {
    const other = await makeUser(app.platform, 'editor');
    const { cookie } = await signIn(app.http, other);
    const page = await openSignedIn(`/users/${other.id}`);
    const sure = (name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await sure('Sign out');
    await page.getByText(`${other.login} is signed out everywhere.`, { exact: true }).waitFor();
    expect((await app.http.get('/console/session', { headers: { cookie } })).status).toBe(401);
    await page.getByRole('button', { name: 'Reset password' }).click();
    await sure('Reset');
    const shown = page.getByRole('textbox', { name: `New password of ${other.login}` });
    const password = await shown.inputValue();
    expect((await signIn(app.http, { login: other.login, password })).nonce).toBeTruthy();
    await page.getByRole('button', { name: 'Delete user' }).click();
    await sure('Delete');
    await heading(page, 'Users').waitFor();
    await page.getByRole('link', { name: 'Activity log' }).click();
    await page.getByRole('row', { name: new RegExp(`Deleted.*${other.login}`) }).waitFor();
    const me = (await page.locator('.rail-user b').textContent()) ?? '';
    await page.goto(`${app.url}/admin/users?search=${me}`);
    await page.getByRole('link', { name: me, exact: true }).click();
    await heading(page, me).waitFor();
    await page.getByText('You cannot delete your own user.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete user' }).count()).toBe(0);
  });

  it('issues a licence of the first product while the products are still loading', async () => {
    const page = await openSignedIn('/');
    const loading = Promise.withResolvers<void>();
    await page.route('**/products', async (route) => {
      await loading.promise;
      await route.continue();
    });
    await page.goto(`${app.url}/admin/licences/new`);
    await page.getByLabel('Customer email').fill('early@example.com');
    const waiting = page.locator('button[data-loading]', { hasText: 'Issue the licence' });
    await page.getByRole('button', { name: 'Issue the licence' }).click();
    await waiting.waitFor();
    loading.resolve();
    await page.getByText('Copy it now. It is shown only once.').waitFor();
  });

  it('issues one licence and email if the response is lost and the form is sent again', async () => {
    const page = await openSignedIn('/licences/new');
    const email = 'lost@example.com';
    const submit = async (another: boolean) => {
      if (another) {
        await page.getByRole('button', { name: 'Issue another' }).click();
        expect(await page.getByLabel('Customer email').inputValue()).toBe('');
      }
      await page.getByLabel('Customer email').fill(email);
      await page.getByRole('button', { name: 'Issue the licence' }).click();
    };
    await page.route('**/console/licences', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await submit(false);
    await page.getByText('You can repeat it without changes.').waitFor();
    await page.unroute('**/console/licences');
    await submit(false);
    const key = page.getByRole('textbox', { name: 'Licence key' });
    const shown = await key.inputValue();
    expect((await app.http.site('validate', shown, 'https://lost.example.com')).status).toBe(200);
    const { db } = app.platform.datastore;
    const mails = db.selectFrom('outbox_mails').select('id').where('recipient', '=', email);
    expect(await mails.execute()).toHaveLength(1);
    // The next one is a licence of its own.
    await submit(true);
    await key.waitFor();
    expect(await key.inputValue()).not.toBe(shown);
    expect(await mails.execute()).toHaveLength(2);
  });

  it('issues a licence, shows its key once, and manages it', async () => {
    const page = await openSignedIn('/licences/new');
    await page.getByLabel('Customer email').fill('desk@example.com');
    await page.getByRole('button', { name: 'Issue the licence' }).click();
    await page.getByText('Copy it now. It is shown only once.').waitFor();
    await page.getByText('not sent: no mail server is set. Send the key yourself.').waitFor();
    const key = await page.getByRole('textbox', { name: 'Licence key' }).inputValue();
    expect(await axeFinds(page)).toEqual([]);
    await app.http.site('activate', key, 'https://desk.example.com');
    await page.getByRole('link', { name: 'View licence' }).click();
    await heading(page, /^desk@example.com$/).waitFor();
    expect((await page.content()).includes(key)).toBe(false);

    const sure = (name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await page.getByRole('button', { name: 'Deactivate https://desk.example.com' }).click();
    await sure('Deactivate');
    await page.getByRole('heading', { name: 'Sites: 0 of 3 activations in use' }).waitFor();
    await page.getByRole('button', { name: 'Suspend' }).click();
    await sure('Suspend');
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByRole('button', { name: 'Suspend' }).waitFor();
    await page.getByRole('button', { name: 'Change expiry' }).click();
    await page.getByLabel('Paid until').and(page.locator(':focus')).waitFor();
    await page.getByText('Until the end of this day (UTC)', { exact: true }).waitFor();
    await page.getByLabel('Paid until').fill('2031-05-31');
    await page.getByRole('button', { name: 'Save expiry', exact: true }).click();
    await page.getByText('31 May 2031 (UTC)').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const sites = page.getByRole('textbox', { name: 'Sites' });
    await sites.fill('');
    await page.getByLabel('Grace period (days)').fill('');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter a whole number from 1 to 1,000,000.').waitFor();
    await page.getByText('Enter a whole number from 0 to 365.').waitFor();
    await sites.pressSequentially('5');
    await page.getByLabel('Grace period (days)').pressSequentially('0');
    await page.getByLabel('Notes').fill('Pays by invoice.');
    const [, id = ''] = /licences\/(lic_\w+)/.exec(page.url()) ?? [];
    await editLicence(app.platform, id, { edits: { grace_days: 9 } }, 'test');
    await page.getByRole('button', { name: 'Save changes' }).click();
    const warning = page.getByRole('alert').filter({ hasText: 'Another user' });
    await warning.getByText('grace period of 9 days').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'Sites: 0 of 5 activations in use' }).waitFor();
    await page.getByText('then a grace period of 9 days').waitFor();
    expect(await axeFinds(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change expiry' }).click();
    await page
      .getByText('Until the end of this day (UTC), then a grace period of 9 days', { exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.getByRole('switch', { name: 'Email the new key to the customer' }).waitFor();
    await page.getByRole('button', { name: 'Generate new key' }).click();
    const renewed = await page.getByRole('textbox', { name: 'New licence key' }).inputValue();
    expect((await app.http.site('validate', key, 'https://a.example.com')).status).toBe(404);
    const known = await app.http.site('validate', renewed, 'https://a.example.com');
    expect(known.json).toMatchObject({ valid: true });
    await page.getByRole('button', { name: 'Transfer' }).click();
    await page.getByLabel('Email').fill('heir@example.com');
    await page.getByRole('button', { name: 'Transfer licence', exact: true }).click();
    await heading(page, 'heir@example.com').waitFor();

    await page.goto(`${app.url}/admin/licences/bulk`);
    await page.getByLabel('Table').fill('email\n"bulk-a@example.com');
    await page.getByRole('button', { name: 'Check the table' }).click();
    await page.getByText(/quote.*not closed/i).waitFor();
    await page.getByLabel('Table').fill('email\nbulk-a@example.com\nnobody');
    await page.getByLabel('Last day').fill('2031-05-31');
    await page.getByRole('button', { name: 'Check the table' }).click();
    await page.getByRole('heading', { name: '1 line to correct: no licence issued' }).waitFor();
    const lines = page.getByRole('table', { name: 'Lines' });
    expect(await lines.getByRole('row').filter({ hasText: 'bulk-a@' }).count()).toBe(0);
    await lines.getByText('nobody').waitFor();
    await page
      .getByLabel('Table')
      .fill('email,sites_allowed\nbulk-a@example.com,2\nbulk-b@example.com,');
    await page.getByRole('button', { name: 'Check the table' }).click();
    await lines.getByText('bulk-b@example.com').waitFor();
    await page.getByRole('button', { name: 'Issue 2 licences' }).click();
    await page.getByRole('heading', { name: '2 licences issued' }).waitFor();
    expect(await axeFinds(page)).toEqual([]);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    const saved = readFileSync(await (await saving).path(), 'utf8');
    expect(saved).toMatch(/^email,licence_key,id\r\nbulk-a@example.com,pv_live_\w{32},lic_\w+\r\n/);

    await page.goto(`${app.url}/admin/licences`);
    // A searched licence key is shortened in the URL.
    await page.getByLabel(/^Email, site URL/).fill(renewed);
    await page.waitForURL((url) => url.searchParams.get('search')?.includes('…') ?? false);
    await page.getByRole('link', { name: 'heir@example.com' }).click();
    await page.getByRole('button', { name: 'Revoke permanently' }).click();
    await sure('Revoke');
    await page.getByRole('heading', { name: 'Revoked', exact: true }).waitFor();
    expect(page.url()).not.toContain(renewed);
  });
});
