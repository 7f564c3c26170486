import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DESK, isForEverybody, isForPhones } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { dsarDesk } from '../support/dsar.ts';
import { fill } from '../support/filled.ts';
import { makeLicence } from '../support/makers.ts';
import { makeUser } from '../support/users.ts';

/** Makes a state, and gives what is seen in it. */
type States = Record<string, () => Promise<Locator>>;

const API = '**/wp-json/svc/v1';

describe('What the screens of the console show besides the usual', () => {
  const { app, open, openSignedIn } = useConsole({ PAVIS_DEMO: 'on', PAVIS_CHROMIUM: 'off' });
  const desk = dsarDesk(app);
  let page: Page;
  beforeAll(async () => {
    page = await openSignedIn('/');
  });
  afterEach(async () => {
    // Before what waits is let through: nothing is to come of it.
    await page.goto('about:blank');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  const at = async (screen: string) => {
    await waitingAt(screen);
    await page.locator('h1').waitFor();
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
  };
  /** As `at`, where an answer never comes. */
  const waitingAt = (screen: string) => page.goto(`${app.url}/admin${screen}`);
  const text = (words: string | RegExp) => page.getByText(words).first();
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const press = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: true }).first().click();
  const never = (path: string) => page.route(API + path, () => {});
  const refuse = (path: string, status: number, code: string, message: string) =>
    page.route(API + path, (route) =>
      route.fulfill({ status, json: { code, message, data: { status } } }),
    );

  /** Sees to it that each state is for everybody, and lasts while it is looked at. */
  function areForEverybody(states: States): void {
    it.each(Object.entries(states))('%s', async (_what, make) => {
      await page.setViewportSize(DESK);
      await page.emulateMedia({ colorScheme: 'light' });
      const seen = await make();
      await seen.waitFor();
      await isForEverybody(page);
      expect(await seen.isVisible()).toBe(true);
    });
  }

  describe('while nothing is done yet', () => {
    const empty: [screen: string, words: string][] = [
      ['/', 'Scan the site'],
      ['/scanner', 'No scan yet'],
      ['/consent', 'No visitor has decided yet'],
      ['/consent/figures', 'Consent in figures'],
      ['/scripts', 'No script waits yet'],
      ['/data-map?search=nobody-at-all', 'No such entry'],
      ['/requests', 'Nobody has asked yet'],
      ['/retention?view=holds', 'Nothing is held'],
      ['/retention?view=history', 'Nothing has run yet'],
      ['/licences', 'No licence yet'],
      ['/users?search=nobody-at-all', 'Nobody like that'],
      ['/vendors/999999', 'This could not be loaded'],
    ];
    areForEverybody(
      Object.fromEntries(
        empty.map(([screen, words]) => [
          screen,
          async () => {
            await at(screen);
            return text(words);
          },
        ]),
      ),
    );
  });

  describe('at the door', () => {
    const knock = async (login: string, password: string) => {
      await page.getByLabel('Login').fill(login);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await press('Sign in');
    };
    let inside: Page;
    beforeAll(async () => {
      inside = page;
      page = (await open('/vendors')).page;
    });
    afterAll(() => {
      page = inside;
    });
    areForEverybody({
      'before anybody has signed in': async () => {
        await at('/vendors');
        return text('Please sign in');
      },
      'with a password that is shown': async () => {
        await at('/sign-in');
        await page.getByLabel('Password', { exact: true }).fill('a long one');
        await press('Show the password');
        return page.locator('input[name=password][type=text]');
      },
      'with a wrong password': async () => {
        await at('/sign-in');
        await knock('nobody', 'wrong');
        return text('is not right');
      },
      'while it is looked at': async () => {
        await at('/sign-in');
        await page.route('**/console/session', () => {});
        await knock('nobody', 'wrong');
        return page.locator('button[data-loading]');
      },
      'after too many tries': async () => {
        for (let tries = 0; tries < 10; tries += 1) {
          await app.http.post('/console/session', { body: { login: 'nobody', password: 'wrong' } });
        }
        await at('/sign-in');
        await knock('nobody', 'wrong');
        return text('Too many failed attempts');
      },
      'for somebody who is no administrator': async () => {
        app.clock.advance(16 * 60_000);
        const { login, password } = await makeUser(app.platform, 'editor');
        await at('/sign-in');
        await knock(login, password);
        return text('Not for this account');
      },
      'when the session is over': async () => {
        await at('/profile');
        await page.context().clearCookies();
        await page.reload();
        return text('Please sign in');
      },
      'while nobody knows yet who comes': async () => {
        await page.route('**/console/session', () => {});
        await waitingAt('/');
        return text('Loading');
      },
      'when the server cannot say who comes': async () => {
        await page.route('**/console/session', (route) => route.abort());
        await waitingAt('/');
        return text('The server does not answer');
      },
    });
  });

  it('goes on by itself where it stopped, once the server is back', async () => {
    await page.route('**/console/session', (route) => route.abort());
    await waitingAt('/vendors');
    await text('The server does not answer').waitFor();
    await page.unrouteAll();
    await press('Try again');
    await page.getByRole('heading', { level: 1, name: 'Vendors' }).waitFor();
  });

  it('goes on where a screen could not be fetched, once the server is back', async () => {
    await page.route('**/assets/vendors-*.js', (route) => route.abort());
    await waitingAt('/vendors');
    await text('Something went wrong').waitFor();
    await page.unrouteAll();
    await press('Try again');
    await page.getByRole('heading', { level: 1, name: 'Vendors' }).waitFor();
  });

  it('says so at once when there is no network, and saves when it is back', async () => {
    const away = await openSignedIn('/vendors/1');
    const save = away.getByRole('button', { name: 'Save changes' });
    await save.waitFor();
    await away.context().setOffline(true);
    await save.click();
    await away.getByText('The server does not answer').waitFor();
    await away.context().setOffline(false);
    await save.click();
    await away.getByText('The changes were saved.').waitFor();
    await away.context().close();
  });

  describe('while answers are on their way, or do not come', () => {
    areForEverybody({
      'a list that is waited for': async () => {
        await never('/vendors?*');
        await waitingAt('/vendors');
        return page.locator('[aria-busy=true]');
      },
      'a form that is waited for': async () => {
        await never('/vendors/1');
        await waitingAt('/vendors/1');
        return page.locator('[aria-busy=true]');
      },
      'an overview that is waited for': async () => {
        await never('/**');
        await waitingAt('/');
        return page.locator('[aria-busy=true]').first();
      },
      'a button that is at work': async () => {
        await at('/vendors/new');
        await never('/vendors');
        await field('Name').fill('Heron Post');
        await press('Add vendor');
        return page.locator('button[data-loading]');
      },
      'a list that the server cannot give': async () => {
        await refuse('/vendors?*', 500, 'internal_error', 'Something went wrong on our side.');
        await waitingAt('/vendors');
        return text('This could not be loaded');
      },
      'an overview that the server cannot give': async () => {
        await refuse('/**', 500, 'internal_error', 'Something went wrong on our side.');
        await waitingAt('/');
        return text('This could not be loaded');
      },
      'a change that the server cannot make': async () => {
        await at('/vendors/new');
        await refuse('/vendors', 500, 'internal_error', 'Something went wrong on our side.');
        await field('Name').fill('Heron Post');
        await press('Add vendor');
        const complaint = page.getByRole('alert').filter({ hasText: 'That did not work' });
        await complaint.hover();
        return complaint;
      },
      'a screen whose script does not come': async () => {
        await page.route('**/assets/vendors-*.js', (route) => route.abort());
        await waitingAt('/vendors');
        return text('Pavis may have been updated');
      },
    });
  });

  describe('in use', () => {
    let licence: string;
    let request: number;
    let scan: number;
    let other: number;
    beforeAll(async () => {
      ({ licence, request } = await fill(app));
      const started = await desk.admin('POST', '/scanner/start', { scan_depth: 1 });
      scan = started.json.scan_id;
      ({ id: other } = await makeUser(app.platform, 'editor'));
    }, 60_000);

    const dialogs: [screen: () => string, button: string | RegExp][] = [
      [() => '/retention/1', 'Delete'],
      [() => `/requests/${request}`, 'Delete this request'],
      [() => '/retention?view=holds', /^Lift the hold/],
      [() => `/licences/${licence}`, 'Revoke for good'],
      [() => `/licences/${licence}`, 'Suspend'],
      [() => `/users/${other}`, 'Reset the password'],
      [() => `/users/${other}`, 'Delete this user'],
      [() => '/profile', 'Sign out everywhere'],
      [() => '/banner?language=de', 'Take out German'],
    ];
    areForEverybody(
      Object.fromEntries(
        dialogs.map(([screen, button]) => [
          `a question: ${button}`,
          async () => {
            await at(screen());
            await press(button);
            return page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
          },
        ]),
      ),
    );

    areForEverybody({
      'a licence that is over': async () => {
        const expiresAt = app.clock.now() - 1;
        await at(`/licences/${(await makeLicence(app.platform, { expiresAt })).id}`);
        return text('Expired').first();
      },
      'a licence that was revoked': async () => {
        const { id } = await makeLicence(app.platform);
        const headers = await desk.headers();
        await app.http.post(`/console/licences/${id}/revoke`, { headers, body: {} });
        await at(`/licences/${id}`);
        return text('Revoked').first();
      },
    });

    it('a question can be answered at four times the size, wherever its buttons are', async () => {
      await page.setViewportSize({ width: 320, height: 256 });
      await at(`/licences/${licence}`);
      await press('Revoke for good');
      for (const button of await page.getByRole('dialog').getByRole('button').all()) {
        await button.scrollIntoViewIfNeeded();
        const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
        expect(y).toBeGreaterThanOrEqual(0);
        expect(y + height).toBeLessThanOrEqual(256);
      }
    });

    it('the menu of a phone', async () => {
      await page.setViewportSize({ width: 360, height: 800 });
      await at('/');
      await press('Menu');
      await page.getByRole('dialog').getByRole('link', { name: 'Vendors' }).waitFor();
      await isForPhones(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
      page = await openSignedIn('/');
    });

    const wrong: [screen: string, save: string, words: string][] = [
      ['/vendors/new', 'Add vendor', 'Please give it a name.'],
      ['/data-map/new', 'Add entry', 'Please choose who processes the data.'],
      ['/scripts/new', 'Add script', 'An http or https address.'],
      ['/retention/new', 'Add policy', 'Please choose what it is about.'],
      ['/retention?view=holds', 'Hold', 'Please say why it must be kept.'],
      ['/licences/new', 'Issue the licence', 'Please give an e-mail address.'],
      ['/users/new', 'Add user', 'Letters, digits,'],
      ['/profile', 'Change the password', 'Please give the one you have.'],
      ['/profile', 'Create a password', 'Please say what it is for.'],
    ];
    areForEverybody(
      Object.fromEntries(
        wrong.map(([screen, save, words]) => [
          `a form that is not filled in: ${save}`,
          async () => {
            await at(screen);
            await press(save);
            return text(words);
          },
        ]),
      ),
    );

    areForEverybody({
      'a form that the server refuses beside a field': async () => {
        await at('/vendors/new');
        await field('Name').fill('Another Matomo');
        await field('Slug').fill('matomo');
        await press('Add vendor');
        return page.locator('[aria-invalid=true]');
      },
      'a form that is saved': async () => {
        await at('/vendors/1');
        await press('Save changes');
        const said = page.getByRole('alert').filter({ hasText: 'saved' });
        await said.hover();
        return said;
      },
      'a banner without a title, with a category that has no name': async () => {
        await at('/banner');
        await field('Title').fill('');
        await press('Add a category');
        await press('Save and ask this');
        return text('Please say what it is about.');
      },
      'a banner that is off, in a new language': async () => {
        await at('/banner');
        await page.getByRole('switch', { name: 'Ask visitors' }).press('Space');
        await page.getByLabel('Another language').selectOption('ar');
        await press('Add');
        return text('The banner is off.');
      },
      'versions of the banner side by side': async () => {
        await desk.admin('PUT', '/settings', { consent: { title: 'Your choice' } });
        await at('/banner/versions');
        return page.locator('ins').first();
      },
      'a scan that goes on': async () => {
        let looked = 0;
        // The third page and those after it are looked at for ever.
        await page.route(`${API}/scanner/scan-page`, (route) => {
          looked += 1;
          if (looked <= 2) return route.continue();
        });
        await page.goto(`${app.url}/admin/scanner/${scan}`);
        await press('Continue');
        await page.getByText('✓').nth(1).waitFor();
        return page.getByRole('progressbar');
      },
      'a scan that is being stopped': async () => {
        await page.route(`${API}/scanner/scan-page`, () => {});
        await page.goto(`${app.url}/admin/scanner/${scan}`);
        await press('Continue');
        await press('Stop');
        return text('Stopping…');
      },
      'a scan that failed': async () => {
        await refuse('/scanner/scan-page', 503, 'unavailable', 'The browser could not be started.');
        await page.goto(`${app.url}/admin/scanner/${scan}`);
        await press('Continue');
        return text('The browser could not be started.');
      },
      'a scan of a site that is away': async () => {
        const message = 'The site https://example.com cannot be reached.';
        await refuse('/scanner/start', 502, 'site_unreachable', message);
        await at('/scanner');
        await press('Start');
        return text(message);
      },
      'a scan that is not complete, among the others': async () => {
        await at('/scanner');
        return text('Unfinished');
      },
      'findings that nothing fits': async () => {
        await at('/scanner/1?view=findings&search=nobody-at-all');
        return text('Nothing like that was found');
      },
      'a dry run, and the run itself': async () => {
        await at('/retention?view=run');
        await press('Dry run');
        await page.getByRole('table', { name: /^Dry run/ }).waitFor();
        await press('Run for real');
        await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click();
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        return page.getByRole('table', { name: /^Real run/ });
      },
      'a request that is being refused': async () => {
        await at(`/requests/${request}`);
        await press('Refuse');
        return page.getByLabel('Ground');
      },
      'a source that is being left out': async () => {
        await at(`/requests/${request}`);
        await press(/^Leave out: /);
        return page.getByRole('textbox', { name: /is left out$/ });
      },
      'a request that is late, with a source and a mail that failed': async () => {
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
        await text('Past').waitFor();
        await text('Send again').waitFor();
        return text('Try again');
      },
      'an overview on which much needs attention': async () => {
        await at('/');
        await text('A mail about request').waitFor();
        return text('1 request past the deadline');
      },
      'a request that is over': async () => {
        const over = await desk.request({ request_type: 'deletion' });
        await desk.admin('PUT', `/dsar/cases/${over.id}`, { status: 'withdrawn' });
        await at(`/requests/${over.id}`);
        await press('Open it again');
        return page.getByLabel('Reason');
      },
      'a licence whose end is being moved': async () => {
        await at(`/licences/${licence}`);
        await press('Move its end');
        await page.getByRole('switch', { name: 'Without an end' }).press('Space');
        return page.getByLabel('Last day');
      },
      'a licence that goes to another customer': async () => {
        await at(`/licences/${licence}`);
        await press('Give it to another customer');
        return page.getByLabel('E-mail');
      },
      'a licence with a new key': async () => {
        await at(`/licences/${licence}`);
        await press('Give it a new key');
        await press('Make a new key');
        return page.getByRole('textbox', { name: 'New licence key' });
      },
      'a licence that is suspended': async () => {
        await at(`/licences/${licence}`);
        await press('Suspend');
        await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
        return page.getByRole('button', { name: 'Reinstate' });
      },
      'a password that is shown once': async () => {
        await at('/profile');
        await field('For what').fill('backup');
        await press('Create a password');
        return page.getByRole('textbox', { name: 'Application password “backup”' });
      },
      'the licence of the site, and a key that is none': async () => {
        const { key } = await makeLicence(app.platform);
        await desk.admin('POST', '/licence', { key });
        await at('/system');
        await page.getByLabel('Another key').fill('pv_live_none');
        await press('Save');
        await page.getByRole('alert').hover();
        return page.getByRole('alert');
      },
    });
  });
});
