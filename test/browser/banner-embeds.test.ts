import { afterEach, describe, expect, it } from 'vitest';
import { axeFinds } from '../support/accessible.ts';
import { useBannerSite, type Visit } from '../support/banner.ts';

const EMBEDS = [
  ['https://www.youtube-nocookie.com/embed/1', 'YouTube (www.youtube-nocookie.com)', 'video'],
  ['https://player.vimeo.com/video/1', 'Vimeo (player.vimeo.com)', 'video'],
  ['https://www.google.com/maps/embed?pb=1', 'Google Maps (www.google.com)', 'map'],
  ['https://www.facebook.com/plugins/post.php?href=1', 'Facebook (www.facebook.com)', 'post'],
  ['https://open.spotify.com/embed/track/1', 'Spotify (open.spotify.com)', 'music'],
  ['https://docs.google.com/forms/d/e/1/viewform', 'Google Forms (docs.google.com)', 'form'],
  // No address of the library, although each looks like one.
  ['https://docs.google.com/document/1', 'docs.google.com', null],
  ['https://notyoutube.com/embed/1', 'notyoutube.com', null],
  ['https://www.google.com/search', 'www.google.com', null],
  ['https://youtube.com.example/embed/1', 'youtube.com.example', null],
] as const;

const toFrames = (height: number) =>
  EMBEDS.map(
    ([src]) =>
      `<iframe data-src="${src}" data-category="marketing" title="Embedded" width="560" height="${height}"></iframe>`,
  ).join('');

describe('Placeholders of known embedded content', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit?.page.context().close());

  const slots = () =>
    visit.page.evaluate<{ text: string; symbol: string | null; shown: boolean }[]>(
      `[...document.querySelectorAll('div')].flatMap(({ shadowRoot }) => {
        const slot = shadowRoot?.querySelector('.slot');
        const symbol = shadowRoot?.querySelector('svg');
        return slot ? [{ text: slot.firstChild.firstChild.data ?? symbol.nextSibling.data,
          symbol: symbol?.firstChild.getAttribute('d') ?? null,
          shown: !!symbol?.checkVisibility() }] : [];
      })`,
    );
  const open = async (height: number, colorScheme: 'light' | 'dark' = 'light') => {
    visit = await site.visit({ body: toFrames(height) }, { colorScheme });
    await visit.page.waitForFunction(
      `[...document.querySelectorAll('div')].filter((each) => each.shadowRoot).length === ${EMBEDS.length}`,
    );
  };

  it('name it and show a symbol of its kind, without a request to the third party', async () => {
    await open(315);
    const shown = await slots();
    const symbols = new Map<string | null, string | null>();
    for (const [at, [, provider, kind]] of EMBEDS.entries()) {
      expect(shown[at]?.text).toBe(
        `This content is provided by ${provider} and may collect data about you.`,
      );
      expect([provider, shown[at]?.shown]).toEqual([provider, kind !== null]);
      const known = symbols.get(kind);
      if (known !== undefined) expect(shown[at]?.symbol).toBe(known);
      symbols.set(kind, shown[at]?.symbol ?? null);
    }
    // A symbol for each kind, and none.
    expect(new Set(symbols.values()).size).toBe(6);
    expect(visit.asked.filter((each) => !each.startsWith('GET /page'))).toEqual([]);
    expect(visit.faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('are accessible in the %s theme', async (scheme) => {
    await open(315, scheme);
    expect(await axeFinds(visit.page, ['color-contrast', 'button-name', 'svg-img-alt'])).toEqual(
      [],
    );
  });

  it('leave the symbol out where text and buttons need the place', async () => {
    await open(200);
    expect((await slots()).some(({ shown }) => shown)).toBe(false);
  });
});
