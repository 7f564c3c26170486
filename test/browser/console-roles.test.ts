import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import type { Role } from '../../src/platform/rest/capabilities.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { makeUser } from '../support/users.ts';

describe('The console of each role', () => {
  const { app, open, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });
  const dsarClient = createDsarClient(app);

  async function openAs(role: Role, path: string) {
    const user = await makeUser(app.platform, role);
    const { page, faults } = await open('/sign-in');
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const { login, password } = user;
    await page.context().request.post(`${app.url}/console/session`, { data: { login, password } });
    await page.goto(`${app.url}/admin${path}`);
    await page.locator('h1').waitFor();
    return { page, faults, refused, user };
  }
  const linksIn = (page: Page) =>
    page.locator('nav[aria-label=Pages] .mantine-NavLink-label').allTextContents();
  async function visitAll(page: Page): Promise<void> {
    for (const name of await linksIn(page)) {
      await page.getByRole('link', { name, exact: true }).first().click();
      await page.locator('.rail-link[aria-current=page]', { hasText: name }).waitFor();
      await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
      expect([name, await page.getByText('could not be loaded').count()]).toEqual([name, 0]);
      expect([name, await page.getByText('Not everything could').count()]).toEqual([name, 0]);
    }
  }

  it('shows an editor only requests and the banner, without 403 responses', async () => {
    const { id } = await dsarClient.request();
    const { page, refused, faults, user } = await openAs('editor', '/');
    await heading(page, 'Requests').waitFor();
    expect(await linksIn(page)).toEqual(['Requests', 'Banner']);
    await visitAll(page);
    await page.goto(`${app.url}/admin/requests/${id}`);
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('The assignee was changed.').waitFor();
    expect(await page.getByRole('button', { name: 'Delete request' }).count()).toBe(0);
    const { json } = await dsarClient.admin('GET', `/dsar/cases/${id}`);
    expect(json.assignee).toBe(user.login);
    expect([refused, faults]).toEqual([[], []]);
  });

  it('lets an editor change the texts of the banner only', async () => {
    const { page, refused } = await openAs('editor', '/banner');
    await page.getByText('You can change texts and translations.').waitFor();
    await page.getByLabel('Title', { exact: true }).fill('By an editor');
    expect(await page.getByLabel('Position').isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Add category' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
    const { json } = await app.http.get('/wp-json/svc/v1/consent/texts');
    expect(json.title).toBe('By an editor');
    await page.goto(`${app.url}/admin/banner/versions`);
    await page.getByText('Taken by a browser on the server').waitFor();
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
    expect(refused).toEqual([]);
    await isForEverybody(page);
  });

  it('shows a viewer read-only pages without buttons for changes', async () => {
    const { page, refused, faults } = await openAs('viewer', '/');
    const links = await linksIn(page);
    expect(links).toContain('Statistics');
    for (const hidden of ['Requests', 'Records', 'Licences', 'Users'])
      expect(links).not.toContain(hidden);
    await visitAll(page);
    for (const path of ['/banner', '/settings', '/scanner', '/vendors/1', '/retention']) {
      await page.goto(`${app.url}/admin${path}`);
      await page.getByText('Read only. Ask an administrator').first().waitFor();
      const able = page.locator('main :is(button[type=submit], textarea):not([disabled])');
      expect([path, await able.filter({ visible: true }).evaluateAll(ENABLED)]).toEqual([path, []]);
      for (const name of [/^New /, /^Add/, /^Save/, /^Delete/])
        expect([path, await page.getByRole('button', { name }).count()]).toEqual([path, 0]);
    }
    await isForEverybody(page);
    await page.goto(`${app.url}/admin/consent/figures`);
    await heading(page, 'Consent statistics').waitFor();
    expect(await page.getByRole('link', { name: 'Consent records' }).count()).toBe(0);
    await page.goto(`${app.url}/admin/requests`);
    await page.getByText('Your role does not include this page').waitFor();
    expect([refused, faults]).toEqual([[], []]);
  });

  it('asks administrators for their password before it changes their own email address', async () => {
    const { page, faults, user } = await openAs('administrator', '/users');
    await page.getByRole('link', { name: user.login, exact: true }).click();
    const [email, password] = [page.getByLabel('Email'), page.getByLabel('Current password')];
    await email.fill(`moved-${user.email}`);
    const save = page.getByRole('button', { name: 'Save changes' });
    await save.click();
    await page.getByText('Enter your current password.').waitFor();
    await password.fill('a guess');
    await save.click();
    await page.getByText('The current password is wrong.').waitFor();
    await isForEverybody(page);
    await password.fill(user.password);
    await save.click();
    await page.getByText('The changes were saved.').waitFor();
    expect([await email.inputValue(), await password.inputValue()]).toEqual([
      `moved-${user.email}`,
      '',
    ]);
    expect(faults).toEqual([]);
  });

  it('follows a change of the role in an open page', async () => {
    const { id } = await dsarClient.request();
    const { page, user } = await openAs('editor', `/requests/${id}`);
    await dsarClient.admin('PUT', `/users/${user.id}`, { roles: ['viewer'] });
    const assign = page.getByRole('button', { name: 'Assign to me' });
    // A query of the page can be refused before the action is: then the button is gone.
    const attempt = assign.click().catch(Object);
    await page.getByText('Your role does not include this page').waitFor();
    expect(await linksIn(page)).toContain('Statistics');
    await Promise.all([page.close(), attempt]);
  });

  it('shows what a new role adds with the next page', async () => {
    const { page, user } = await openAs('viewer', '/');
    await heading(page, 'Overview').waitFor();
    await dsarClient.admin('PUT', `/users/${user.id}`, { roles: ['administrator'] });
    await page.clock.setFixedTime(Date.now() + MINUTE_MS);
    await page.getByRole('link', { name: 'Vendors', exact: true }).click();
    await page.getByRole('link', { name: 'New vendor' }).waitFor();
    expect(await linksIn(page)).toContain('Users');
  });

  it('redirects a subscriber to their account', async () => {
    const { page, refused } = await openAs('subscriber', '/');
    await heading(page, 'Your account').waitFor();
    expect(await linksIn(page)).toEqual([]);
    expect(await page.getByRole('button', { name: 'Sign out everywhere' }).isEnabled()).toBe(true);
    for (const name of ['Show the current password', 'Show the new password'])
      expect(await page.getByRole('button', { name }).count()).toBe(1);
    expect(refused).toEqual([]);
  });
});

/** Elements outside disabled fieldsets. */
const ENABLED = (all: unknown[]) =>
  (all as { matches(selector: string): boolean; outerHTML: string }[])
    .filter((each) => !each.matches('fieldset:disabled *'))
    .map(({ outerHTML }) => outerHTML.slice(0, 120));
