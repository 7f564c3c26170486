import { beforeAll, describe, expect, it } from 'vitest';
import { isForPhones } from '../support/accessible.ts';
import { fill } from '../support/filled.ts';
import { useStates } from '../support/states.ts';
import { makeUser } from '../support/users.ts';

describe('Dialogs and form errors of the console', () => {
  const on = useStates();
  const { app, at, text, field, press, areForEverybody } = on;
  let licence: string;
  let request: number;
  let other: number;
  beforeAll(async () => {
    ({ licence, request } = await fill(app));
    ({ id: other } = await makeUser(app.platform, 'editor'));
  });

  const dialogs: [screen: () => string, button: string | RegExp][] = [
    [() => '/retention/1', 'Delete'],
    [() => `/requests/${request}`, 'Delete request'],
    [() => '/retention?view=holds', /^Release hold/],
    [() => `/licences/${licence}`, 'Revoke permanently'],
    [() => `/licences/${licence}`, 'Suspend'],
    [() => `/users/${other}`, 'Reset password'],
    [() => `/users/${other}`, 'Delete user'],
    [() => '/profile', 'Sign out everywhere'],
    [() => '/banner?language=de', 'Remove German'],
  ];
  areForEverybody(
    Object.fromEntries(
      dialogs.map(([screen, button]) => [
        `a confirmation dialog: ${button}`,
        async () => {
          await at(screen());
          await press(button);
          return on.page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
        },
      ]),
    ),
  );

  it('shows all buttons of a dialog at 400 % zoom', async () => {
    await on.page.setViewportSize({ width: 320, height: 256 });
    await at(`/licences/${licence}`);
    await press('Revoke permanently');
    const dialog = on.page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel' }).waitFor();
    for (const button of await dialog.getByRole('button').all()) {
      await button.scrollIntoViewIfNeeded();
      const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(256);
    }
  });

  it('shows an accessible menu on a phone', async () => {
    await on.page.setViewportSize({ width: 360, height: 800 });
    await at('/');
    await press('Menu');
    await on.page.getByRole('dialog').getByRole('link', { name: 'Vendors' }).waitFor();
    await isForPhones(on.page);
    await on.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await on.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
    on.page = await on.openSignedIn('/');
  });

  const wrong: [screen: string, save: string, words: string][] = [
    ['/vendors/new', 'Add vendor', 'Enter a name.'],
    ['/data-map/new', 'Add entry', 'Select a vendor.'],
    ['/scripts/new', 'Add script', 'Enter an http or https URL.'],
    ['/retention/new', 'Add policy', 'Select a type of record.'],
    ['/retention?view=holds', 'Hold all records', 'Enter a reason.'],
    ['/licences/new', 'Issue the licence', 'Enter an email address, for example ada@example.com.'],
    ['/users/new', 'Add user', 'Letters, digits,'],
    ['/profile', 'Change password', 'Enter your current password.'],
    ['/profile', 'Create application password', 'Enter a name, for example Backup script.'],
  ];
  areForEverybody(
    Object.fromEntries(
      wrong.map(([screen, save, words]) => [
        `a form with missing or invalid values: ${save}`,
        async () => {
          await at(screen);
          await press(save);
          return text(words);
        },
      ]),
    ),
  );

  areForEverybody({
    'a form with a server error beside a field': async () => {
      await at('/vendors/new');
      await field('Name').fill('Another Matomo');
      await field('Slug').fill('matomo');
      await press('Add vendor');
      return on.page.locator('[aria-invalid=true]');
    },
    'a saved form': async () => {
      await at('/vendors/1');
      await press('Save changes');
      return on.message('saved');
    },
  });
});
