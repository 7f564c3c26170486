import { describe, expect, it } from 'vitest';
import { openPreferences, useBannerSite } from '../support/banner.ts';
import { useConsole } from '../support/console.ts';

const FORCED = { forcedColors: 'active' } as const;
const THUMB = `(input) => {
  const { width, height, borderLeftColor } = getComputedStyle(input, '::before');
  return { width, height, isSeen: borderLeftColor !== getComputedStyle(input).backgroundColor };
}`;
const LOOK = `(node) => {
  const { borderTopWidth, backgroundColor } = getComputedStyle(node);
  return { borderTopWidth, backgroundColor };
}`;
const BACKGROUNDS = '(links) => links.map((link) => getComputedStyle(link).backgroundColor)';

describe('Forced colours', () => {
  const site = useBannerSite();
  const { openSignedIn, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });

  it('show whether the switches of the banner are on', async () => {
    const { page } = await site.visit({}, FORCED);
    await openPreferences(page);
    const analytics = page.getByRole('switch', { name: 'Analytics' });
    expect(await analytics.evaluate(THUMB)).toEqual({
      width: '14px',
      height: '14px',
      isSeen: true,
    });
    await page.context().close();
  });

  it('show the switches of the console and the current page', async () => {
    const page = await openSignedIn('/banner', FORCED);
    await heading(page, 'Banner').waitFor();
    await page.getByText('Show consent banner').waitFor();
    const look = (part: string): Promise<{ borderTopWidth: string; backgroundColor: string }> =>
      page.locator(`.mantine-Switch-${part}`).first().evaluate(LOOK);
    const track = await look('track');
    expect(track.borderTopWidth).toBe('1px');
    expect((await look('thumb')).backgroundColor).not.toBe(track.backgroundColor);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const backgrounds: string[] = await links.evaluateAll(BACKGROUNDS);
    expect(new Set(backgrounds).size).toBe(2);
  });
});
