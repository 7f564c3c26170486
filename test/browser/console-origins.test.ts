import { describe, expect, it } from 'vitest';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';

const ROOT = '/wp-json/svc/v1';
const SHOP = 'https://shop.example';
const STRANGER = 'https://stranger.example';

describe('Allowed origins in the console', () => {
  const { app, openSignedIn, heading } = useConsole();
  const statusFor = async (origin: string) =>
    (await app.http.get(`${ROOT}/consent/status`, { headers: { origin } })).headers.get(
      'access-control-allow-origin',
    );

  it('lists refused origins on the overview, and allows or dismisses each', async () => {
    for (const origin of [SHOP, STRANGER]) expect(await statusFor(origin)).toBeNull();
    const page = await openSignedIn('/');
    const task = page.getByRole('listitem').filter({ hasText: 'Requests from 2 origins' });
    await task.getByText(SHOP).waitFor();
    await task.getByRole('link', { name: 'Allow or dismiss' }).click();
    await heading(page, 'Allowed origins').waitFor();

    await page.getByText(`Requests from ${SHOP} were refused. Allow this origin?`).waitFor();
    await page.getByRole('button', { name: `Allow ${SHOP}` }).click();
    await page.getByRole('cell', { name: SHOP, exact: true }).waitFor();
    expect(await statusFor(SHOP)).toBe(SHOP);

    await page.getByRole('button', { name: `Dismiss ${STRANGER}` }).click();
    await page.getByRole('heading', { name: 'Refused origins' }).waitFor({ state: 'detached' });
    expect(await statusFor(STRANGER)).toBeNull();
    await page.goto(`${app.url}/admin/`);
    await heading(page, /./).waitFor();
    await page.getByText('Run the first scan to see tasks here.').waitFor();
    expect(await page.getByText('were refused').count()).toBe(0);
  });

  it('adds and removes an origin, and rejects an invalid one', async () => {
    await createDsarClient(app).admin('PUT', '/settings', { origins: { allowed: [] } });
    const page = await openSignedIn('/banner');
    await page.getByRole('link', { name: 'Allowed origins' }).click();
    const field = page.getByRole('textbox', { name: 'Origin' });
    await field.fill('https://blog.example/path');
    await page.getByRole('button', { name: 'Add origin' }).click();
    await page
      .getByText(/^Must hold origins: .* Write https:\/\/blog\.example instead of/)
      .waitFor();
    await field.fill('https://blog.example');
    await page.getByRole('button', { name: 'Add origin' }).click();
    await page.getByRole('cell', { name: 'https://blog.example', exact: true }).waitFor();
    expect(await statusFor('https://blog.example')).toBe('https://blog.example');
    await page.getByRole('button', { name: 'Remove https://blog.example' }).click();
    await page.getByText('No origins added.').waitFor();
    expect(await statusFor('https://blog.example')).toBeNull();
    const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' });
    await breadcrumb.getByRole('link', { name: 'Banner' }).click();
    await heading(page, 'Banner').waitFor();
  });

  it('shows an error if a proxy changes the entity tag of every change', async () => {
    const page = await openSignedIn('/banner/origins');
    let sent = 0;
    await page.route('**/svc/v1/settings', (route) => {
      const request = route.request();
      if (request.method() !== 'PUT') return route.continue();
      sent += 1;
      return route.continue({ headers: { ...request.headers(), 'if-match': '"changed"' } });
    });
    await page.getByRole('textbox', { name: 'Origin' }).fill('https://proxied.example');
    await page.getByRole('button', { name: 'Add origin' }).click();
    await page.getByText('Action failed').waitFor();
    expect(sent).toBe(2);
  });
});
