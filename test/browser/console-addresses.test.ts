import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { makeUser } from '../support/users.ts';

describe('URLs of the console', () => {
  const { app, open, openSignedIn, heading } = useConsole();
  const dsarClient = createDsarClient(app);

  it.each(['/requests/abc', '/requests/-1', '/vendors/1x', '/users/0', '/nonsense'])(
    'shows "Page not found" with a link to the overview: %s',
    async (path) => {
      const page = await openSignedIn(path);
      await heading(page, 'Page not found').waitFor();
      expect(await page.getByRole('main').count()).toBe(1);
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Go to overview' }).click();
      await heading(page, 'Overview').waitFor();
    },
  );

  it.each(['/requests/abc', '/nonsense/of/mine'])('keeps the navigation: %s', async (path) => {
    const page = await openSignedIn(path);
    await heading(page, 'Page not found').waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).getByText('Retention').click();
    await heading(page, 'Retention').waitFor();
  });

  it('shows "Page not found" to users of each role, and the sign-in to others', async () => {
    const { page } = await open('/nonsense');
    await page.getByLabel('Login').waitFor();
    for (const role of ['editor', 'subscriber'] as const) {
      const data = await makeUser(app.platform, role);
      await page.context().request.post(`${app.url}/console/session`, { data });
      await page.goto(`${app.url}/admin/nonsense`);
      await heading(page, 'Page not found').waitFor();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    }
  });

  it.each(['-1', 'abc', '0', '1.5'])('shows the first page for page number %s', async (number) => {
    const { reference } = await dsarClient.request();
    const page = await openSignedIn(`/requests?page=${number}`);
    await page.getByRole('link', { name: reference }).waitFor();
    expect(await page.getByText('could not be loaded').count()).toBe(0);
  });

  it('shows the last page for a page number after the last', async () => {
    const page = await openSignedIn('/vendors?page=999');
    await page.getByText(/–\d+ of \d+ vendors/).waitFor();
    await page.waitForURL((url) => url.searchParams.get('page') !== '999');
    await page.getByRole('row').nth(1).waitFor();
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
  });

  it('shows a connection error while offline, and loads the page after a retry', async () => {
    // A context of its own: the cache of another may have the page.
    const page = await openSignedIn('/', {});
    await heading(page, 'Overview').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Retention' }).click();
    await heading(page, 'No connection').waitFor();
    await page.getByText('Check your connection').waitFor();
    const retry = page.getByRole('button', { name: 'Try again' });
    await retry.click();
    await page.getByRole('link', { name: 'Overview' }).click();
    await heading(page, 'Overview').waitFor();
    await page.getByRole('link', { name: 'Retention' }).click();
    await heading(page, 'No connection').waitFor();
    await page.context().setOffline(false);
    await retry.click();
    await heading(page, 'Retention').waitFor();
  });
});
