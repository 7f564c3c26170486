import type { TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { basicAuth } from '../../../../../test/support/makers.ts';
import { useTestApp } from '../../../../../test/support/test-app.ts';
import { coerce } from '../../../../platform/rest/coerce.ts';
import { defaultSettings } from '../../defaults.ts';
import { TEXT_NAMES, Translation } from '../schemas.ts';
import { findLanguageTexts, listLanguages } from './index.ts';
import type { BannerLanguageTexts } from './schemas.ts';

const EU = 'bg hr cs da nl en et fi fr de el hu ga it lv lt mt pl pt ro sk sl es sv'.split(' ');
const OTHERS = 'nb is uk tr ar he ja zh-Hans pt-BR'.split(' ');
const TAGS = [...EU, ...OTHERS];

/** Texts that a language shares with English. */
const LIKE_ENGLISH: Record<string, string[]> = Object.fromEntries(
  'cs de hr hu it nl pl pt pt-BR sk'.split(' ').map((tag) => [tag, ['marketing.label']]),
);

const toEntries = (texts: BannerLanguageTexts): [string, string][] => [
  ...TEXT_NAMES.map((name): [string, string] => [name, texts[name]]),
  ...texts.categories.flatMap(({ id, label, description }): [string, string][] => [
    [`${id}.label`, label],
    [`${id}.description`, description],
  ]),
];
const read = async (tag: string) => {
  const texts = await findLanguageTexts(tag);
  if (!texts) throw new Error(`no texts in ${tag}`);
  return texts;
};
const listPlaceholders = (text: string) => text.match(/\{[^}]*\}/g) ?? [];

describe('Texts of the banner', () => {
  it('are in the languages of the European Union and nine others', () => {
    const tags = listLanguages().map(({ language }) => language);
    expect(tags.toSorted()).toEqual(TAGS.toSorted());
    expect(tags.every((tag) => Intl.getCanonicalLocales(tag)[0] === tag)).toBe(true);
    const rightToLeft = listLanguages().filter(({ direction }) => direction === 'rtl');
    expect(rightToLeft.map(({ name }) => name)).toEqual(['Arabic', 'Hebrew']);
  });

  it.each(TAGS)('are complete, fit the settings and have their placeholders: %s', async (tag) => {
    const texts = await read(tag);
    expect(coerce('texts', texts, Translation as TObject)).toEqual({ value: texts });
    const names = toEntries(await read('en')).map(([name]) => name);
    const entries = toEntries(texts);
    expect(entries.map(([name]) => name)).toEqual(names);
    for (const [name, text] of entries) {
      expect([name, text], tag).toEqual([name, text?.trim().normalize('NFC')]);
      expect([name, text], tag).toEqual([name, expect.stringMatching(/\p{L}/u)]);
      const placeholders = {
        placeholder_text: ['{host}'],
        own_use_text: ['{categories}'],
        always_text: ['{category}'],
        always_vendor_text: ['{vendor}'],
        typical_text: ['{duration}'],
      };
      expect([name, listPlaceholders(text)]).toEqual([
        name,
        placeholders[name as keyof typeof placeholders] ?? [],
      ]);
    }
    expect(texts.accept_text).not.toBe(texts.reject_text);
    // The message names each purpose as its category is named.
    const message = texts.message.toLocaleLowerCase(tag);
    for (const { id, label } of texts.categories.slice(1))
      expect([id, message.includes(label.toLocaleLowerCase(tag))]).toEqual([id, true]);
  });

  it('are translated', async () => {
    const english = new Map(toEntries(await read('en')));
    for (const tag of TAGS.filter((each) => each !== 'en')) {
      const same = toEntries(await read(tag)).filter(([name, text]) => english.get(name) === text);
      expect([tag, same.map(([name]) => name)]).toEqual([tag, LIKE_ENGLISH[tag] ?? []]);
    }
  });

  it('are those of a new installation in English and German, and need a review in others', async () => {
    const { consent } = defaultSettings('https://example.com');
    const { language, needs_review, categories, ...english } = await read('en');
    expect([language, needs_review]).toEqual(['en', undefined]);
    expect(consent).toMatchObject(english);
    expect(consent.categories).toMatchObject(categories);
    expect(consent.translations).toEqual([await read('de')]);
    for (const { language, needs_review } of listLanguages()) {
      expect(needs_review).toBe(!['en', 'de'].includes(language));
      expect((await read(language)).needs_review ?? false).toBe(needs_review);
    }
  });
});

describe('/consent/languages', () => {
  const app = useTestApp('sqlite');
  const ask = async (path: string, headers?: Record<string, string>) =>
    app.http.get(`/wp-json/svc/v1/consent/${path}`, {
      headers: headers ?? (await basicAuth(app.platform)),
    });
  const save = async (consent: object) =>
    app.http.request('PUT', '/wp-json/svc/v1/settings', {
      headers: await basicAuth(app.platform),
      body: { consent },
    });
  const shown = async (language: string) =>
    (await app.http.get(`/wp-json/svc/v1/consent/texts?language=${language}`)).json;

  it('lists languages and returns texts that can be saved as a translation', async () => {
    const { json } = await ask('languages');
    expect(json).toHaveLength(33);
    expect(json).toContainEqual({
      ...{ language: 'he', name: 'Hebrew', native_name: 'עברית' },
      ...{ direction: 'rtl', needs_review: true },
    });
    const { json: brazilian } = await ask('languages/PT-br');
    expect(brazilian).toMatchObject({ language: 'pt-BR', needs_review: true });
    expect((await save({ translations: [brazilian] })).json.consent.translations).toEqual([
      brazilian,
    ]);
    const { accept_text, needs_review, categories } = await shown('pt-br');
    expect([accept_text, needs_review]).toEqual(['Aceitar tudo', undefined]);
    expect(categories.analytics.label).toBe('Análise');
  });

  it('returns 404 for a language without texts, and 401 without sign-in', async () => {
    const { status, json } = await ask('languages/tlh');
    expect([status, json.code]).toEqual([404, 'not_found']);
    expect(json.message).toBe(
      'Pavis has no banner texts in "tlh". Use a language that GET /consent/languages lists, for example "pt-BR", or add your own texts to consent.translations with PUT /settings.',
    );
    expect((await ask('languages', {})).status).toBe(401);
  });

  it('shows the texts of the same language and script to pages in another region', async () => {
    const translations = [{ language: 'pt' }, { language: 'pt-BR' }, { language: 'nb' }].concat([
      { language: 'zh-Hans' },
    ]);
    await save({ translations });
    for (const [page, texts] of Object.entries({
      ...{ 'zh-CN': 'zh-Hans', zh: 'zh-Hans', 'zh-Hans-SG': 'zh-Hans', 'zh-TW': 'en' },
      ...{ no: 'nb', 'nb-NO': 'nb', 'pt-AO': 'pt', 'pt-br': 'pt-BR', '-': 'en' },
    }))
      expect([page, (await shown(page)).language]).toEqual([page, texts]);
    await save({ translations: translations.slice(1) });
    expect((await shown('pt-PT')).language).toBe('pt-BR');
  });
});
