import { describe, expect, it } from 'vitest';
import { openPreferences, useBannerSite } from '../support/banner.ts';
import { useConsole } from '../support/console.ts';

const FORCED = { forcedColors: 'active' } as const;
/** In the page. */
declare const getComputedStyle: (node: unknown, part?: string) => Record<string, string>;

describe('Forced colours', () => {
  const site = useBannerSite();
  const { app, openSignedIn, heading } = useConsole({ PAVIS_CHROMIUM: 'off' });

  it('show whether the switches of the banner are on', async () => {
    const { page } = await site.visit({}, FORCED);
    await openPreferences(page);
    const analytics = page.getByRole('switch', { name: 'Analytics' });
    expect(
      await analytics.evaluate((input) => {
        const { borderLeftWidth, borderLeftColor } = getComputedStyle(input, '::before');
        const isSeen = borderLeftColor !== getComputedStyle(input).backgroundColor;
        return { borderLeftWidth, isSeen };
      }),
    ).toEqual({ borderLeftWidth: '7px', isSeen: true });
    await page.context().close();
  });

  it('show the switches of the console and the current page', async () => {
    const page = await openSignedIn('/banner', FORCED);
    await heading(page, 'Banner').waitFor();
    await page.getByText('Show consent banner').waitFor();
    const look = (part: string) =>
      page
        .locator(`.mantine-Switch-${part}`)
        .first()
        .evaluate((node) => {
          const { borderTopWidth, backgroundColor } = getComputedStyle(node);
          return { borderTopWidth, backgroundColor };
        });
    const track = await look('track');
    expect(track.borderTopWidth).toBe('1px');
    expect((await look('thumb')).backgroundColor).not.toBe(track.backgroundColor);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    const backgrounds = await links.evaluateAll((nodes) =>
      nodes.map((node) => getComputedStyle(node).backgroundColor),
    );
    expect(new Set(backgrounds).size).toBe(2);
  });

  it('show which colour of a chart means what', async () => {
    const body = { visitor_id: 'ada', consent_action: 'accept_all' };
    expect((await app.http.post('/wp-json/svc/v1/consent', { body })).status).toBe(200);
    const page = await openSignedIn('/consent/figures', FORCED);
    const getColours = (selector: string) =>
      page
        .locator(selector)
        .evaluateAll((nodes) => nodes.map((node) => getComputedStyle(node).backgroundColor));
    const legend = '.recharts-legend-wrapper .mantine-ColorSwatch-colorOverlay';
    await page.locator(legend).first().waitFor();
    expect(new Set(await getColours(legend)).size).toBe(3);
    const [part] = await getColours('.mantine-Progress-section');
    expect(part).not.toBe((await getColours('.mantine-Progress-root'))[0]);
  });
});
