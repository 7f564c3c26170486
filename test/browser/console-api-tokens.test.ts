import { describe, expect, it } from 'vitest';
import { DESK, isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';

describe('The page of API tokens', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('creates a token that works, shows it once, and revokes it', async () => {
    const page = await openSignedIn('/licences');
    await page.getByRole('link', { name: 'API tokens' }).click();
    await heading(page, 'API tokens').waitFor();
    await page.getByText('No API tokens.').waitFor();
    await page.getByRole('button', { name: 'Create the API token' }).click();
    await page.getByText('Enter a name, for example Shop.').waitFor();
    await page.getByText('Choose at least one scope.').waitFor();
    await page.getByLabel('Name').fill('Shop');
    await page.getByRole('checkbox', { name: 'licences:issue' }).check();
    await page.getByRole('button', { name: 'Create the API token' }).click();
    const shown = page.getByRole('region', { name: 'API token “Shop”' });
    const secret = await shown.getByRole('textbox').inputValue();
    expect(secret).toMatch(/^pv_api_[A-Za-z0-9]{40}$/);
    const issue = async () => {
      const answer = await app.http.post('/admin/licences', {
        headers: { authorization: `Bearer ${secret}` },
        body: { email: 'ada@example.com', tier: 'pro', days: 365 },
      });
      return answer.status;
    };
    expect(await issue()).toBe(201);
    await isForEverybody(page);

    await page.getByLabel('Name').fill('Shop');
    await page.getByRole('checkbox', { name: 'licences:read' }).check();
    await page.getByRole('button', { name: 'Create the API token' }).click();
    await page.getByText('There is an active API token named Shop. Revoke it first.').waitFor();

    await page.setViewportSize(DESK);
    await page.reload();
    const row = page.getByRole('row', {
      name: /^Shop pv_api_\w{4}…\w{4} licences:issue All Active/,
    });
    await row.waitFor();
    expect(await page.getByText(secret).count()).toBe(0);
    await row.getByRole('button', { name: 'Revoke Shop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /^Shop .*Revoked/ }).waitFor();
    expect(await issue()).toBe(401);
    await isForEverybody(page);

    await page.goto(`${app.url}/admin/security-log`);
    await page
      .getByRole('row', { name: /API token changed/ })
      .first()
      .waitFor();
    await page.context().close();
  });
});
