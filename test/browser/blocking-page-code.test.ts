import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { startThirdParties, type ThirdParties } from '../support/third-parties.ts';

const FRAME = '<iframe src="https://video.example/embed/1" title="Video"></iframe>';
const NO_PRELOAD = '<meta http-equiv="Content-Security-Policy" content="">';

describe('The banner on pages whose code it does not expect', () => {
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
  const press = (name: string) => visit.page.getByRole('button', { name }).click();
  const loadOnce = () => visit.page.getByRole('button', { name: 'Load once' });
  const ran = () => ask<string[]>('window.ran ?? []');

  it('blocks what stands beside tags with invalid addresses, and loads it after consent', async () => {
    const body = `<p id="kept">Kept</p><img alt="" src="https://"><iframe src="http://[x" title="None"></iframe>
      <img alt="" data-category="marketing" data-src="https://">
      <script src="https://ads.example/a.js"></script>${FRAME}`;
    await open({ head: NO_PRELOAD, body });
    expect([others.asked, visit.faults]).toEqual([[], []]);
    expect(await visit.page.locator('#kept').count()).toBe(1);
    await loadOnce().waitFor();
    await press('Accept all');
    await expect
      .poll(() => others.asked.toSorted())
      .toEqual(['ads.example/a.js', 'video.example/embed/1']);
  });

  it('keeps scripts blocked that a library disables while it inserts them', async () => {
    // As jQuery does.
    const body = `<div id="box"></div><script>
      function insert(html) {
        const parsed = document.createElement('div');
        parsed.innerHTML = html;
        const [script] = parsed.children;
        script.type = (script.getAttribute('type') !== null) + '/' + script.type;
        box.append(script);
        if (script.type.startsWith('true/')) script.type = script.type.slice(5);
        else script.removeAttribute('type');
        if (!/^$|^module$|script/.test(script.type)) return;
        const other = document.createElement('script');
        other.text = script.text;
        document.head.append(other);
      }
      insert('<script type="text/plain" data-pavis-category="marketing">(window.ran ??= []).push("inline")<\\/script>');
      insert('<script src="https://ads.example/a.js"><\\/script>');
      insert('<script>(window.ran ??= []).push("own")<\\/script>');
    </script>`;
    await open({ body });
    expect([await ran(), others.asked]).toEqual([['own'], []]);
    await press('Accept all');
    await expect.poll(ran).toEqual(['own', 'inline', 'ads.example/a.js']);
  });

  it('runs scripts that are inserted as HTML, each once, and tells their listeners', async () => {
    const body = `<div id="box"></div><script type="text/plain" data-category="marketing" src="/last.js"></script><script>
      box.innerHTML = '<script type="text/plain" data-category="marketing" src="/one.js" onload="note(this.id)" id="a"><\\/script>' +
        '<script type="text/plain" data-category="marketing" async data-src="/two.js"><\\/script>' +
        '<script type="text/plain" data-category="marketing">note("inline")<\\/script>';
      function note(what) { (window.notes ??= []).push(what); }
      a.addEventListener('load', () => note('listener'));
    </script>`;
    await open({ body });
    await press('Accept all');
    // Sooner than a script that does not respond.
    await visit.page.waitForFunction('window.ran?.length === 3', undefined, { timeout: 4_000 });
    expect((await ran()).toSorted()).toEqual(['last', 'one', 'two']);
    expect(await ask('notes')).toEqual(['a', 'listener', 'inline']);
  });

  it('runs the elements that scripts have made, whatever they have set on them', async () => {
    // As the snippets of many vendors do, and some remove the element when it has run.
    const body = `<script>
      window.addEventListener('error', () => note('error'));
      function note(what) { (window.notes ??= []).push(what); }
      for (const [name, async] of [['a', true], ['b', false]]) {
        const made = document.createElement('script');
        made.async = async;
        made.src = 'https://ads.example/' + name + '.js';
        made.onload = () => {
          made.parentNode.removeChild(made);
          note(name);
        };
        document.head.append(made);
      }
    </script>`;
    await open({ body });
    expect([await ran(), others.asked]).toEqual([[], []]);
    await press('Accept all');
    await expect.poll(() => ask<string[]>('(window.notes ?? []).sort()')).toEqual(['a', 'b']);
    expect((await ran()).toSorted()).toEqual(['ads.example/a.js', 'ads.example/b.js']);
  });

  it('holds the other addresses of a blocked image until consent', async () => {
    const image = (name: string) =>
      `<img alt="" src="https://ads.example/${name}.gif" srcset="https://ads.example/${name}-large.gif 1x">`;
    const body = `${image('a')}<div id="box"></div><script>box.innerHTML = '${image('b')}'</script>`;
    await open({ head: NO_PRELOAD, body });
    expect(others.asked).toEqual([]);
    await press('Accept all');
    await expect
      .poll(() => others.asked.toSorted())
      .toEqual(['ads.example/a-large.gif', 'ads.example/b-large.gif']);
  });

  it('holds requests whose options take the signal of a request away', async () => {
    await open({});
    await ask(`void fetch(new Request('https://ads.example/a.json', { signal: AbortSignal.abort() }), { signal: null })
      .then(({ status }) => (window.result = status), ({ name }) => (window.result = name))`);
    await press('Reject all');
    await expect.poll(() => ask('window.result')).toBe('TypeError');
    expect(others.asked).toEqual([]);
  });

  it('keeps declarative shadow roots below the last script', async () => {
    const body = `${FRAME}<x-card><template shadowrootmode="open"><p>Inside</p></template></x-card>`;
    await open({ body });
    await loadOnce().waitFor();
    await visit.page.locator('x-card').getByText('Inside').waitFor();
  });

  it('leaves what a page in XHTML inserts as it is', async () => {
    const { url } = site.app;
    await open({ withoutBanner: true });
    const html = `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A</title><script src="${url}/banner.js"></script></head>
      <body><div id="box"></div></body></html>`;
    await visit.page.route('**/page.xhtml', (route) =>
      route.fulfill({ contentType: 'application/xhtml+xml', body: html }),
    );
    await visit.page.goto(`${site.origin()}/page.xhtml`);
    await ask(
      `void (document.getElementById('box').innerHTML = '<img alt="" src="https://ads.example/a.gif"/><p>Text</p>')`,
    );
    await visit.page.getByText('Text').waitFor();
    expect(visit.faults).toEqual([]);
  });

  it('records and keeps a choice where arrays have a method toJSON', async () => {
    // As in Prototype.js 1.6.
    const beforeBanner = `<script>
      Array.prototype.toJSON = function () { return '[' + this.map((each) => JSON.stringify(each)).join(', ') + ']'; };
      if (!document.cookie) localStorage.pavis_queue = JSON.stringify([{ key: 'a', body: {} }]);
    </script>`;
    await open({ beforeBanner });
    await press('Accept all');
    await expect.poll(() => ask('localStorage.length')).toBe(0);
    expect(visit.sent).toHaveLength(1);
    expect(visit.sent[0]?.body.categories_accepted).toContain('marketing');
    await visit.page.reload();
    await ask('pavis.ready.then(() => undefined)');
    expect(await ask('[pavis.mustAsk, pavis.has("marketing")]')).toEqual([false, true]);
  });

  it('deletes cookies that require a secure connection, and partitioned ones', async () => {
    await open({});
    await press('Accept all');
    const set = ['_ga_a=1;Secure', '_ga_b=1;Secure;SameSite=None;Partitioned', '_ga_c=1'];
    for (const each of set) await ask(`void (document.cookie = '${each};Path=/')`);
    const theirs = async () =>
      (await visit.page.context().cookies()).filter(({ name }) => name.startsWith('_ga'));
    expect(await theirs()).toHaveLength(set.length);
    const reloaded = visit.page.waitForEvent('load');
    await ask('void pavis.withdraw()');
    await reloaded;
    expect(await theirs()).toEqual([]);
  });

  it('opens preferences that can be used above a modal dialog of the page', async () => {
    const body = `<dialog id="page"><button data-pavis-open>My privacy</button></dialog>`;
    await open({ body });
    await ask('page.showModal()');
    await press('My privacy');
    await visit.page.getByRole('switch', { name: 'Marketing' }).click({ timeout: 10_000 });
    await press('Save preferences');
    await expect.poll(() => ask('pavis.has("marketing")')).toBe(true);
    // The focus returns to the dialog of the page.
    expect(await ask('document.activeElement.textContent')).toBe('My privacy');
  });

  it('opens preferences in browsers without :modal', async () => {
    // As Chrome up to 104 and Firefox up to 102.
    const beforeBanner = `<script>{
      const { supports } = CSS;
      const { querySelector } = Document.prototype;
      CSS.supports = (...all) => !all[0].includes(':modal') && supports.apply(CSS, all);
      Document.prototype.querySelector = function (selector) {
        if (selector.includes(':modal')) throw new SyntaxError(selector);
        return querySelector.call(this, selector);
      };
    }</script>`;
    await open({ beforeBanner });
    await press('Manage preferences');
    await visit.page.getByRole('switch', { name: 'Marketing' }).click({ timeout: 10_000 });
    await press('Save preferences');
    await expect.poll(() => ask('pavis.has("marketing")')).toBe(true);
    expect(visit.faults).toEqual([]);
  });
});
