import { beforeAll, describe } from 'vitest';
import { createDsarClient } from '../support/dsar.ts';
import { makeLicence } from '../support/makers.ts';
import { useStates } from '../support/states.ts';
import { makeUser } from '../support/users.ts';

describe('States of licences and users in the console', () => {
  const on = useStates();
  const { app, at, text, field, press, refuse, areForEverybody } = on;
  const dsarClient = createDsarClient(app);
  let other: number;
  let used: string;
  beforeAll(async () => {
    ({ id: other } = await makeUser(app.platform, 'editor'));
  });

  const change = async (id: string, verb: string) =>
    app.http.post(`/console/licences/${id}/${verb}`, {
      headers: await dsarClient.headers(),
      body: {},
    });
  const issue = async (more: () => Promise<void> = async () => {}) => {
    await at('/licences/new');
    await field('Customer email').fill('ada@example.com');
    await more();
    await press('Issue the licence');
    return on.page.getByRole('textbox', { name: 'Licence key' });
  };

  areForEverybody({
    'a test licence with a grace period and no sites': async () => {
      const { id } = await makeLicence(app.platform, {
        mode: 'test',
        tier: 'agency',
        graceDays: 14,
        developmentSitesFree: true,
        expiresAt: app.clock.now() + 30 * 86_400_000,
      });
      await at(`/licences/${id}`);
      await text('then a grace period of 14 days').waitFor();
      return text('No site has been activated.');
    },
    'a licence with past sites, and the confirmation of a deactivation': async () => {
      const { id, key } = await makeLicence(app.platform);
      used = id;
      const long = `https://${'long-name-'.repeat(5)}.example.com/${'path'.repeat(40)}`;
      await app.http.site('activate', key, long);
      await app.http.site('deactivate', key, long);
      await app.http.site('activate', key, long);
      await at(`/licences/${id}`);
      await press(/^Deactivate/);
      return on.page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    },
    'a deactivated site with a long URL': async () => {
      await at(`/licences/${used}`);
      await press(/^Deactivate/);
      await on.page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
      return on.message('was deactivated');
    },
    'licences in every status': async () => {
      await change((await makeLicence(app.platform)).id, 'suspend');
      await change((await makeLicence(app.platform)).id, 'revoke');
      await makeLicence(app.platform, { expiresAt: app.clock.now() - 1 });
      await at('/licences');
      for (const status of ['Suspended', 'Revoked', 'Expired']) {
        await on.page.locator('.mantine-Badge-root', { hasText: status }).first().waitFor();
      }
      return on.page.locator('.mantine-Badge-root', { hasText: 'Active' }).first();
    },
    'a licence that was just issued, and is emailed': () => issue(),
    'a licence that was just issued without expiry, and is not emailed': async () => {
      await issue(async () => {
        await on.page.getByRole('switch', { name: 'No expiry' }).press('Space');
        await on.page.getByRole('switch', { name: 'Email the key to the customer' }).press('Space');
      });
      return text('The customer does not receive it by email.');
    },
    'a key that was copied': async () => {
      await on.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await issue();
      await press('Copy licence key');
      return text('Copied');
    },
    'a licence form with an invalid email address': async () => {
      await at('/licences/new');
      await field('Customer email').fill('no@address');
      await press('Issue the licence');
      return on.page.locator('[aria-invalid=true]');
    },
    'a user who was just added, with the generated password': async () => {
      await at('/users/new');
      await field('Login').fill('ada');
      await field('Email').fill('ada@example.com');
      await press('Add user');
      return on.page.getByRole('textbox', { name: 'Password of ada' });
    },
    'a user form with a login that is taken': async () => {
      await at('/users/new');
      await field('Login').fill('ada');
      await field('Email').fill('ada-2@example.com');
      await press('Add user');
      return on.page.locator('[aria-invalid=true]');
    },
    'a user with a new password': async () => {
      await at(`/users/${other}`);
      await press('Reset password');
      await on.page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
      return on.page.getByRole('textbox', { name: /^New password of/ });
    },
    'a user without application passwords': async () => {
      const { json } = await dsarClient.admin('GET', '/users?search=ada');
      await at(`/users/${json[0].id}`);
      return text('No application passwords.');
    },
    'your own user': async () => {
      await at('/users');
      const me = await on.page.locator('.rail-user b').first().innerText();
      await on.page.getByRole('link', { name: me, exact: true }).click();
      return text('You cannot delete your own user.');
    },
    'the confirmation before an application password is revoked': async () => {
      await at('/profile');
      await press(/^Revoke tests/);
      return on.page.getByRole('dialog').getByRole('button', { name: 'Cancel' });
    },
    'a success and an error message at once': async () => {
      await at(`/users/${other}`);
      await press('Save changes');
      await on.message('saved');
      await refuse('/users/*', 500, 'internal_error', 'Something went wrong on our side.');
      await press('Save changes');
      return on.message('Action failed');
    },
    'an empty activity log': async () => {
      await on.page.route('**/users/events?*', (route) =>
        route.fulfill({ json: [], headers: { 'x-wp-total': '0' } }),
      );
      await at('/users?view=log');
      return text('No activity yet');
    },
    'the dark theme as chosen by the user': async () => {
      await at('/profile');
      await press('Use dark colours');
      await on.page.getByRole('button', { name: 'Use light colours' }).waitFor();
      return on.page.locator('h1');
    },
  });
});
