import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { startThirdParties, type ThirdParties } from '../support/third-parties.ts';

/** An embed code whose rewritten form would end an attribute that holds it. */
const EMBED = `<iframe src='https://video.example/embed/1' id=' onmouseover=window.pwned=1 '></iframe>`;

/** Markup that contains an embed code, but no tag of it. */
const HARMLESS = {
  'an attribute': `<p title="${EMBED}">Hover me</p>`,
  'a data attribute': `<div data-embed="${EMBED}">Text</div>`,
  'an end tag': `<p>Text</p title="${EMBED}">`,
  'an attribute after a stray quote in a value': `<b class=it's></b><p title="${EMBED}">Text</p>`,
  'an attribute after a stray quote in a name': `<b it's "></b><p title="${EMBED}">Text</p>`,
  'an attribute after equals signs': `<b ="></b><b a==">"></b><b a=b="></b><p title="${EMBED}">Text</p>`,
  'an attribute after a space that is none': `<b a=\u00a0"></b><p title="${EMBED}">Text</p>`,
  'an attribute without a space before it': `<b a="b"c='d'/e="f"></b><p title="${EMBED}"id=x>Text</p>`,
  'an unquoted attribute': `<p title=<iframe/src=https://video.example/embed/1>Text</p>`,
  'a text area': `<textarea rows="2">${EMBED}</textarea>`,
  'a text area in capitals': `<TEXTAREA>${EMBED}</textareas></Textarea >`,
  'a style': `<style>${EMBED}</style>`,
  'the text of a frame': `<iframe srcdoc="">${EMBED.replace('</iframe>', '')}</iframe>`,
  noscript: `<noscript><p title="</noscript>">${EMBED.replace('iframe', 'b')}</noscript>`,
  'a script': `<script type="text/x-template">${EMBED}</script>`,
  'a comment': `<!-- > ${EMBED} -->`,
  'an attribute after comments': `<!--><!---><!-- --!><p title="${EMBED}">--></p>`,
  'a comment without an end': `<p>Text<!-- ${EMBED}`,
  'a declaration': `<!doctype <iframe src='https://video.example/embed/1'>`,
  'a tag without an end': `<p>Text</p><p title="${EMBED}`,
};

/** What a tokenizer could take for the beginning or the end of something else. */
const PIECES = [
  `<p title="`,
  `<p title='`,
  `<div data-embed=`,
  `<b it's `,
  '<x-card a',
  '</p ',
  `<iframe src='https://video.example/embed/1' id=' onmouseover=x '>`,
  '<iframe src=https://video.example/embed/2 title="A > B">',
  '</iframe>',
  '<IMG alt="" src="https://ads.example/pixel.gif"/>',
  '<link rel=stylesheet href=https://ads.example/sheet.css>',
  '<imgs src="https://ads.example/pixel.gif">',
  '<textarea>',
  '</textarea>',
  '<title-card>',
  '<noscript>',
  '</noscript>',
  '<style>',
  '</style >',
  '<xmp/>',
  '</xmp>',
  '<!',
  '</',
  '<',
  '>',
  '"',
  `'`,
  '=',
  '/',
  ' ',
  '\u00a0',
  'text',
];
const SCRIPTS = ['<script src="https://ads.example/a.js" async>', '<script>', '</script>'];
const COMMENTS = ['<!--', '-->', '--!>', '-', '<!-->'];

