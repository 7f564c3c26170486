import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findLanguageTexts, listLanguages } from '../banner/languages/index.ts';
import { toCategory } from './category-names.ts';
import { readHtml } from './html-text.ts';
import { descend, formatPath, toRoot } from './nodes.ts';
import { readSerialisedArray } from './php-serialised.ts';
import { findPrivacyLink } from './privacy-links.ts';
import { ImportReport } from './report.ts';

describe('toCategory', () => {
  it.each([
    ['necessary', true, 'functional', true],
    ['functional', true, 'functional', true],
    ['functional', false, 'personalisation', false],
    ['necessary', false, 'necessary', false],
    ['Statistics', false, 'analytics', false],
    ['ads', true, 'marketing', false],
    ['Chat & help', true, 'chat_help', false],
    ['Аналитика', false, 'category', false],
  ])('maps %s (always active: %s) to %s', (name, isAlwaysActive, id, isNecessary) => {
    expect(toCategory(name, isAlwaysActive, [])).toEqual({ id, isNecessary });
  });

  it('never gives an optional category the id of the necessary one, and no id twice', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.boolean())), (names) => {
        const taken: string[] = [];
        for (const [name, isAlwaysActive] of [...names, ['functional', false] as const]) {
          const { id, isNecessary } = toCategory(name, isAlwaysActive, taken);
          expect(id).toMatch(/^[a-z][a-z0-9_-]{0,63}$/);
          expect(taken).not.toContain(id);
          if (id === 'functional') expect(isNecessary && isAlwaysActive).toBe(true);
          taken.push(id);
        }
      }),
    );
  });
});

describe('readSerialisedArray', () => {
  it('reads texts by their bytes, numbers, booleans and null', () => {
    const text = 'a:4:{s:4:"text";s:9:"Zählung;";s:4:"show";i:0;i:3;b:1;s:1:"n";N;}';
    expect(readSerialisedArray(text)).toEqual({ text: 'Zählung;', show: 0, 3: true, n: null });
  });

  it('returns undefined for anything else', () => {
    for (const text of ['', 'a:1:{s:9:"a";i:1;}', 'a:1:{i:0;a:0:{}}', 'O:1:"x":0:{}', 'a:0:{}x'])
      expect([text, readSerialisedArray(text)]).toEqual([text, undefined]);
    fc.assert(fc.property(fc.string(), (text) => void readSerialisedArray(`a:1:{${text}`)));
  });
});

describe('readHtml', () => {
  it('keeps the text with its line breaks, and lists links', () => {
    const html =
      '<p>One &amp; <b>two</b></p><script>x()</script><p>three <a href=" /privacy ">Privacy</a></p>';
    expect(readHtml(html)).toEqual({
      text: 'One & two\nthree Privacy',
      hadMarkup: true,
      links: [{ href: '/privacy', text: 'Privacy' }],
      badge: '',
    });
    expect(readHtml('1 < 2').hadMarkup).toBe(false);
  });

  it('returns the badge of a category apart from its name', () => {
    const html = 'Needed <span class="pm__badge">Always <i>on</i></span>';
    expect(readHtml(html)).toMatchObject({ text: 'Needed', badge: 'Always on' });
  });

  it('reads deeply nested HTML', () => {
    expect(readHtml(`${'<i>'.repeat(6_000)}deep`).text).toBe('deep');
  });
});

describe('findPrivacyLink', () => {
  it('finds a privacy policy in each language of the banner texts, among other links', async () => {
    const imprint = { href: '/imprint', text: 'Imprint' };
    for (const { language } of listLanguages()) {
      const text = (await findLanguageTexts(language))?.privacy_text ?? '';
      const link = { href: '/policy', text };
      expect([language, findPrivacyLink([imprint, link])]).toEqual([language, link]);
    }
    expect(findPrivacyLink([imprint])).toBeUndefined();
  });

  it('takes a cookie policy only if no link leads to a privacy policy', () => {
    const cookies = { href: '/cookies', text: 'Cookie policy' };
    const privacy = { href: '/datenschutz/', text: 'Hinweise' };
    expect(findPrivacyLink([cookies, privacy])).toEqual(privacy);
    expect(findPrivacyLink([cookies])).toEqual(cookies);
  });
});

describe('ImportReport', () => {
  it('has each line of the file in its order, and subtrees that nothing was read from as one', () => {
    const root = toRoot({ a: { b: 1, c: { d: 2, e: [3] } }, 'f g': null, h: 4 });
    const report = new ImportReport();
    report.import(descend(root, 'h'), 'field', '4');
    report.change(descend(root, 'a', 'b'), null, null, 'why');
    report.reject(descend(root, 'missing'), null, 'not there');
    report.ignore(descend(root, 'also missing'), 'not there either');
    expect(report.list(root).map(({ source, outcome }) => [source, outcome])).toEqual([
      ['missing', 'rejected'],
      ['a.b', 'changed'],
      ['a.c', 'ignored'],
      ['["f g"]', 'ignored'],
      ['h', 'imported'],
    ]);
    expect(formatPath(['a', 0, 'b c'])).toBe('a[0]["b c"]');
  });
});
