import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { useStates } from '../support/states.ts';
import { makeUser } from '../support/users.ts';

describe('What the console shows before there is anything to show', () => {
  const on = useStates();
  const { app, at, waitingAt, text, field, press, never, refuse, areForEverybody } = on;

  describe('while nothing is done yet', () => {
    const empty: [screen: string, words: string][] = [
      // Before anything has made a version of what is asked.
      ['/banner/versions', 'No published versions yet'],
      ['/', 'Scan the site'],
      ['/scanner', 'No scans yet'],
      ['/consent', 'No consent records yet'],
      ['/consent/figures', 'Consent statistics'],
      ['/scripts', 'No scripts yet'],
      ['/data-map?search=nobody-at-all', 'No such entry'],
      ['/requests', 'No requests yet'],
      ['/retention?view=holds', 'No legal holds'],
      ['/retention?view=history', 'No runs yet'],
      ['/licences', 'No licences yet'],
      ['/users?search=nobody-at-all', 'No users found'],
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
      await on.page.getByLabel('Login').fill(login);
      await on.page.getByLabel('Password', { exact: true }).fill(password);
      await press('Sign in');
    };
    let inside: Page;
    beforeAll(async () => {
      inside = on.page;
      on.page = (await on.open('/vendors')).page;
    });
    afterAll(() => {
      on.page = inside;
    });
    areForEverybody({
      'before anybody has signed in': async () => {
        await at('/vendors');
        return text('Please sign in');
      },
      'with a password that is shown': async () => {
        await at('/sign-in');
        await on.page.getByLabel('Password', { exact: true }).fill('a long one');
        await press('Show the password');
        return on.page.locator('input[name=password][type=text]');
      },
      'with a wrong password': async () => {
        await at('/sign-in');
        await knock('nobody', 'wrong');
        return text('is not right');
      },
      'while it is looked at': async () => {
        await at('/sign-in');
        await on.page.route('**/console/session', () => {});
        await knock('nobody', 'wrong');
        return on.page.locator('button[data-loading]');
      },
      'after too many tries': async () => {
        for (let tries = 0; tries < 10; tries += 1) {
          await app.http.post('/console/session', { body: { login: 'nobody', password: 'wrong' } });
        }
        await at('/sign-in');
        await knock('nobody', 'wrong');
        return text('Too many failed sign-ins');
      },
      'for somebody whose role does not include the screen': async () => {
        app.clock.advance(16 * 60_000);
        const { login, password } = await makeUser(app.platform, 'viewer');
        await at('/sign-in?next=/admin/requests');
        await knock(login, password);
        return text('Your role does not include this page');
      },
      'when the session is over': async () => {
        await at('/profile');
        await on.page.context().clearCookies();
        await on.page.reload();
        return text('Please sign in');
      },
      'while nobody knows yet who comes': async () => {
        await on.page.route('**/console/session', () => {});
        await waitingAt('/');
        return text('Loading');
      },
      'when the server cannot say who comes': async () => {
        await on.page.route('**/console/session', (route) => route.abort());
        await waitingAt('/');
        return text('The server does not answer');
      },
    });
  });

  it('goes on by itself where it stopped, once the server is back', async () => {
    await on.page.route('**/console/session', (route) => route.abort());
    await waitingAt('/vendors');
    await text('The server does not answer').waitFor();
    await on.page.unrouteAll();
    await press('Try again');
    await on.page.getByRole('heading', { level: 1, name: 'Vendors' }).waitFor();
  });

  it('goes on where a screen could not be fetched, once the server is back', async () => {
    await on.page.route('**/assets/vendors-*.js', (route) => route.abort());
    await waitingAt('/vendors');
    await text('Something went wrong').waitFor();
    await on.page.unrouteAll();
    await press('Try again');
    await on.page.getByRole('heading', { level: 1, name: 'Vendors' }).waitFor();
  });

  it('says so at once when there is no network, and saves when it is back', async () => {
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

  describe('while answers are on their way, or do not come', () => {
    areForEverybody({
      'a list that is waited for': async () => {
        await never('/vendors?*');
        await waitingAt('/vendors');
        return on.page.locator('[aria-busy=true]');
      },
      'a form that is waited for': async () => {
        await never('/vendors/1');
        await waitingAt('/vendors/1');
        return on.page.locator('[aria-busy=true]');
      },
      'an overview that is waited for': async () => {
        await never('/**');
        await waitingAt('/');
        return on.page.locator('[aria-busy=true]').first();
      },
      'a button that is at work': async () => {
        await at('/vendors/new');
        await never('/vendors');
        await field('Name').fill('Heron Post');
        await press('Add vendor');
        return on.page.locator('button[data-loading]');
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
        const complaint = on.page.getByRole('alert').filter({ hasText: 'Action failed' });
        await complaint.hover();
        return complaint;
      },
      'a screen whose script does not come': async () => {
        await on.page.route('**/assets/vendors-*.js', (route) => route.abort());
        await waitingAt('/vendors');
        return text('Pavis may have been updated');
      },
    });
  });
});
