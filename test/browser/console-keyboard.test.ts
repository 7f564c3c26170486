import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { makeUser } from '../support/users.ts';

const PHONE = { viewport: { width: 390, height: 800 } };

describe('Keyboard-only use of the console', () => {
  const { app, open, openSignedIn, heading } = useConsole({
    PAVIS_DEMO: 'on',
    PAVIS_CHROMIUM: 'off',
  });

  it('signs in after a wrong password, skips the navigation and signs out', async () => {
    const { login, password } = await makeUser(app.platform);
    const { page } = await open('/');
    const keys = atKeyboard(page);
    const secret = page.getByLabel('Password', { exact: true });
    await keys.type(page.getByLabel('Login'), login);
    await keys.type(secret, 'a guess');
    await page.keyboard.press('Enter');
    await keys.sees(page.getByRole('alert'));
    await keys.tabTo(secret);
    await keys.type(secret, password);
    await keys.press(keys.button('Show the password'), 'Space');
    await keys.press(keys.button('Sign in'));
    await keys.isAt(heading(page, 'Overview'));
    await keys.tabTo(keys.link('Skip to content'));
    await page.keyboard.press('Enter');
    await keys.isAt(page.getByRole('main'));
    await page.keyboard.press('Tab');
    await keys.isAt(page.getByRole('main').locator('a, button').first());
    await keys.press(keys.button(/^Use .* colours$/));
    await keys.isAt(keys.button(/^Use .* colours$/));
    await keys.press(keys.button('Sign out'));
    await keys.sees(heading(page, 'Sign in'));
  });

  it('starts at the skip link after a load, with the current page in view in the navigation', async () => {
    const page = await openSignedIn('/developer');
    await page.setViewportSize({ width: 1366, height: 500 });
    await page.reload();
    await heading(page, 'Developer').waitFor();
    const link = page.getByRole('link', { name: 'Developer', exact: true });
    await expect
      .poll(async () => {
        const box = await link.boundingBox();
        return box && box.y > 0 && box.y + box.height <= 500;
      })
      .toBe(true);
    await page.keyboard.press('Tab');
    await atKeyboard(page).isAt(page.getByRole('link', { name: 'Skip to content' }));
  });

  it.each(['loading', 'off'])(
    'keeps the focus on a button that is %s for at most one frame',
    async (state) => {
      const page = await openSignedIn('/');
      const keys = atKeyboard(page);
      const button = keys.button('Sign out');
      await keys.tabTo(button);
      await page.evaluate(`new Promise((done) => {
      const button = document.activeElement;
      requestAnimationFrame(() => {
        requestAnimationFrame(() => {
          button.disabled = false;
          delete button.dataset.${state};
          done();
        });
        button.disabled = true;
        button.dataset.${state} = 'true';
      });
    })`);
      await keys.sees(button);
      await keys.isAt(button);
    },
  );

  it('keeps the focus on a button that is loading while no frames are drawn', async () => {
    const page = await openSignedIn('/');
    const keys = atKeyboard(page);
    const button = keys.button('Sign out');
    await keys.tabTo(button);
    await page.evaluate(`new Promise((done) => {
      const button = document.activeElement;
      window.requestAnimationFrame = () => 0;
      button.addEventListener('focusout', () => setTimeout(() => {
        button.disabled = false;
        delete button.dataset.loading;
        done();
      }));
      button.disabled = true;
      button.dataset.loading = 'true';
    })`);
    await keys.isAt(button);
  });

  it('moves the focus from a button that stays off after it was loading', async () => {
    const page = await openSignedIn('/');
    const keys = atKeyboard(page);
    await keys.tabTo(keys.button('Sign out'));
    await page.evaluate(`new Promise((done) => {
      const button = document.activeElement;
      button.addEventListener('focusout', () => setTimeout(done, 1_000));
      button.disabled = true;
      button.dataset.loading = 'true';
    })`);
    await page.evaluate(`delete document.querySelector('[data-loading]').dataset.loading`);
    await keys.sees(heading(page, 'Overview'));
  });

  it('returns the focus from the phone menu to its button, or moves it to the opened page', async () => {
    const page = await openSignedIn('/', PHONE);
    const keys = atKeyboard(page);
    const menu = keys.button('Menu');
    const dialog = page.getByRole('dialog');
    const openMenu = async () => {
      await keys.press(menu);
      // The dialog takes the focus, once more after it is drawn.
      await keys.sees(dialog.locator(':focus'));
    };
    await openMenu();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await keys.isAt(menu);
    await openMenu();
    await keys.press(dialog.getByRole('link', { name: 'Vendors' }));
    await heading(page, 'Vendors').waitFor();
    await dialog.waitFor({ state: 'hidden' });
    await keys.sees(heading(page, 'Vendors'));
    await keys.isAt(heading(page, 'Vendors'));
    await openMenu();
    await keys.press(dialog.getByRole('link', { name: 'Vendors' }));
    await dialog.waitFor({ state: 'hidden' });
    await keys.isAt(menu);
  });

  it('scans the site, and blocks what loads before consent', async () => {
    const page = await openSignedIn('/');
    const keys = atKeyboard(page);
    await keys.press(keys.link('Scanner'));
    await keys.isAt(heading(page, 'Scanner'));
    await keys.press(keys.button('New scan'));
    await keys.sure('Start scan');
    await keys.isAt(heading(page, /^Scan of/));
    await keys.link(/^Findings/).waitFor({ timeout: 60_000 });
    await keys.press(keys.link(/^Findings/));
    await keys.press(keys.button(/^Block until consent/).first());
    await keys.sees(/is blocked until consent\./);
    const blocked = page.getByRole('row').filter({ hasText: 'Blocked' });
    await keys.choose(
      blocked.getByRole('button', { name: /^More actions/ }).first(),
      'View in script registry',
    );
    await keys.sees(page.getByLabel('Handle'));
  });

  it('cancels, continues and deletes a scan', async () => {
    // Another process is scanning the site, so the next scan stays in the queue.
    const dsarClient = createDsarClient(app);
    const { json: other } = await dsarClient.admin('POST', '/scanner/start', { scan_depth: 0 });
    const { db } = app.platform.datastore;
    const leased = (until: number) =>
      db
        .updateTable('scans')
        .set({ runner: 'command', lease_holder: 'another', leased_until: until })
        .where('id', '=', other.scan_id)
        .execute();
    await leased(app.clock.now() + 60_000);
    const page = await openSignedIn('/scanner');
    const keys = atKeyboard(page);
    await keys.press(keys.button('New scan'));
    await keys.type(page.getByLabel('Crawl depth'), '2');
    await keys.sure('Start scan');
    await keys.press(keys.button('Cancel scan'));
    await keys.sees('Scan cancelled');
    await leased(0);
    await keys.press(keys.button('Try again'));
    await keys.link(/^Vendors \([1-9]/).waitFor({ timeout: 60_000 });
    await keys.press(keys.button('Delete scan'));
    await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }));
    await keys.sees('The scan was deleted.');
    await keys.isAt(heading(page, 'Scanner'));
  });

  it('reviews the results of a scan, and adds vendors and data map entries from them', async () => {
    const dsarClient = createDsarClient(app);
    for (let scans = 0; scans < 2; scans += 1) {
      const { json: scan } = await dsarClient.admin('POST', '/scanner/start', { scan_depth: 1 });
      for (const url of scan.urls)
        await dsarClient.admin('POST', '/scanner/scan-page', { scan_id: scan.scan_id, url });
      await dsarClient.admin('POST', '/scanner/complete', { scan_id: scan.scan_id });
    }
    const page = await openSignedIn('/scanner');
    const keys = atKeyboard(page);
    await keys.press(page.getByRole('table', { name: 'Scans' }).getByRole('link'));
    await keys.isAt(heading(page, /^Scan of/));
    await keys.press(keys.link(/^Vendors \(/));

    const found = page.getByRole('table', { name: 'Vendors found' });
    await keys.press(found.getByRole('button', { name: /^Add .* to the data map$/ }).first());
    await keys.sees('1 entry added to the data map.');
    await keys.press(keys.button(/^Add (all )?to the data map$/));
    await page.getByText('not in the data map yet').waitFor({ state: 'hidden' });
    await keys.sees(found);

    await keys.press(keys.link(/^Findings/));
    await keys.isAt(keys.link(/^Findings/));
    await keys.type(page.getByLabel('Type'), 'Cookie');
    await keys.type(page.getByLabel('Status'), 'Loaded');
    await keys.type(page.getByRole('searchbox', { name: 'Search' }), 'nothing is called so');
    await keys.press(keys.button('Clear filters'));
    await keys.sees(page.getByRole('table', { name: 'Findings' }));

    await keys.press(keys.link(/^Unrecognised domains/));
    await keys.press(keys.link(/^Assign vendor/).first());
    await keys.isAt(heading(page, 'New vendor'));
    await keys.press(keys.button('Add vendor'));
    await keys.sees(/^The vendor was added\. The next scan assigns .+ to it\.$/);
    await keys.isAt(heading(page, /^Scan of/));

    await keys.press(keys.link(/^Pages/));
    await keys.press(page.getByRole('table', { name: 'Pages' }).getByRole('link').first());
    await keys.sees(page.getByRole('table', { name: 'Findings' }));

    await keys.press(keys.link('Changes'));
    const other = page.getByLabel('Compare with');
    await keys.tabTo(other);
    await page.keyboard.press('ArrowDown');
    await keys.sees(/unchanged\.$/);
    await keys.isAt(other);
  });

  it('keeps the scroll position when a mouse click moves the focus', async () => {
    const page = await openSignedIn('/banner');
    await page.getByLabel('Title').fill('Something else');
    await page.getByLabel(/^Description of category 4/).scrollIntoViewIfNeeded();
    const top = () => page.evaluate<number>('scrollY');
    const before = await top();
    expect(before).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByLabel('Title').and(page.locator(':focus')).waitFor();
    expect(await top()).toBe(before);
  });
});
