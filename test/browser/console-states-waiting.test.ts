import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { useStates } from '../support/states.ts';
import { makeUser } from '../support/users.ts';

describe('Empty, loading and failed states of the console', () => {
  const on = useStates();
  const { app, at, waitingAt, text, field, press, never, refuse, areForEverybody } = on;

  describe('without data', () => {
    const empty: [screen: string, words: string][] = [
      // Before a request creates the first version.
      ['/banner/versions', 'No published versions yet'],
      ['/', 'Scan the site'],
      ['/scanner', 'No scans yet'],
      ['/consent', 'No consent records yet'],
      ['/consent/figures', 'Consent statistics'],
      ['/consent/log', 'No entries yet'],
      ['/scripts', 'No scripts yet'],
      ['/data-map?search=nobody-at-all', 'No matching entries'],
      ['/requests', 'No requests yet'],
      ['/retention?view=holds', 'No legal holds'],
      ['/retention?view=history', 'No runs yet'],
      ['/licences', 'No licences yet'],
      ['/users?search=nobody-at-all', 'No users found'],
      ['/vendors/999999', 'It may have been deleted.'],
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

  describe('at the sign-in page', () => {
    const signIn = async (login: string, password: string) => {
      await on.page.getByLabel('Login').fill(login);
      await on.page.getByLabel('Password', { exact: true }).fill(password);
      await press('Sign in');
    };
    let signedIn: Page;
    beforeAll(async () => {
      signedIn = on.page;
      on.page = (await on.open('/vendors')).page;
    });
    afterAll(() => {
      on.page = signedIn;
    });
    areForEverybody({
      'before sign-in': async () => {
        await at('/vendors');
        return text('Sign in to continue.');
      },
      'with a password that is shown': async () => {
        await at('/sign-in');
        await on.page.getByLabel('Password', { exact: true }).fill('a long one');
        await press('Show the password');
        return on.page.locator('input[name=password][type=text]');
      },
      'with a wrong password': async () => {
        await at('/sign-in');
        await signIn('nobody', 'wrong');
        return text('The login or the password is wrong.');
      },
      'while the password is checked': async () => {
        await at('/sign-in');
        await on.page.route('**/console/session', () => {});
        await signIn('nobody', 'wrong');
        return on.page.locator('button[data-loading]');
      },
      'after too many failed sign-ins': async () => {
        for (let tries = 0; tries < 10; tries += 1) {
          await app.http.post('/console/session', { body: { login: 'nobody', password: 'wrong' } });
        }
        await at('/sign-in');
        await signIn('nobody', 'wrong');
        return text('Too many failed sign-ins');
      },
      'for a user whose role does not include the page': async () => {
        app.clock.advance(16 * 60_000);
        const { login, password } = await makeUser(app.platform, 'viewer');
        await at('/sign-in?next=/admin/requests');
        await signIn(login, password);
        return text('Your role does not include this page');
      },
      'when the session has expired': async () => {
        await at('/profile');
        await on.page.context().clearCookies();
        await on.page.reload();
        return text('Sign in to continue.');
      },
      'while the session is loading': async () => {
        await on.page.route('**/console/session', () => {});
        await waitingAt('/');
        return text('Loading');
      },
      'when the session cannot be loaded': async () => {
        await on.page.route('**/console/session', (route) => route.abort());
        await waitingAt('/');
        return text('The server does not answer');
      },
    });
  });

  it('continues on the same page once the server is back', async () => {
    await on.page.route('**/console/session', (route) => route.abort());
    await waitingAt('/vendors');
    await text('The server does not answer').waitFor();
    await on.page.unrouteAll();
    await press('Try again');
    await on.page.getByRole('heading', { level: 1, name: 'Vendors' }).waitFor();
  });

  it('loads the script of a page again once the server is back', async () => {
    await on.page.route('**/assets/vendors-*.js', (route) => route.abort());
    await waitingAt('/vendors');
    await text('Something went wrong').waitFor();
    await on.page.unrouteAll();
    await press('Try again');
    await on.page.getByRole('heading', { level: 1, name: 'Vendors' }).waitFor();
  });

  it('reports at once that there is no network, and saves when it is back', async () => {
    const away = await on.openSignedIn('/vendors/1');
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

  describe('while responses are pending or fail', () => {
    areForEverybody({
      'a list that is loading': async () => {
        await never('/vendors?*');
        await waitingAt('/vendors');
        return on.page.locator('[aria-busy=true]');
      },
      'a form that is loading': async () => {
        await never('/vendors/1');
        await waitingAt('/vendors/1');
        return on.page.locator('[aria-busy=true]');
      },
      'an overview that is loading': async () => {
        await never('/**');
        await waitingAt('/');
        return on.page.locator('[aria-busy=true]').first();
      },
      'a button that is busy': async () => {
        await at('/vendors/new');
        await never('/vendors');
        await field('Name').fill('Heron Post');
        await press('Add vendor');
        return on.page.locator('button[data-loading]');
      },
      'a list that cannot be loaded': async () => {
        await refuse('/vendors?*', 500, 'internal_error', 'Something went wrong on our side.');
        await waitingAt('/vendors');
        return text('This could not be loaded');
      },
      'an overview that cannot be loaded': async () => {
        await refuse('/**', 500, 'internal_error', 'Something went wrong on our side.');
        await waitingAt('/');
        return text('This could not be loaded');
      },
      'a change that fails on the server': async () => {
        await at('/vendors/new');
        await refuse('/vendors', 500, 'internal_error', 'Something went wrong on our side.');
        await field('Name').fill('Heron Post');
        await press('Add vendor');
        return on.message('Action failed');
      },
      'a page whose script cannot be loaded': async () => {
        await on.page.route('**/assets/vendors-*.js', (route) => route.abort());
        await waitingAt('/vendors');
        return text('Pavis may have been updated');
      },
    });
  });
});
