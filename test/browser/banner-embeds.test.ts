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

  const place = (title: string) =>
    visit.page.evaluate(
      `(() => { const { x, width, height } =
        document.querySelector('[title=${title}]').previousElementSibling.getBoundingClientRect();
        return [x, width, height]; })()`,
    );

  it('take the place of frames that the page lays over a box of their ratio', async () => {
    // As WordPress does with the videos of a theme.
    visit = await site.visit({
      head: `<style>body { margin: 0 } .ratio { position: relative; max-width: 640px }
        .ratio::before { content: ''; display: block; padding-top: 50% }
        .ratio iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0 }</style>`,
      body: '<div class="ratio"><iframe data-src="/video.html" data-category="marketing" title="Video"></iframe></div>',
    });
    await visit.page.getByRole('button', { name: 'Load once' }).waitFor();
    expect(await place('Video')).toEqual([0, 640, 320]);
    expect((await visit.page.locator('.ratio').boundingBox())?.height).toBe(320);
    await visit.page.setViewportSize({ width: 400, height: 800 });
    expect(await place('Video')).toEqual([0, 400, 200]);
  });

  it('follow the size of frames that the page makes as wide as a part of the window', async () => {
    visit = await site.visit({
      head: `<style>body { margin: 0 } iframe { border: 0; width: 50%; height: auto; aspect-ratio: 2 }
        .column { display: flex } .column iframe { flex: none }</style>`,
      body: `<iframe data-src="/video.html" data-category="marketing" title="Video"></iframe>
        <div class="column"><iframe data-src="/map.html" data-category="marketing" title="Map"></iframe></div>`,
    });
    await visit.page.setViewportSize({ width: 1200, height: 800 });
    const loads = visit.page.getByRole('button', { name: 'Load once' });
    await expect.poll(() => loads.count()).toBe(2);
    for (const [width, half] of [
      [1200, 600],
      [400, 200],
      [1000, 500],
    ] as const) {
      await visit.page.setViewportSize({ width, height: 800 });
      await expect.poll(() => place('Video')).toEqual([0, half, half / 2]);
      expect(await place('Map')).toEqual([0, half, half / 2]);
    }
    await loads.first().click();
    await expect.poll(() => loads.count()).toBe(1);
    await visit.page.setViewportSize({ width: 400, height: 800 });
    const frame = visit.page.getByTitle('Video');
    expect(await frame.boundingBox()).toMatchObject({ width: 200, height: 100 });
  });

  it('appear in parts of the page that are shown later, in the size of the frame', async () => {
    visit = await site.visit({
      body: `<div id="tab" style="display: none">
        <iframe data-src="/map.html" data-category="marketing" title="Map" width="400" height="300"></iframe></div>
        <iframe data-src="/tag.html" data-category="marketing" title="Tag" style="display: none"></iframe>
        <iframe data-src="/video.html" data-category="marketing" title="Video"></iframe>`,
    });
    const loads = visit.page.getByRole('button', { name: 'Load once', includeHidden: true });
    await loads.first().waitFor();
    expect(await loads.count()).toBe(1);
    await visit.page.evaluate("document.querySelector('#tab').style.display = ''");
    await expect.poll(() => loads.count()).toBe(2);
    expect(await place('Map')).toEqual([8, 404, 304]);
  });
});
