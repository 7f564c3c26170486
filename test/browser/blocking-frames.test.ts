import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { startThirdParties, type ThirdParties } from '../support/third-parties.ts';

const FRAME = '<iframe src="https://video.example/embed/1" title="Video"></iframe>';

describe('The banner with frames that the page changes', () => {
  const site = useBannerSite();
  let others: ThirdParties;
  let visit: Visit;

  beforeAll(async () => {
    others = await startThirdParties();
    const register = (handle: string, script_url: string, blocking_method?: string) =>
      site.register({ handle, label: handle, category: 'marketing', script_url, blocking_method });
    await register('video', 'https://video.example/embed/', 'iframe_placeholder');
    await register('maps', 'https://maps.example/maps/', 'iframe_placeholder');
  });
  afterEach(() => visit?.page.context().close());
  afterAll(() => others?.close());

  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const open = async (page: Parameters<typeof site.visit>[0]) => {
    others.asked.length = 0;
    visit = await site.visit(page, others.context);
    await visit.page.waitForLoadState('networkidle');
  };
  const press = (name: string) => visit.page.getByRole('button', { name }).click();
  const loadOnce = () => visit.page.getByRole('button', { name: 'Load once' });

  it('follows frames that the page changes, moves and removes', async () => {
    await open({ body: `<div id="one">${FRAME}</div><div id="two"></div>` });
    await loadOnce().waitFor();
    await ask(`void (window.frame = document.querySelector('iframe'), two.append(frame))`);
    await expect.poll(() => ask('frame.previousSibling === two.firstChild')).toBe(true);
    await ask('frame.remove()');
    await expect.poll(() => loadOnce().count()).toBe(0);
    await ask('one.append(frame)');
    await loadOnce().waitFor();
    await ask(`void (frame.src = '/own.html')`);
    await expect.poll(() => loadOnce().count()).toBe(0);
    await visit.page.frameLocator('[title=Video]').getByText('embedded').waitFor();
    expect(await visit.page.locator('iframe').isVisible()).toBe(true);
    await ask(`void (frame.src = 'https://video.example/embed/2')`);
    await loadOnce().click();
    await expect.poll(() => others.asked).toEqual(['video.example/embed/2']);
    await ask(`void (frame.src = 'https://video.example/embed/3')`);
    await loadOnce().waitFor();
    await press('Accept all');
    // The empty document from before can end its loading late: then the address is loaded anew.
    await expect
      .poll(() => [...new Set(others.asked)])
      .toEqual(['video.example/embed/2', 'video.example/embed/3']);
    expect(await visit.page.locator('iframe').isVisible()).toBe(true);
  });

  it('shows a placeholder for a frame that a script loads later from data-src', async () => {
    await open({ body: '<iframe data-src="https://video.example/embed/1" title="Late"></iframe>' });
    await ask(
      `void (([frame]) => (frame.src = frame.dataset.src))(document.getElementsByTagName('iframe'))`,
    );
    await loadOnce().waitFor();
    expect(others.asked).toEqual([]);
  });

  it('keeps a frame that the visitor has loaded once', async () => {
    await open({ body: `<div id="one">${FRAME}</div><div id="two"></div>` });
    await loadOnce().click();
    await ask(`void (window.frame = document.querySelector('iframe'))`);
    const load = async (change: string) => {
      others.asked.length = 0;
      await ask(`void (${change})`);
      await expect.poll(() => others.asked).toEqual(['video.example/embed/1']);
      expect([await loadOnce().count(), await ask('frame.offsetWidth > 0')]).toEqual([0, true]);
    };
    await expect.poll(() => others.asked).toEqual(['video.example/embed/1']);
    // As a page does that stops a video.
    await load('frame.src = frame.src');
    await load('two.append(frame)');
    await load(`frame.src = '/own.html', frame.src = 'https://video.example/embed/1'`);
    await load(`frame.setAttribute('src', 'https://video.example/embed/1')`);
  });

  it('names the provider of the address that the page has set last', async () => {
    const name = () => visit.page.locator('.slot').textContent();
    await open({ body: FRAME });
    await loadOnce().waitFor();
    await ask(
      `void ((window.frame = document.querySelector('iframe')).src = 'https://maps.example/maps/1')`,
    );
    await expect.poll(name).toContain('maps.example');
    expect(await loadOnce().count()).toBe(1);
    await ask(`void (frame.src = 'https://video.example/embed/2', frame.src = '/own.html')`);
    await expect.poll(() => loadOnce().count()).toBe(0);
    // While no placeholder can be shown.
    await ask(`void (frame.parentNode.hidden = true, frame.src = 'https://maps.example/maps/1')`);
    await ask(`void (frame.src = 'https://video.example/embed/3')`);
    await ask('frame.parentNode.hidden = false');
    await expect.poll(name).toContain('video.example');
    await loadOnce().click();
    await expect.poll(() => others.asked).toEqual(['video.example/embed/3']);
    expect(await ask('frame.offsetWidth > 0')).toBe(true);
  });

  it('loads a frame after consent whose lazy loader has removed data-src', async () => {
    await open({ body: '<iframe data-src="https://video.example/embed/1" title="Late"></iframe>' });
    const load = () =>
      ask(`void (([frame]) => {
        frame.src = frame.dataset.src;
        frame.removeAttribute('data-src');
      })(document.getElementsByTagName('iframe'))`);
    await load();
    await loadOnce().waitFor();
    await load();
    await visit.page.waitForLoadState('networkidle');
    expect([await loadOnce().count(), others.asked]).toEqual([1, []]);
    await press('Accept all');
    await expect.poll(() => others.asked).toEqual(['video.example/embed/1']);
    expect(await visit.page.locator('iframe').isVisible()).toBe(true);
  });

  it('does not listen for frames that the page has removed', async () => {
    const beforeBanner = `<script>
      window.listening = 0;
      for (const [name, change] of [['addEventListener', 1], ['removeEventListener', -1]]) {
        const native = window[name];
        window[name] = function (...all) {
          if (all[0] === 'resize') listening += change;
          return native.apply(this, all);
        };
      }
    </script>`;
    await open({ beforeBanner, body: '<div id="box"></div>' });
    for (const _each of [1, 2]) {
      await ask(`void (box.innerHTML = '${FRAME}')`);
      await loadOnce().waitFor();
      expect(await ask('listening')).toBe(1);
      await ask(`void (box.textContent = '')`);
      await expect.poll(() => ask('listening')).toBe(0);
    }
  });
});
