import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { startThirdParties, type ThirdParties } from '../support/third-parties.ts';

const FRAME = '<iframe src="https://video.example/embed/1" title="Video"></iframe>';

describe('Automatic blocking of what scripts insert', () => {
  const site = useBannerSite();
  let others: ThirdParties;
  let visit: Visit;

  beforeAll(async () => {
    others = await startThirdParties();
    const register = (handle: string, script_url: string, blocking_method?: string) =>
      site.register({ handle, label: handle, category: 'marketing', script_url, blocking_method });
    await register('ads', 'https://ads.example/');
    await register('video', 'https://video.example/embed/', 'iframe_placeholder');
  });
  afterEach(() => visit?.page.context().close());
  afterAll(() => others?.close());

  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const open = async (page: Parameters<typeof site.visit>[0]) => {
    others.asked.length = 0;
    visit = await site.visit(page, others.context);
    await visit.page.waitForLoadState('networkidle');
  };
  const accept = () => visit.page.getByRole('button', { name: 'Accept all' }).click();
  const loadOnce = () => visit.page.getByRole('button', { name: 'Load once' });
  const ran = () => ask<string[]>('window.ran ?? []');

  it('leaves scripts and frames that the page has prepared as they are', async () => {
    const body = `<script>
      function prepare(name, type) {
        const script = document.createElement('script');
        script.type = 'text/plain';
        script.dataset.pavisCategory = 'marketing';
        if (type) script.dataset.type = type;
        script.src = '/' + name + '.js';
        document.body.append(script);
      }
      prepare('plain');
      prepare('typed', 'text/javascript');
    </script>
    <script type="text/plain" data-pavis-category="marketing" id="tag"></script>
    <iframe data-pavis-category="marketing" data-src="/frame.html" title="Frame"></iframe>
    <script>
      document.getElementById('tag').src = '/tag.js';
      document.querySelector('iframe').src = 'about:blank';
    </script>`;
    await open({ body });
    expect([await ran(), visit.asked.slice(1)]).toEqual([[], []]);
    await accept();
    await expect.poll(ran).toEqual(['tag', 'plain', 'typed']);
    await expect.poll(() => visit.asked).toContain('GET /frame.html');
  });

  it('loads what it has blocked if its address is replaced by one that is not registered', async () => {
    await open({ body: '<div id="box"></div>' });
    await ask(`(() => {
      box.innerHTML = '<img alt="" src="https://ads.example/a.gif">';
      box.firstChild.src = 'https://unregistered.example/b.gif';
      const script = document.createElement('script');
      script.src = 'https://ads.example/a.js';
      script.src = 'https://unregistered.example/b.js';
      document.body.append(script);
    })()`);
    await expect.poll(ran).toEqual(['unregistered.example/b.js']);
    expect(others.asked.toSorted()).toEqual([
      'unregistered.example/b.gif',
      'unregistered.example/b.js',
    ]);
  });

  it.each(['open', 'closed'])('loads what it has blocked in %s shadow roots', async (mode) => {
    const body = `<x-video></x-video><script>
      customElements.define('x-video', class extends HTMLElement {
        connectedCallback() {
          const root = this.attachShadow({ mode: '${mode}' });
          root.innerHTML = '${FRAME}<p></p>';
          const script = document.createElement('script');
          script.src = 'https://ads.example/a.js';
          root.append(script);
          const inner = root.querySelector('p').appendChild(document.createElement('div')).attachShadow({ mode: '${mode}' });
          const prepared = inner.appendChild(document.createElement('script'));
          Object.assign(prepared, { type: 'text/plain', src: '/prepared.js' }).dataset.category = 'analytics';
        }
      });
    </script>`;
    await open({ body });
    expect(others.asked).toEqual([]);
    if (mode === 'open') await loadOnce().waitFor();
    await accept();
    await expect
      .poll(async () => (await ran()).toSorted())
      .toEqual(['ads.example/a.js', 'prepared']);
    expect(others.asked.toSorted()).toEqual(['ads.example/a.js', 'video.example/embed/1']);
    expect(await loadOnce().count()).toBe(0);
    others.asked.length = 0;
    await visit.page.reload();
    // Prepared scripts load on the next page as well.
    await expect
      .poll(async () => (await ran()).toSorted())
      .toEqual(['ads.example/a.js', 'prepared']);
  });

  it('loads scripts in a shadow root whose host was not in the page at the consent', async () => {
    await open({ body: '<p id="host"></p>' });
    await ask(`(() => {
      const root = host.attachShadow({ mode: 'open' });
      const script = document.createElement('script');
      script.src = 'https://ads.example/a.js';
      root.append(script);
      window.kept = host;
    })()`);
    await visit.page.waitForTimeout(100);
    await ask('kept.remove()');
    await accept();
    await visit.page.waitForTimeout(200);
    expect(others.asked).toEqual([]);
    await ask('document.body.append(kept)');
    await expect.poll(() => others.asked).toEqual(['ads.example/a.js']);
  });

  it('loads a script that is prepared after its address was set', async () => {
    await open({});
    await ask(`(() => {
      const script = document.createElement('script');
      script.src = 'https://ads.example/a.js';
      script.type = 'text/plain';
      script.dataset.pavisCategory = 'marketing';
      document.body.append(script);
    })()`);
    await accept();
    await expect.poll(() => others.asked).toEqual(['ads.example/a.js']);
  });

  it('holds as many requests as before after the page has aborted others', async () => {
    await open({});
    await ask(`(() => {
      for (let n = 0; n < 100; n++) {
        const controller = new AbortController();
        fetch('https://ads.example/' + n, controller).catch(Object);
        controller.abort();
        const request = new XMLHttpRequest();
        request.open('GET', 'https://ads.example/' + n);
        request.send();
        request.abort();
      }
      window.end = 'held';
      fetch('https://ads.example/last', { mode: 'no-cors' })
        .then(() => (window.end = 'sent'), () => (window.end = 'failed'));
    })()`);
    await visit.page.waitForTimeout(200);
    expect(await ask('window.end')).toBe('held');
    await accept();
    await expect.poll(() => ask('window.end')).toBe('sent');
    expect(others.asked).toEqual(['ads.example/last']);
  });
});
