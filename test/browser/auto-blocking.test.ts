import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { startThirdParties, type ThirdParties } from '../support/third-parties.ts';

const META = '<meta http-equiv="Content-Security-Policy" content="">';

/** Markup that a parser of the rest of a page could get wrong. */
const PAGE = `<meta name="description" content="A > B"><!-- a comment with <script>no()</script> -->
<script type="application/ld+json">{"text": "<!-- <b> --"}</script>
<script>const html = "<iframe src='https://video.example/embed/2'></iframe>"; log = [html.length];</script>
<style>p::after { content: '</' }</style><link rel="icon" href="data:,"></head>
<body class="home" data-a="1 > 0"><div id="outer"><p>One <b>two <i>three</b> four</i>
<script>document.write('<span id="written">' + document.querySelectorAll('p').length + '</span><script>log.push("inner")<\\/script>');</script>
<table id="t"><tr><td>cell<script>log.push(document.currentScript.parentNode.localName);</script></td>
<script>log.push(document.currentScript.parentNode.localName)</script></tr></table>
<script src="/first.js"></script><script>log.push([...ran])</script>
<script defer src="/last.js"></script><script type="module">log.push(document.querySelectorAll('footer').length)</script>
<script>document.addEventListener('DOMContentLoaded', () => log.push('ready', document.readyState, [...ran]))</script>
<noscript><img src="https://ads.example/noscript.gif"></noscript>
<iframe title="Video" src="https://video.example/embed/1" width="300" height="200"></iframe>
<textarea><b>text</b></textarea>&amp;<section><article>Last <a href="#x">link
</article></section><img alt="" src="https://ads.example/static.gif"><footer id="x">End</div></footer>`;

