import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_APPEARANCE,
  DEFAULT_COLORS,
  measureContrasts,
} from '../../src/privacy/settings/banner/appearance/rules.ts';
import { DEFAULT_LIGHT, PRESETS } from '../../web/console/pages/consent/studio/presets.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';

describe('Presets of the look', () => {
  it.each(PRESETS.map((preset) => [preset.name, preset] as const))(
    'pass WCAG 2.2 AA in both themes: %s',
    (_name, preset) => {
      expect(measureContrasts(preset).filter(({ passes }) => !passes)).toEqual([]);
    },
  );

  it('begin with the default look, drawn in its colours', () => {
    const { colors, radius, font } = DEFAULT_APPEARANCE;
    expect(PRESETS[0]).toEqual({ name: 'Pavis', colors, radius, font });
    expect(DEFAULT_COLORS.light).toMatchObject(DEFAULT_LIGHT);
  });
});

describe('The look of the banner in the console', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_CHROMIUM: 'off' });
  const bannerIn = (page: Page) =>
    page
      .getByRole('region', { name: 'Preview of the banner' })
      .frameLocator('iframe')
      .locator('pavis-banner')
      .last();
  const dialogIn = (page: Page) => bannerIn(page).locator('dialog');
  const styleOf = (page: Page, name: string) =>
    dialogIn(page).evaluate(
      (dialog, property) =>
        (
          globalThis as unknown as { getComputedStyle(of: unknown): Record<string, string> }
        ).getComputedStyle(dialog)[property],
      name,
    );
  const openDetails = (page: Page) => page.getByText('Colours, font, buttons and logo').click();
  const status = async () => (await app.http.get('/wp-json/svc/v1/consent/status')).json;

  it('publishes no colour that is not typed to the end', async () => {
    const page = await openSignedIn('/banner', {});
    await dialogIn(page).waitFor();
    await openDetails(page);
    const accent = page.getByLabel('Buttons and links, light', { exact: true });
    await accent.fill('#1f4');
    await page.getByLabel('Title', { exact: true }).fill('With a colour');
    await page.getByRole('button', { name: 'Publish' }).click();
    await accent.and(page.locator(':focus')).waitFor();
    await page.getByText('Write a colour as #rrggbb').waitFor();
    expect((await app.http.get('/wp-json/svc/v1/consent/texts')).json.title).toBe('Your privacy');
    expect(await page.getByText('Published.').count()).toBe(0);
    await accent.fill('#1f4aa8');
    await expect.poll(() => page.getByText('Write a colour as #rrggbb').count()).toBe(0);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await accent.inputValue()).toBe('');
  });

  it('previews and publishes a layout, a preset, a colour, the order and the reopen button', async () => {
    const page = await openSignedIn('/banner');
    await dialogIn(page).waitFor();
    await page.getByRole('radio', { name: 'Bar' }).check();
    await page.getByRole('radio', { name: 'Paper' }).check();
    await expect.poll(() => styleOf(page, 'backgroundColor')).toBe('rgb(253, 248, 239)');
    expect(await styleOf(page, 'borderRadius')).toBe('0px');
    await openDetails(page);
    await page.getByLabel('Order of the buttons').selectOption('Accept, Reject, Preferences');
    await page.getByLabel('Reopen button in').selectOption('None');
    await page.getByText('Withdrawing consent must be as easy as giving it').waitFor();
    await expect
      .poll(() => dialogIn(page).getByRole('button').allTextContents())
      .toEqual(['Accept all', 'Reject all', 'Manage preferences']);
    await page.getByRole('radio', { name: 'Modal' }).check();
    expect(await page.getByLabel('Position').inputValue()).toBe('center');
    await page.getByRole('radio', { name: 'Bar' }).check();

    const accent = page.getByLabel('Buttons and links, light', { exact: true });
    await accent.fill('#d98a5b');
    const advice = page.getByRole('button', { name: /^Use #/ });
    await page.getByText(/^2\.\d+:1, needs 4\.5:1$/).waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText(/must give a contrast of at least 4\.5:1/i).waitFor();
    await advice.click();
    await advice.waitFor({ state: 'detached' });
    expect(await page.getByText('needs 4.5:1').count()).toBe(0);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('Published. Visitors see this version from now on.').waitFor();
    const shown = await status();
    expect(shown.settings.position).toBe('bottom');
    expect(shown.appearance).toMatchObject({
      button_order: ['accept', 'reject', 'manage'],
      reopen_button: 'off',
      styles: expect.stringContaining('dialog[data-position=bottom]{bottom:0'),
    });

    await page.getByRole('link', { name: 'Version history' }).click();
    await page.getByText('Layout', { exact: true }).first().waitFor();
    const order = page.locator('.mantine-DataList-item', { hasText: 'Order of the buttons' });
    await order.locator('ins').first().waitFor();
  });

  it('takes a colour only as a whole, and back to the default when it is emptied', async () => {
    const page = await openSignedIn('/banner');
    await openDetails(page);
    const background = page.getByLabel('Background, dark', { exact: true });
    await background.fill('#10');
    await page.getByText('Write a colour as #rrggbb').waitFor();
    await background.fill('101820');
    expect(await background.inputValue()).toBe('#101820');
    expect(await page.getByLabel('Colour picker: Background, dark').inputValue()).toBe('#101820');
    await background.fill('');
    expect(await background.getAttribute('placeholder')).toBe('#181c24 (default)');
  });

  it('shows why a logo is refused beside its field', async () => {
    const page = await openSignedIn('/banner');
    await openDetails(page);
    const field = page.getByLabel('Logo address');
    await field.fill('https://cdn.example/logo.svg');
    await page.getByLabel('Alternative text of the logo').fill('Example');
    // A closed part opens for its error.
    await openDetails(page);
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByText(/^Must be a path, for example \/logo\.svg/).waitFor();
    await field.and(page.locator(':focus')).waitFor();
    await field.fill('');
    await page.getByLabel('Alternative text of the logo').waitFor({ state: 'detached' });
  });

  it('is for everybody', async () => {
    const page = await openSignedIn('/banner');
    await dialogIn(page).waitFor();
    await openDetails(page);
    await isForEverybody(page);
  });
});