describe('Markup that automatic blocking rewrites', () => {
  const site = useBannerSite();
  let others: ThirdParties;
  let visit: Visit;

  beforeAll(async () => {
    others = await startThirdParties();
    const register = (handle: string, script_url: string, blocking_method?: string) =>
      site.register({ handle, label: handle, category: 'marketing', script_url, blocking_method });
    await register('ads', 'https://ads.example/');
    await register('video', 'https://video.example/embed/', 'iframe_placeholder');
    visit = await site.visit({}, others.context);
    await ask(`(() => {
      const { contentWindow } = document.body.appendChild(document.createElement('iframe'));
      const native = Object.getOwnPropertyDescriptor(contentWindow.Element.prototype, 'innerHTML');
      window.parse = (html) => {
        const box = document.createElement('div');
        native.set.call(box, html);
        return box;
      };
      // The text of this element is what the setter has made of it.
      window.rewrite = (html) => {
        const box = document.createElement('xmp');
        box.innerHTML = html;
        return box.textContent;
      };
      const isBlocked = (one, other) =>
        one.matches('script,iframe,img,link') && other.hasAttribute('data-pavis-category');
      const describe = (node) => [...node.attributes].map(({ name, value }) => name + '=' + value).sort().join();
      window.isSame = (one, other) =>
        one.nodeName === other.nodeName && one.nodeValue === other.nodeValue &&
        one.childNodes.length === other.childNodes.length &&
        (one.nodeType !== 1 || isBlocked(one, other) || describe(one) === describe(other)) &&
        [...one.childNodes].every((each, index) => isSame(each, other.childNodes[index]));
      window.isBlockedWhole = (box) =>
        ![...box.querySelectorAll('script,iframe,img,link')].some((each) =>
          each.type !== 'text/plain' && /^https:..(ads|video)[.]/.test(each.src || each.href));
    })()`);
  });
  afterAll(async () => {
    await visit?.page.context().close();
    others?.close();
  });
  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);

  it.each(Object.entries(HARMLESS))('leaves an embed code in %s as it is', async (_where, html) => {
    expect(await ask(`rewrite(${JSON.stringify(html)})`)).toBe(html);
  });

  it('leaves attributes and texts of the page below the banner as they are', async () => {
    const { 'a comment without an end': _1, 'a tag without an end': _2, ...whole } = HARMLESS;
    const body = `<section id="kept">${Object.values(whole).join('\n')}</section>${EMBED}`;
    const read = async (withoutBanner: boolean) => {
      const { page } = await site.visit({ body, withoutBanner }, others.context);
      const html = await page.locator('#kept').evaluate((each) => each.outerHTML);
      await page.context().close();
      return html;
    };
    expect(await read(false)).toBe(await read(true));
    const { page } = await site.visit({ body }, others.context);
    await page.getByText('Hover me').hover();
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    await page.getByRole('button', { name: 'Load once' }).waitFor();
    await page.context().close();
  });

  it.each([
    ['scripts', SCRIPTS],
    ['comments', COMMENTS],
  ])(
    'changes elements with registered addresses only, and all of these (%s)',
    async (_name, more) => {
      const pieces = fc.array(fc.constantFrom(...PIECES, ...more), { minLength: 1, maxLength: 14 });
      const all = fc.sample(
        pieces.map((each) => each.join('')),
        { numRuns: 4_000, seed: 26 },
      );
      const wrong = await ask(`${JSON.stringify(all)}.filter((html) => {
      const [given, made] = [parse(html), parse(rewrite(html))];
      return !isSame(given, made) || !isBlockedWhole(made);
    })`);
      expect(wrong).toEqual([]);
    },
  );

  it.each([
    ['tags', '<p class="a" title=b>Text</p>'],
    ['tags without an end', '<p a="b'],
    ['quotes', `<p a='"`],
    ['comments without an end', '<!-- -'],
    ['texts without an end', '<textarea><'],
    ['end tags of other elements', '<title></titl'],
    ['spaces', ' <p         '],
    ['names', '<p/a=/'],
    ['one long value', '<p a="'.padEnd(1_000_000)],
  ])('reads a megabyte of %s within a second', async (_name, part) => {
    const times = 1_000_000 / part.length;
    const [ms, isUnchanged] = await ask<[number, boolean]>(`(() => {
      const html = ${JSON.stringify(part)}.repeat(${times});
      const before = performance.now();
      const made = rewrite(html);
      return [performance.now() - before, made === html];
    })()`);
    expect(isUnchanged).toBe(true);
    expect(ms).toBeLessThan(1_000);
  });
});
