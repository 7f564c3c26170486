import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { startThirdParties, type ThirdParties } from '../support/third-parties.ts';

const SCRIPT = '<script src="https://ads.example/a.js"></script>';
const FRAME = '<iframe src="https://video.example/embed/1" title="Video"></iframe>';

const PARTS = `${SCRIPT}${FRAME}<img alt="" src="https://ads.example/a.gif">`;

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

  const PARSED = `new DOMParser().parseFromString(window.html, 'text/html').body.firstChild`;
  it.each([
    ['a clone of a template', 'document.body.append(made.content.cloneNode(true))'],
    ['an imported template', 'document.body.appendChild(document.importNode(made.content, true))'],
    ['the content of a template', 'document.body.prepend(made.content)'],
    ['a clone within an element', 'main.after(made.content.firstChild.cloneNode(true))'],
    ['another document', `document.body.append(document.adoptNode(${PARSED}))`],
    ['a document that is not adopted', `document.body.insertBefore(${PARSED}, main)`],
    [
      'a range',
      `getSelection().selectAllChildren(main), getSelection().getRangeAt(0).insertNode(${PARSED})`,
    ],
    ['an adjacent element', `main.insertAdjacentElement('beforeend', ${PARSED})`],
    ['the replacement of an element', `main.replaceWith('text', ${PARSED})`],
  ])('blocks what stands in %s', async (_name, insert) => {
    // Above the banner, so that only the insertion is left to block.
    const beforeBanner = `<template id="made"><div>${PARTS}</div></template>`;
    await open({ beforeBanner });
    await ask(`(() => {
      window.html = document.getElementById('made').innerHTML;
      window.main = document.querySelector('main');
      ${insert};
    })()`);
    await loadOnce().waitFor();
    await visit.page.waitForLoadState('networkidle');
    expect(others.asked).toEqual([]);
    await accept();
    const all = ['ads.example/a.gif', 'video.example/embed/1'];
    // The parser of a document without scripts marks its scripts as already started.
    if (insert.includes('made')) all.unshift('ads.example/a.js');
    await expect.poll(() => others.asked.toSorted()).toEqual(all.toSorted());
  });

  it('leaves a frame that was loaded once in place when the page moves it', async () => {
    await open({ body: `<div id="slide"></div>` });
    await ask(`slide.innerHTML = ${JSON.stringify(FRAME)}`);
    await loadOnce().click();
    await expect.poll(() => others.asked).toEqual(['video.example/embed/1']);
    await ask('document.body.append(slide)');
    await expect.poll(() => others.asked.length).toBe(2);
    expect(await ask('slide.querySelector("iframe").src')).toContain('embed/1');
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
});