describe('Automatic blocking', () => {
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
    await visit.page.waitForLoadState('load');
  };
  /** Waits until the network has been asked for all that the page has loaded. */
  const settle = () => visit.page.waitForLoadState('networkidle');

  const texts = (selector: string) =>
    ask(`[...document.querySelectorAll('${selector}')].map((each) => each.textContent)`);

  /** Starts each kind of request; `host` gets it. */
  const requestAll = (host: string) =>
    ask(`(() => {
      window.made = (window.made ?? 0) + 1;
      const at = (name) => 'https://${host}/' + name + '?' + made;
      window.results = {};
      const note = (name) => (event) => { results[name] = event?.type ?? String(event); };
      const script = document.createElement('script');
      script.type = 'text/javascript';
      script.async = true;
      script.src = at('created.js');
      script.type = 'text/javascript';
      script.onload = script.onerror = note('script');
      document.head.appendChild(script);
      const other = document.createElement('script');
      other.setAttribute('src', at('attribute.js'));
      document.head.append(other);
      const sheet = document.createElement('link');
      sheet.rel = 'stylesheet';
      sheet.href = at('sheet.css');
      document.head.append(sheet);
      const box = document.createElement('div');
      box.innerHTML = '<p>Text<img alt="" src="' + at('html.gif') + '">';
      box.insertAdjacentHTML('beforeend', '<iframe src="' + at('embed/html') + '"></iframe>');
      document.body.append(box);
      new Image().src = at('pixel.gif');
      fetch(at('fetch.json'), { method: 'POST', body: 'a' }).then(({ status }) => note('fetch')(status), note('fetch'));
      const request = new XMLHttpRequest();
      request.open('GET', at('xhr.json'));
      request.onload = request.onerror = (event) => { results.xhr = [event.type, request.readyState, request.status]; };
      request.send();
      results.beacon = navigator.sendBeacon(at('beacon.json'), 'b');
    })()`);
  const NAMES =
    'attribute.js beacon.json created.js embed/html fetch.json html.gif pixel.gif sheet.css xhr.json';
  const listAll = (host: string) => NAMES.split(' ').map((name) => `${host}/${name}`);

  it('holds all that scripts request from registered hosts, and sends it once after consent', async () => {
    await open({});
    await requestAll('ads.example');
    await requestAll('unregistered.example');
    await ask(`fetch('/frame.html').then((answer) => answer.text())`);
    await expect.poll(() => others.asked.length).toBe(listAll('').length);
    await settle();
    expect(others.asked.toSorted()).toEqual(listAll('unregistered.example'));
    // Later answers would be taken for those to the next requests.
    const answered = { script: 'load', fetch: '200', xhr: ['load', 4, 200] };
    await expect.poll(() => ask('results')).toEqual({ beacon: true, ...answered });
    await ask('results = {}');
    await requestAll('ads.example');
    expect(await ask('results')).toEqual({ beacon: true });
    expect(await ask(`document.querySelector('[src*="ads.example/created.js"]').src`)).toMatch(
      'https://ads.example/created.js',
    );
    others.asked.length = 0;
    await ask('void pavis.accept()');
    const both = listAll('ads.example').flatMap((each) => [each, each]);
    await expect.poll(() => others.asked.toSorted()).toEqual(both);
    await expect.poll(() => ask('results')).toEqual({ beacon: true, ...answered });
    await requestAll('ads.example');
    await expect.poll(() => others.asked.length).toBe(both.length * 1.5);
    expect(visit.faults).toEqual([]);
  });

  it('fails held requests after rejection as if there was no network', async () => {
    await open({});
    await requestAll('ads.example');
    await ask('pavis.reject()');
    const failed = { beacon: true, fetch: 'TypeError: Failed to fetch', xhr: ['error', 4, 0] };
    await expect.poll(() => ask('results')).toEqual(failed);
    await requestAll('ads.example');
    await expect.poll(() => ask('results')).toEqual(failed);
    const now = `(() => { const request = new XMLHttpRequest();
      request.open('GET', 'https://ads.example/sync', false); request.send(); })()`;
    await expect(ask(now)).rejects.toThrow('NetworkError');
    await settle();
    expect(others.asked).toEqual([]);
    expect(visit.faults).toEqual([]);
  });

  it('ends held requests that the page aborts, and does not send them after consent', async () => {
    await open({});
    await ask(`(() => {
      const url = 'https://ads.example/held.json';
      window.results = [];
      const note = (name) => ({ type, reason }) => results.push(name + ' ' + type);
      const get = (name, input, options) => fetch(input, options).catch((error) => results.push(name + ' ' + error.name));
      const controller = new AbortController();
      get('fetch', url, { signal: controller.signal });
      get('request', new Request(url, { signal: controller.signal }));
      get('detached', new Request(url + '?sent', { signal: controller.signal }), { signal: null });
      get('timeout', url, { signal: AbortSignal.timeout(1) });
      controller.abort();
      get('aborted', url, { signal: controller.signal });
      window.request = new XMLHttpRequest();
      for (const type of ['abort', 'error', 'load']) request.addEventListener(type, note('xhr'));
      request.open('GET', url);
      request.send();
      request.abort();
    })()`);
    const ended = [
      'aborted AbortError',
      'fetch AbortError',
      'request AbortError',
      'timeout TimeoutError',
      'xhr abort',
    ];
    await expect.poll(() => ask('results.toSorted()')).toEqual(ended);
    expect(await ask('request.readyState')).toBe(0);
    await ask('void pavis.accept()');
    await expect.poll(() => others.asked).toEqual(['ads.example/held.json']);
    await ask(`(request.open('GET', 'https://ads.example/again.json'), request.send())`);
    await expect.poll(() => ask('results.length')).toBe(6);
    expect(others.asked).toEqual(['ads.example/held.json', 'ads.example/again.json']);
    await ask('request.abort()');
    expect([await ask('results.at(-1)'), visit.faults]).toEqual(['xhr load', []]);
  });

  it('blocks what is inserted with attributes of a namespace, or as HTML without checks', async () => {
    await open({});
    await ask(`(() => {
      for (const [index, name] of ['src', 'SRC'].entries()) {
        const script = document.createElement('script');
        script.setAttributeNS(index ? '' : null, name, 'https://ads.example/namespace.js');
        script.setAttribute('type', 'text/javascript');
        document.head.append(script);
      }
      const image = document.createElement('img');
      image.setAttributeNS(null, 'src', 'https://ads.example/namespace.gif');
      const box = document.createElement('div');
      document.body.append(box, image);
      const markup = '<img alt="" src="https://ads.example/unsafe.gif">';
      box.setHTMLUnsafe(markup);
      box.attachShadow({ mode: 'open' }).setHTMLUnsafe(markup);
      // An attribute of another namespace is no address.
      image.setAttributeNS('https://example.com/', 'src', 'https://ads.example/other.gif');
      fetch('https://unregistered.example/last.json');
    })()`);
    await expect.poll(() => others.asked).toEqual(['unregistered.example/last.json']);
    await settle();
    expect(others.asked).toEqual(['unregistered.example/last.json']);
    expect(visit.faults).toEqual([]);
  });

  it('replaces functions by ones that look like those of the browser', async () => {
    const look = `[fetch, Document.prototype.write, Element.prototype.setAttribute, XMLHttpRequest.prototype.send,
      Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src').set]
      .map((each) => [each.name, each.length, typeof each, /native code/.test(String(each))])`;
    const own = `Object.keys(window).filter((name) => /pavis/i.test(name))`;
    await open({ withoutBanner: true });
    const native = await ask(look);
    await open({});
    expect(await ask(look)).toEqual(native);
    expect(await ask('new Image() instanceof HTMLImageElement')).toBe(true);
    await expect(ask('fetch()')).rejects.toThrow("Failed to execute 'fetch'");
    await expect(ask(`document.body.setAttribute('a')`)).rejects.toThrow('2 arguments required');
    expect(await ask(own)).toEqual(['pavis']);
  });

  it('blocks tags in the page, and parses it as the browser does', async () => {
    const read = async () => {
      await settle();
      return ask<[string, unknown]>(`(() => {
        document.querySelector('pavis-banner')?.remove();
        document.querySelector('[src$="banner.js"]')?.remove();
        for (const each of document.querySelectorAll('iframe, [src^="https:"], [data-src]')) each.replaceWith('-');
        for (const each of document.querySelectorAll('noscript')) each.textContent = '';
        for (const each of document.querySelectorAll('.slot, [style*="inline-block"]')) each.remove();
        return [document.documentElement.outerHTML.replaceAll('><', '>\\n<'), log];
      })()`);
    };
    const page = { head: META + PAGE };
    await open({ ...page, withoutBanner: true });
    const [html, log] = await read();
    expect(others.asked.toSorted()).toEqual(['ads.example/static.gif', 'video.example/embed/1']);

    await open(page);
    await visit.page.getByRole('button', { name: 'Load once' }).waitFor();
    const [blocked, blockedLog] = await read();
    expect(others.asked).toEqual([]);
    expect(blockedLog).toEqual(log);
    expect(blocked).toBe(html);
    expect(visit.faults).toEqual([]);
  });

  it('blocks frames on a page with a policy that requires nonces', async () => {
    const policy = `script-src 'nonce-abc'; frame-src *; connect-src ${site.app.url}`;
    const frame = '<iframe src="https://video.example/embed/1"></iframe>';
    const body = `<p>Before</p>${frame}<script nonce="abc">window.ran = 1</script>${frame}<p>After</p>`;
    const headers = { 'content-security-policy': policy };
    await open({ banner: 'nonce="abc"', headers, head: META, body });
    await visit.page.getByRole('button', { name: 'Load once' }).nth(1).waitFor();
    expect(await texts('p')).toEqual(['With text.', 'Before', 'After']);
    expect(await ask('ran')).toBe(1);
    await settle();
    expect(others.asked).toEqual([]);
  });

  it.each([
    ['an SVG', '<svg><title>A</title><script>window.drawn = 1</script></svg>', {}],
    ['a template', '<template><script>window.drawn = 1</script></template>', {}],
    ['files only', '', { 'content-security-policy': `script-src http://127.0.0.1:*` }],
  ])('leaves a page with scripts in %s intact', async (_name, part, headers) => {
    await open({ head: META, headers, body: `${part}<ul><li>One<li>Two</ul>` });
    expect(await texts('li')).toEqual(['One', 'Two']);
  });

  it('is off with data-auto-blocking="off"', async () => {
    const body = '<iframe src="https://video.example/embed/1"></iframe>';
    await open({ banner: 'data-auto-blocking="off"', body });
    await expect.poll(() => others.asked).toEqual(['video.example/embed/1']);
  });
});
