import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { useConsole } from '../support/console.ts';
import { makeUser, signIn } from '../support/users.ts';

const LOGO = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"/>');

describe('The branding page of the console', () => {
  const { app, openSignedIn, heading } = useConsole();
  /** Reads or changes the branding as another administrator. */
  async function ask(method: 'GET' | 'PUT', body?: object) {
    const { cookie, nonce } = await signIn(app.http, await makeUser(app.platform));
    const headers = { cookie, 'x-wp-nonce': nonce, 'sec-fetch-site': 'same-origin' };
    const path = '/console/licences/branding';
    return (await app.http.request(method, path, { headers, ...(body && { body }) })).json;
  }
  /** Comes back to the tab after a minute, when what it has loaded is stale. */
  async function comeBack(page: Page): Promise<void> {
    await page.clock.setFixedTime(Date.now() + MINUTE_MS);
    const loaded = page.waitForResponse('**/console/licences/branding');
    await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
    await (await loaded).finished();
  }

  it('changes how customers see their account page, logo included', async () => {
    const page = await openSignedIn('/branding');
    await heading(page, 'Branding').waitFor();
    await page.getByLabel('Your name').fill('Forms Ltd');
    await page.getByRole('textbox', { name: 'Help' }).fill('forms.example.com');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Enter an email address, or a full address').waitFor();
    await page.getByRole('textbox', { name: 'Help' }).fill('help@forms.example.com');
    await page.getByLabel('Colour of buttons', { exact: true }).fill('#ffe066');
    const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: LOGO };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByAltText('Your logo').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The changes were saved.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Help' }).inputValue()).toBe(
      'help@forms.example.com',
    );

    const problems: string[] = [];
    page.on('console', (message) => problems.push(message.text()));
    await page.goto(`${app.url}/account/`);
    await page.getByRole('button', { name: 'Email me a sign-in link' }).waitFor();
    const readStyle = (name: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('main button')).${name}`);
    expect(await readStyle('backgroundColor')).toBe('rgb(255, 224, 102)');
    expect(await readStyle('color')).toBe('rgb(0, 0, 0)');
    const { width } = (await page.locator('.brand img').boundingBox()) ?? {};
    expect(width).toBe(90);
    expect(await page.getByRole('link', { name: 'Help' }).getAttribute('href')).toBe(
      'mailto:help@forms.example.com',
    );
    expect(problems).toEqual([]);
  });

  it('says that another administrator has changed the same field, also after it was loaded', async () => {
    const page = await openSignedIn('/branding', {});
    const name = page.getByLabel('Your name');
    const save = page.getByRole('button', { name: 'Save changes' });
    await name.fill('Mine');
    await ask('PUT', { name: 'Theirs' });
    await comeBack(page);
    await save.click();
    await page.getByText('Another user has saved other changes in the meantime.').waitFor();
    expect([(await ask('GET')).name, await name.inputValue()]).toEqual(['Theirs', 'Mine']);
    await save.click();
    await page.getByText('The changes were saved.').waitFor();
    expect((await ask('GET')).name).toBe('Mine');
  });

  it('keeps what another administrator has changed in other fields', async () => {
    const page = await openSignedIn('/branding', {});
    await page.getByLabel('Your name').fill('Only the name');
    await ask('PUT', { language: 'de' });
    await comeBack(page);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The changes were saved.').waitFor();
    expect(await ask('GET')).toMatchObject({ name: 'Only the name', language: 'de' });
  });

  it('refuses a picture that is too large, and says why', async () => {
    const page = await openSignedIn('/branding');
    await heading(page, 'Branding').waitFor();
    const file = { name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(80_000) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByText('The picture is larger than 70 KB.').waitFor();
  });
});
