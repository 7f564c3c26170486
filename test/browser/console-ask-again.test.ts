import { describe, expect, it } from 'vitest';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient } from '../support/dsar.ts';
import { atKeyboard } from '../support/keyboard.ts';

describe('Lists of the banner settings in the console: when visitors are asked again, and signals', () => {
  const { app, openSignedIn } = useConsole();
  const dsarClient = createDsarClient(app);
  const texts = async () => (await app.http.get('/wp-json/svc/v1/consent/texts')).json;

  it('shows a checkbox for each kind of change and saves the selection', async () => {
    await texts();
    const page = await openSignedIn('/banner');
    const group = page.getByRole('group', { name: 'Ask visitors again when' });
    await group.waitFor();
    const boxes = group.getByRole('checkbox');
    expect(await boxes.count()).toBe(4);
    for (const box of await boxes.all()) expect(await box.isChecked()).toBe(true);
    const keys = atKeyboard(page);
    await keys.press(group.getByRole('checkbox', { name: 'A vendor is added' }), 'Space');
    await keys.press(page.getByRole('button', { name: 'Publish' }));
    await keys.sees('Published. Visitors see this version from now on.');
    const { json } = await dsarClient.admin('GET', '/settings');
    expect(json.consent.ask_again_on).toEqual(['purposes', 'categories', 'texts']);

    // Clearing and ticking a checkbox again leaves the form unchanged.
    const texted = group.getByRole('checkbox', { name: 'A text changes in any language' });
    await texted.uncheck();
    await texted.check();
    await expect.poll(() => page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
    await isForEverybody(page);
  });

  it('switches signals to other services on and shows them in the version', async () => {
    await texts();
    const page = await openSignedIn('/banner');
    const group = page.getByRole('group', { name: 'Signals to other services' });
    await group.waitFor();
    expect(await group.getByRole('checkbox', { checked: true }).count()).toBe(1);
    expect(await group.getByRole('checkbox', { name: 'Google' }).isChecked()).toBe(true);
    const keys = atKeyboard(page);
    await keys.press(group.getByRole('checkbox', { name: 'Meta Pixel' }), 'Space');
    await keys.press(group.getByRole('checkbox', { name: 'Microsoft Clarity' }), 'Space');
    await keys.press(page.getByRole('button', { name: 'Publish' }));
    await keys.sees('Published. Visitors see this version from now on.');
    const { json } = await dsarClient.admin('GET', '/settings');
    expect(json.consent.signals).toEqual(['google', 'clarity', 'meta']);
    expect((await app.http.get('/banner.js')).text).toContain('consentv2');

    await page.getByRole('link', { name: 'Version history' }).click();
    const signals = page.locator('.mantine-DataList-item', {
      hasText: 'Signals to other services',
    });
    await signals.getByText('Meta Pixel').first().waitFor();
    const added = (await signals.locator('ins').allTextContents()).join(' ');
    expect(added.trim().split(/\s*\n\s*/)).toEqual(['Microsoft Clarity', 'Meta Pixel']);
  });

  it('shows for each version whether visitors were asked again, with added and removed purposes', async () => {
    await dsarClient.admin('PUT', '/settings', {
      consent: { ask_again_on: ['vendors', 'purposes'] },
    });
    const entries: { id: number }[] = [];
    for (const [vendor_id, purpose] of [
      [1, 'Counting visits'],
      [2, 'Measuring adverts'],
    ] as const) {
      const fields = { vendor_id, purpose, legal_basis: 'consent' };
      entries.push((await dsarClient.admin('POST', '/data-map', fields)).json);
    }
    const { version } = await texts();
    await dsarClient.admin('DELETE', `/data-map/${entries[1]?.id}`);

    const page = await openSignedIn('/banner/versions');
    const purposes = page.locator('.mantine-DataList-item', {
      hasText: 'Purposes that need consent',
    });
    await purposes.locator('del').getByText('Measuring adverts', { exact: true }).waitFor();
    expect(await purposes.locator('del').count()).toBe(1);
    await page.getByText(`No. Choices made since version ${version} stay valid.`).waitFor();
    await isForEverybody(page);

    await page.getByRole('link', { name: `Version ${version}`, exact: true }).click();
    await page.getByRole('heading', { name: `Version ${version} as published` }).waitFor();
    await purposes.locator('ins').getByText('Measuring adverts', { exact: true }).waitFor();
    expect(await purposes.locator('ins').count()).toBe(1);
    await page.locator('.mantine-DataList-root').getByText('Yes', { exact: true }).waitFor();
    const entry = page.getByRole('listitem').filter({ hasText: `Version ${version}` });
    await entry.getByText('Asked again').waitFor();
  });
});
