import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { extendLicence } from '../../src/licensing/licences/index.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { makeLicence } from '../support/makers.ts';
import { basic, makeUser } from '../support/users.ts';

describe('Forms of records in the console', () => {
  const { app, open, openSignedIn, heading } = useConsole({
    PAVIS_CHROMIUM: 'off',
    PAVIS_DEMO: 'on',
  });
  const dsarClient = createDsarClient(app);
  const admin = dsarClient.admin.bind(dsarClient);
  const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click();
  /** Sends a form after the session has expired, unless a request that the page makes by itself notices that first. */
  const sendAfterSession = async (page: Page, button: Locator) => {
    await page.context().clearCookies();
    await button.click({ timeout: 10_000 }).catch(() => {});
    await heading(page, 'Sign in').waitFor();
  };
  const saved = (page: Page) => page.getByText('The changes were saved.').waitFor();
  let made = 0;
  async function createVendor(): Promise<string> {
    made += 1;
    const { json } = await admin('POST', '/vendors', {
      name: `Stats ${made}`,
      slug: `stats-${made}`,
      category: 'analytics',
      domains: ['stats.example'],
    });
    return `/vendors/${json.id}`;
  }
  async function createScript(): Promise<string> {
    made += 1;
    const { json } = await admin('POST', '/scripts', {
      label: `Counter ${made}`,
      handle: `counter-${made}`,
      category: 'analytics',
      script_url: `https://stats.example/${made}.js`,
      blocking_method: 'dynamic_load',
    });
    return `/scripts/${json.id}`;
  }
  /** Leaves two categories in the settings, until the end of the test. */
  async function removeCategories() {
    const { consent } = (await admin('GET', '/settings')).json;
    const categories = consent.categories.filter(
      ({ id }: { id: string }) => id === 'functional' || id === 'personalisation',
    );
    await admin('PUT', '/settings', { consent: { categories } });
    onTestFinished(async () => {
      await admin('PUT', '/settings', { consent: { categories: consent.categories } });
    });
  }
  /** Opens the sign-in page in front of a page. @returns with what signs in, each time as the same new user */
  async function openWithUser(path: string) {
    const { page } = await open(path);
    const { login, password } = await makeUser(app.platform);
    const signIn = async () => {
      await page.getByLabel('Login').fill(login);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    return { page, signIn };
  }

  it('keep what another user has saved in other fields, and show it', async () => {
    const path = await createVendor();
    const page = await openSignedIn(path);
    await page.getByLabel('Purpose').fill('Counts visits');
    const theirs = { domains: ['stats.example', 'cdn.stats.example'], default_retention: '1 year' };
    await admin('PUT', path, theirs);
    await save(page);
    await saved(page);
    const { json } = await admin('GET', path);
    expect(json).toMatchObject({ ...theirs, purpose: 'Counts visits' });
    await expect.poll(() => page.getByLabel('Default retention').inputValue()).toBe('1 year');
  });

  it('report that another user has changed the same field, and save it when asked again', async () => {
    const path = await createVendor();
    const page = await openSignedIn(path);
    await page.getByLabel('Purpose').fill('Counts visits');
    await admin('PUT', path, { purpose: 'Counts purchases', default_retention: '1 year' });
    await save(page);
    await page.getByText('Another user has saved other changes in the meantime.').waitFor();
    expect((await admin('GET', path)).json.purpose).toBe('Counts purchases');
    await expect.poll(() => page.getByLabel('Default retention').inputValue()).toBe('1 year');
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Counts visits');
    await save(page);
    await saved(page);
    expect((await admin('GET', path)).json).toMatchObject({
      purpose: 'Counts visits',
      default_retention: '1 year',
    });
  });

  it('show the category of a vendor that the settings no longer have, and propose one that they have', async () => {
    const path = await createVendor();
    await removeCategories();
    const page = await openSignedIn(path);
    await page.getByLabel('Purpose').fill('Counts visits');
    expect(await page.getByLabel('Consent category').inputValue()).toBe('analytics');
    await save(page);
    await saved(page);
    expect((await admin('GET', path)).json.category).toBe('analytics');
    await page.goto(`${app.url}/admin/vendors/new`);
    await page.getByRole('textbox', { name: 'Name' }).fill('Ad Trail');
    expect(await page.getByLabel('Consent category').inputValue()).toBe('personalisation');
    await page.getByRole('button', { name: 'Add vendor' }).click();
    await page.getByText('The vendor was added.').waitFor();
  });

  it('show the category of a script that the settings no longer have, and propose one that they have', async () => {
    const path = await createScript();
    await removeCategories();
    const page = await openSignedIn(path);
    await page.getByRole('textbox', { name: 'Label' }).fill('Visit counter');
    expect(await page.getByLabel('Consent category').inputValue()).toBe('analytics');
    await save(page);
    await saved(page);
    expect((await admin('GET', path)).json.category).toBe('analytics');
    await page.goto(`${app.url}/admin/scripts/new`);
    await page.getByRole('textbox', { name: 'Label' }).fill('Größe & Łódź');
    expect(await page.getByRole('textbox', { name: 'Handle' }).inputValue()).toBe('grosse-lodz');
    expect(await page.getByLabel('Consent category').inputValue()).toBe('personalisation');
    await page.getByRole('textbox', { name: 'URL' }).fill('https://stats.example/new.js');
    await page.getByRole('button', { name: 'Add script' }).click();
    await page.getByText('The script was added.').waitFor();
  });

  it.each([
    ['scripts', createScript],
    ['vendors', createVendor],
  ])('find %s in a category that the settings no longer have', async (list, create) => {
    await create();
    await removeCategories();
    const page = await openSignedIn(`/${list}`);
    await page.getByLabel('Category', { exact: true }).selectOption('Analytics');
    await page.getByRole('cell', { name: 'Analytics' }).first().waitFor();
    expect(await page.getByLabel('Category', { exact: true }).inputValue()).toBe('analytics');
  });

  it('of a script of an extension are read-only', async () => {
    const path = await createScript();
    await app.platform.datastore.db
      .updateTable('scripts')
      .set({ extension: 'stats' })
      .where('id', '=', Number(path.split('/').at(-1)))
      .execute();
    const page = await openSignedIn(path);
    await page.getByText('Provided by an extension. Change it there.').waitFor();
    expect(await page.getByRole('textbox', { name: 'URL' }).isDisabled()).toBe(true);
    for (const name of ['Save changes', 'Delete'])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
  });

  it('say that the categories of active scripts count instead of that of the vendor', async () => {
    const page = await openSignedIn(await createVendor());
    const field = page.getByLabel('Consent category');
    const hint = page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`);
    expect(await hint.innerText()).toContain('active scripts, their categories count instead');
    await hint.getByRole('link', { name: 'Scripts' }).click();
    await heading(page, 'Scripts').waitFor();
  });

  it('of a vendor of an extension are read-only', async () => {
    const path = await createVendor();
    await app.platform.datastore.db
      .updateTable('vendors')
      .set({ extension: 'stats' })
      .where('id', '=', Number(path.split('/').at(-1)))
      .execute();
    const page = await openSignedIn(path);
    await page.getByText('Provided by an extension. Change it there.').waitFor();
    expect(await page.getByLabel('Purpose').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0);
  });

  it('do not give a user a role back that another user has taken', async () => {
    const { id } = await makeUser(app.platform);
    const page = await openSignedIn(`/users/${id}`);
    await page.getByLabel('Email').fill('new@example.com');
    await admin('PUT', `/users/${id}`, { roles: ['viewer'] });
    await save(page);
    await saved(page);
    const { json } = await admin('GET', `/users/${id}`);
    expect([json.email, json.roles]).toEqual(['new@example.com', ['viewer']]);
  });

  it('do not give a user an address back that another user has changed', async () => {
    const { id } = await makeUser(app.platform);
    const page = await openSignedIn(`/users/${id}`);
    await page.getByLabel('Role').selectOption('viewer');
    await admin('PUT', `/users/${id}`, { email: 'changed-meanwhile@example.com' });
    await save(page);
    await saved(page);
    const { json } = await admin('GET', `/users/${id}`);
    expect([json.email, json.roles]).toEqual(['changed-meanwhile@example.com', ['viewer']]);
    await expect
      .poll(() => page.getByLabel('Email').inputValue())
      .toBe('changed-meanwhile@example.com');
  });

  it('do not confirm an address that a user has entered, until an administrator does', async () => {
    const { id, login, password, applicationPassword } = await makeUser(app.platform, 'editor');
    const email = `entered-${id}@example.com`;
    const changed = await app.http.request('PUT', '/wp-json/svc/v1/users/me', {
      headers: basic(login, applicationPassword),
      body: { email, current_password: password },
    });
    expect(changed.status).toBe(200);
    await app.platform.datastore.db
      .insertInto('user_identities')
      .values({
        ...{ user_id: id, issuer: 'https://login.example', subject: '1' },
        ...{ created_at: app.clock.now(), last_used_at: app.clock.now() },
      })
      .execute();
    const isConfirmed = async () => (await admin('GET', `/users/${id}`)).json.email_confirmed;
    const page = await openSignedIn(`/users/${id}`);
    // Single sign-on is set up.
    await page.route('**/console/sign-in', (route) =>
      route.fulfill({ json: { password_reset: false, single_sign_on: { name: 'Example Ltd' } } }),
    );
    await page.reload();
    await page.getByLabel('Role').selectOption('viewer');
    await save(page);
    await saved(page);
    expect(await isConfirmed()).toBe(false);
    await page.getByText(`${login} has entered this address`).waitFor();
    await isForEverybody(page);
    const unlink = page.getByRole('button', { name: 'Unlink single sign-on' });
    const unlinking = page.getByRole('dialog', { name: `Unlink single sign-on of ${login}?` });
    await unlink.click();
    await unlinking.getByText(/Confirm the address as well: until then nobody is linked/).waitFor();
    await unlinking.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Confirm address' }).click();
    const dialog = page.getByRole('dialog', { name: `Confirm the address of ${login}?` });
    await dialog.getByText(email).waitFor();
    await dialog
      .getByText(/While another identity of Example Ltd is linked, they cannot/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Confirm address' }).waitFor({ state: 'detached' });
    expect(await isConfirmed()).toBe(true);
    await unlink.click();
    await unlinking.getByText(`signs in with the provider as ${email} is linked`).waitFor();
  });

  it('do not join the number of a retention period with a unit that another user has not seen', async () => {
    const { json } = await admin('POST', '/retention/policies', {
      name: 'Sessions',
      data_category: 'consent_records',
      period_value: 30,
      period_unit: 'days',
      action: 'delete',
    });
    const path = `/retention/policies/${json.id}`;
    const page = await openSignedIn(`/retention/${json.id}`);
    await page.getByLabel('Unit').selectOption('Months');
    await admin('PUT', path, { period_value: 7 });
    await save(page);
    await page.getByText('Another user has saved other changes in the meantime.').waitFor();
    expect((await admin('GET', path)).json).toMatchObject({ period_value: 7, period_unit: 'days' });
    await expect.poll(() => page.getByLabel('Retention period').inputValue()).toBe('7');
    await page.getByLabel('Retention period').fill('30');
    await save(page);
    await saved(page);
    expect((await admin('GET', path)).json).toMatchObject({
      period_value: 30,
      period_unit: 'months',
    });
  });

  it('merge the changes of another user instead of refusing to save', async () => {
    const [one, two] = [
      await openSignedIn('/products/pavis'),
      await openSignedIn('/products/pavis'),
    ];
    await two.getByLabel('Website').fill('https://plugin.example');
    await one.getByLabel('Current version').fill('2.4.1');
    await save(one);
    await saved(one);
    await save(two);
    await two.getByText('Another user has saved other changes in the meantime.').waitFor();
    await expect.poll(() => two.getByLabel('Current version').inputValue()).toBe('2.4.1');
    expect(await two.getByLabel('Website').inputValue()).toBe('https://plugin.example');
    await save(two);
    await saved(two);
    await one.reload();
    expect(await one.getByLabel('Website').inputValue()).toBe('https://plugin.example');
    expect(await one.getByLabel('Current version').inputValue()).toBe('2.4.1');
  });

  it('keep unsaved input when another action changes the record', async () => {
    const { json } = await admin('POST', '/webhooks', {
      url: 'https://crm.example/hooks',
      event_types: ['licence.issued'],
    });
    const page = await openSignedIn(`/webhooks/${json.id}`);
    await page.getByLabel('Description').fill('Not saved yet');
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('region', { name: 'New secret of the webhook' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByLabel('Description').inputValue()).toBe('Not saved yet');
  });

  it.each([
    ['a record', createVendor, 'Purpose', 'Save changes', 'The changes were saved.'],
    [
      'settings',
      async () => '/settings',
      'Postal address',
      'Save controller',
      'The controller was saved.',
    ],
  ])('keep what is typed while %s is being saved', async (_, create, field, button, done) => {
    const path = await create();
    const page = await openSignedIn(path);
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(`**/svc/v1${path}`, async (route) => {
      if (route.request().method() === 'PUT') await promise;
      await route.continue();
    });
    await page.getByLabel(field).fill('First');
    await page.getByRole('button', { name: button }).click();
    await page.getByLabel(field).fill('First and second');
    resolve();
    await page.getByText(done).waitFor();
    expect(await page.getByLabel(field).inputValue()).toBe('First and second');
    await page.getByRole('link', { name: 'Data map', exact: true }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
  });

  it('restore unsaved input after the session has expired', async () => {
    const path = await createVendor();
    const { page } = await open(path);
    const { login, password } = await makeUser(app.platform);
    const signIn = async () => {
      await page.getByLabel('Login').fill(login);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByLabel('Purpose').waitFor();
    };
    await signIn();
    await page.getByLabel('Purpose').fill('Typed before the end');
    await sendAfterSession(page, page.getByRole('button', { name: 'Save changes' }));
    await admin('PUT', path, { default_retention: '2 years' });
    await signIn();
    await page.getByText('Unsaved changes were restored.').waitFor();
    expect(await page.getByLabel('Purpose').inputValue()).toBe('Typed before the end');
    expect(await page.getByLabel('Default retention').inputValue()).toBe('2 years');
    await isForEverybody(page);
    await save(page);
    await saved(page);
    expect((await admin('GET', path)).json.purpose).toBe('Typed before the end');
    await page.reload();
    await page.getByLabel('Purpose').waitFor();
    expect(await page.getByText('Unsaved changes were restored.').count()).toBe(0);
  });

  it('restore the reason of a refusal after the session has expired', async () => {
    const { id } = await dsarClient.request();
    const { page, signIn } = await openWithUser(`/requests/${id}`);
    await signIn();
    const refuse = page.getByRole('button', { name: 'Refuse', exact: true });
    await refuse.click();
    await page.getByLabel('Ground').selectOption('Excessive, Art. 12(5)');
    await page.getByLabel('Reason').fill('The seventh request of this week');
    await page.getByRole('link', { name: 'Vendors' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByRole('button', { name: 'Keep editing' }).click();
    await sendAfterSession(page, page.getByRole('button', { name: 'Refuse', exact: true }));
    await signIn();
    await refuse.click();
    expect(await page.getByLabel('Reason').inputValue()).toBe('The seventh request of this week');
  });

  it('follow the assignee of a request until the user selects another', async () => {
    const { id } = await dsarClient.request();
    const [bea, carl] = [await makeUser(app.platform), await makeUser(app.platform)];
    const page = await openSignedIn(`/requests/${id}`);
    const assignee = page.getByLabel('Administrator or editor');
    const assign = async (login: string) => {
      await admin('PUT', `/dsar/cases/${id}`, { assignee: login });
      // Refreshes the request.
      await page.getByLabel('Note').fill(`Assigned to ${login}`);
      await page.getByRole('button', { name: 'Add note' }).click();
    };
    expect(await assignee.inputValue()).toBe('');
    await assign(bea.login);
    await expect.poll(() => assignee.inputValue()).toBe(bea.login);
    await assignee.selectOption('Unassigned');
    await assign(carl.login);
    await expect.poll(() => assignee.inputValue()).toBe(carl.login);
    await assignee.selectOption(bea.login);
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await page.getByText('The assignee was changed.').waitFor();
    expect((await admin('GET', `/dsar/cases/${id}`)).json.assignee).toBe(bea.login);
    expect(await assignee.inputValue()).toBe(bea.login);
  });

  it('show the new status of a request if the answer to its change is lost', async () => {
    const { id } = await dsarClient.request();
    const page = await openSignedIn(`/requests/${id}`);
    await page.route(`**/dsar/cases/${id}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fetch();
      await route.fulfill({ status: 504, body: '<html>' });
    });
    await page.getByRole('button', { name: 'Mark as withdrawn' }).click();
    await page.getByRole('button', { name: 'Mark as withdrawn' }).click();
    await page.getByText('The request was changed. Its status is now withdrawn.').waitFor();
    expect(await page.getByText('Another user').count()).toBe(0);
    expect(await page.getByText('Action failed').count()).toBe(0);
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
  });

  it('show a request that another user has closed meanwhile, in place of an error', async () => {
    const { id } = await dsarClient.request();
    const page = await openSignedIn(`/requests/${id}`);
    await page.getByRole('button', { name: 'Pause the request' }).click();
    await page.getByLabel('Reason').fill('Which of the accounts?');
    await admin('PUT', `/dsar/cases/${id}`, { status: 'withdrawn' });
    await page.getByRole('button', { name: 'Pause the request' }).click();
    await page
      .getByText('Another user has changed this request. Its status is now withdrawn.')
      .waitFor();
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
  });

  it('keep the reason of a change that failed while another user changed the status', async () => {
    const { id } = await dsarClient.request();
    const page = await openSignedIn(`/requests/${id}`);
    await page.route(`**/dsar/cases/${id}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fulfill({ status: 503, json: { code: 'service_unavailable', message: 'Busy' } });
    });
    await page.getByRole('button', { name: 'Extend the deadline' }).click();
    await page.getByLabel('Reason').fill('Three archives to search');
    await admin('PUT', `/dsar/cases/${id}`, { status: 'in_progress' });
    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    await page
      .getByText('Another user has changed this request. Its status is now in progress.')
      .waitFor();
    expect(await page.getByText('The request was changed.').count()).toBe(0);
    expect(await page.getByLabel('Reason').inputValue()).toBe('Three archives to search');
    await page.unroute(`**/dsar/cases/${id}`);
    await page.getByRole('button', { name: 'Extend', exact: true }).click();
    await page.getByText('The request was updated.').waitFor();
    expect((await admin('GET', `/dsar/cases/${id}`)).json.extended).toBe(true);
  });

  it('ask nothing about a new expiry that was not entered after the licence was fetched again', async () => {
    const { id, key } = await makeLicence(app.platform);
    const site = 'https://shop.example.com';
    await app.http.site('activate', key, site);
    const page = await openSignedIn(`/licences/${id}`);
    await page.getByRole('button', { name: 'Change expiry' }).click();
    await page.getByLabel('Paid until').waitFor();
    await extendLicence(app.platform, id, Date.UTC(2041, 4, 31, 12), 'test');
    await page.getByRole('button', { name: `Deactivate ${site}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('definition').getByText('31 May 2041').waitFor();
    await page.getByRole('link', { name: 'Vendors' }).click();
    await heading(page, 'Vendors').waitFor();
  });

  it('restore changes to a licence and the reason of a completion after the session has expired', async () => {
    const { id } = await makeLicence(app.platform);
    const { id: requestId, email } = await dsarClient.request();
    const mail = (await dsarClient.mails()).find(({ to }) => to === email);
    await dsarClient.verify(/token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '');
    await admin('PUT', `/dsar/cases/${requestId}`, { status: 'in_progress' });
    const { page, signIn } = await openWithUser(`/licences/${id}`);
    await signIn();
    const edit = page.getByRole('button', { name: 'Edit', exact: true });
    await edit.click();
    await page.getByLabel('Notes').fill('Called on Monday');
    await sendAfterSession(page, page.getByRole('button', { name: 'Save changes' }));
    await signIn();
    await edit.click();
    expect(await page.getByLabel('Notes').inputValue()).toBe('Called on Monday');
    await save(page);
    await page.getByText('The licence was changed.').waitFor();

    for (const [button, enter, send, getInput] of [
      [
        'Transfer',
        () => page.getByLabel('Email').fill('heir@example.com'),
        'Transfer licence',
        () => page.getByLabel('Email').inputValue(),
      ],
      [
        'Change expiry',
        async () => {
          await page.getByRole('switch', { name: 'No expiry' }).press('Space');
          await page.getByLabel('Paid until').fill('2031-05-31');
        },
        'Save expiry',
        () => page.getByLabel('Paid until').inputValue(),
      ],
      [
        'Rotate key',
        () => page.getByLabel('Current key').selectOption('24'),
        'Generate new key',
        () => page.getByLabel('Current key').inputValue(),
      ],
    ] as const) {
      const action = page.getByRole('button', { name: button, exact: true });
      await action.click();
      await enter();
      const entered = await getInput();
      await sendAfterSession(page, page.getByRole('button', { name: send }));
      await signIn();
      await action.click();
      expect(await getInput()).toBe(entered);
      await page.getByRole('button', { name: 'Cancel' }).click();
    }

    await page.goto(`${app.url}/admin/requests/${requestId}`);
    const complete = page.getByRole('button', { name: 'Complete', exact: true });
    await complete.click();
    const reason = page.getByLabel(/^Reason for leaving out/);
    await reason.fill('The source is being moved');
    await sendAfterSession(page, page.getByRole('button', { name: 'Complete and send' }));
    await signIn();
    await complete.click();
    expect(await reason.inputValue()).toBe('The source is being moved');
  });

  it('restore the reason in an open dialog after the session has expired', async () => {
    const { id } = await makeLicence(app.platform);
    const { page, signIn } = await openWithUser(`/licences/${id}`);
    await signIn();
    await page.getByRole('button', { name: 'Revoke permanently' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this licence permanently?' });
    await dialog.getByLabel('Reason').fill('Charged back twice');
    await sendAfterSession(page, dialog.getByRole('button', { name: 'Revoke' }));
    await signIn();
    await dialog.waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Charged back twice');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('This licence is revoked permanently.').waitFor();
    await page.getByText('Charged back twice').waitFor();
  });

  it('restore a new legal hold after the session has expired', async () => {
    const { page, signIn } = await openWithUser('/retention?view=holds');
    await signIn();
    await page.getByLabel('Records').selectOption('consent_records');
    await page.getByLabel('Reason').fill('A dispute with a supplier');
    await page.getByRole('link', { name: 'Vendors' }).click();
    const leaving = page.getByRole('dialog', { name: 'Leave without saving?' });
    await leaving.getByRole('button', { name: 'Keep editing' }).click();
    await sendAfterSession(page, page.getByRole('button', { name: 'Hold all records' }));
    await signIn();
    await page.getByText('Unsaved changes were restored.').waitFor();
    expect(await page.getByLabel('Reason').inputValue()).toBe('A dispute with a supplier');
    expect(await page.getByLabel('Records').inputValue()).toBe('consent_records');
    await page.getByRole('button', { name: 'Hold all records' }).click();
    await page.getByText('The legal hold was placed.').waitFor();
    await expect.poll(() => page.getByLabel('Reason').inputValue()).toBe('');
    await page.getByRole('link', { name: 'Vendors' }).click();
    await heading(page, 'Vendors').waitFor();
  });

  it('restore the reason of a decision about a finding after the session has expired', async () => {
    const { json: scan } = await admin('POST', '/scanner/start', { scan_depth: 0 });
    await admin('POST', '/scanner/scan-page', { scan_id: scan.scan_id, url: `${app.url}/demo/` });
    await admin('POST', '/scanner/complete', { scan_id: scan.scan_id });
    const { page, signIn } = await openWithUser(`/scanner/${scan.scan_id}?view=findings`);
    await signIn();
    const dialog = page.getByRole('dialog', { name: /^Record a decision: / });
    const decide = async (decision: string) => {
      await page
        .getByRole('button', { name: /^More actions: / })
        .first()
        .click();
      await page.getByRole('menuitem', { name: decision }).click();
    };
    await decide('Ignore');
    await dialog.getByLabel('Reason').fill('It is removed next week');
    await sendAfterSession(page, dialog.getByRole('button', { name: 'Save decision' }));
    await signIn();
    await decide('Strictly necessary');
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('It is removed next week');
    expect(await dialog.getByRole('radio', { name: 'Strictly necessary' }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Save decision' }).click();
    await page.getByText('The decision was saved.').waitFor();
  });

  it('delete a request with a reason and without a question about leaving the page', async () => {
    const { id } = await dsarClient.request();
    const page = await openSignedIn(`/requests/${id}`);
    await page.getByRole('button', { name: 'Delete request' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('A test of the form');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await heading(page, 'Requests').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('are not saved as another user who has signed in in another tab', async () => {
    const path = await createVendor();
    const page = await openSignedIn(path);
    await page.getByLabel('Purpose').fill('As the first user');
    const { login, password } = await makeUser(app.platform);
    const { request } = page.context();
    await request.post(`${app.url}/console/session`, { data: { login, password } });
    await save(page);
    await heading(page, 'Sign in').waitFor();
    expect((await admin('GET', path)).json.purpose).toBe('');
  });

  it('are not saved as another user either while the sign-in page loads', async () => {
    const path = await createVendor();
    const page = await openSignedIn(path);
    await page.getByLabel('Purpose').fill('As the first user');
    const { login, password } = await makeUser(app.platform);
    await page.context().request.post(`${app.url}/console/session`, { data: { login, password } });
    let show = () => {};
    const shown = new Promise<void>((resolve) => {
      show = resolve;
    });
    await page.route('**/assets/sign-in-*.js', async (route) => {
      await shown;
      await route.continue();
    });
    const statuses = new Set<number>();
    page.on('response', (response) => {
      if (response.url().includes('/svc/v1/')) statuses.add(response.status());
    });
    await save(page);
    await expect.poll(() => statuses).toContain(403);
    // The form may be gone.
    const again = page.getByRole('button', { name: 'Save changes' });
    await again.click({ timeout: 2_000 }).catch(() => {});
    show();
    await heading(page, 'Sign in').waitFor();
    expect([...statuses]).toEqual([403]);
    expect((await admin('GET', path)).json.purpose).toBe('');
  });

  it('lead to the sign-in page, without another tab, if a page is printed after the session has expired', async () => {
    const page = await openSignedIn('/data-map');
    const print = page.getByRole('link', { name: 'Print' });
    const printed = page.context().waitForEvent('page');
    await print.click();
    const tab = await printed;
    await tab.getByRole('heading', { name: 'Records of processing activities' }).waitFor();
    await tab.close();
    await page.context().clearCookies();
    await print.click();
    await heading(page, 'Sign in').waitFor();
    await expect.poll(() => page.context().pages()).toEqual([page]);
  });

  it('keep the reason of a dialog if the server does not answer', async () => {
    const { id } = await makeLicence(app.platform);
    const page = await openSignedIn(`/licences/${id}`);
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Three refunds in a month');
    await page.route('**/suspend', (route) => route.abort());
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The server does not answer.').waitFor();
    expect(await dialog.getByLabel('Reason').inputValue()).toBe('Three refunds in a month');
    await page.unroute('**/suspend');
    await page.route('**/suspend', (route) => route.fulfill({ status: 502, body: '<html>' }));
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page
      .getByText('The server answered 502. Try again in a moment. Your request may have arrived.')
      .waitFor();
    await page.unroute('**/suspend');
    await dialog.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('The licence was changed.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Three refunds in a month').waitFor();
  });
});
