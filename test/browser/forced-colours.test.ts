import { describe, expect, it } from 'vitest';
import { openPreferences, useBannerSite } from '../support/banner.ts';
import { useConsole } from '../support/console.ts';

const FORCED = { forcedColors: 'active' } as const;

describe('Forced colours', () => {
  const site = useBannerSite();
  const { openSignedIn, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });

  it('shows whether the switches of the banner are on', async () => {
    const { page } = await site.visit({}, FORCED);
    await openPreferences(page);
    const thumb = await page.getByRole('switch', { name: 'Analytics' }).evaluate((input) => {
      const { width, height, borderLeftColor } = getComputedStyle(input, '::before');
      return { width, height, isSeen: borderLeftColor !== getComputedStyle(input).backgroundColor };
    });
    expect(thumb).toEqual({ width: '14px', height: '14px', isSeen: true });
    await page.context().close();
  });

  it('shows the switches of the console and the current page', async () => {
    const page = await openSignedIn('/banner', FORCED);
    await heading(page, 'Banner').waitFor();
    const field = page.getByLabel('Show consent banner');
    await field.waitFor();
    const [track, thumb] = await Promise.all(
      ['track', 'thumb'].map((part) =>
        page
          .locator(`.mantine-Switch-${part}`)
          .first()
          .evaluate((node) => {
            const { borderTopWidth, backgroundColor } = getComputedStyle(node);
            return { borderTopWidth, backgroundColor };
          }),
      ),
    );
    expect(track?.borderTopWidth).toBe('1px');
    expect(thumb?.backgroundColor).not.toBe(track?.backgroundColor);
    const colours = await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => getComputedStyle(link).backgroundColor));
    expect(new Set(colours).size).toBe(2);
  });
});
