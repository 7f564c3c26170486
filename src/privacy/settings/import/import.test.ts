import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../../platform/project-root.ts';
import { coerce } from '../../../platform/rest/coerce.ts';
import { defaultSettings } from '../defaults.ts';
import { SettingsUpdate } from '../schemas.ts';
import { readFile } from './formats.ts';
import type { ImportFormat } from './schemas.ts';
import { readImport } from './service.ts';

const SITE = 'https://shop.example.com';
const current = defaultSettings(SITE);
const fixture = (name: string) =>
  readFileSync(join(PROJECT_ROOT, 'test/fixtures/banner-imports', name), 'utf8');
const read = (content: string, options: { format?: ImportFormat; language?: string } = {}) =>
  readImport(readFile(content, options.format), current, { siteUrl: SITE, ...options });

type Result = Awaited<ReturnType<typeof read>>;
const linesAt = ({ report }: Result, source: string) =>
  report.filter((line) => line.source === source);
const getConsent = ({ update }: Result) => {
  const { consent } = update;
  if (!consent) throw new Error('no banner settings');
  return consent;
};
const toChoices = (result: Result) =>
  getConsent(result).categories?.map(({ id, required }) => [id, required]);

/** What holds for every import, whatever the file says. */
function expectNotWeaker({ update }: Result): void {
  expect(coerce('update', update, SettingsUpdate as TObject)).toEqual({ value: update });
  const { accept_text, reject_text, categories, enabled } = {
    ...current.consent,
    ...update.consent,
  };
  expect(enabled).toBe(true);
  expect([accept_text, reject_text].every((text) => text !== '')).toBe(true);
  expect(categories.some(({ required }) => required)).toBe(true);
  for (const { id, required } of categories)
    if (required) expect(id).toMatch(/functional|necessary|essential|technical|required/);
}

describe('Import from Complianz', () => {
  it('takes the texts, categories, position and lifetime of the default banner', async () => {
    const result = await read(fixture('complianz-export.txt'), { language: 'de' });
    expectNotWeaker(result);
    const consent = getConsent(result);
    expect(consent).toMatchObject({
      title: 'Ihre Wahl für diesen Shop',
      message:
        'Wir zählen Besuche und zeigen Werbung, wenn Sie zustimmen. Mehr & Details in der Datenschutzerklärung.',
      accept_text: 'Einverstanden',
      reject_text: 'Nur Notwendiges',
      manage_text: 'Auswahl anzeigen',
      save_text: 'Auswahl sichern',
      reopen_text: 'Einwilligung ändern',
      always_text: '{category} erlauben und anzeigen',
      load_text: 'Einmal laden',
      position: 'bottom-right',
      expiry_days: 180,
      languages: ['de', 'en'],
    });
    expect(consent.translations?.map(({ language }) => language)).toEqual(['en']);
    expect(consent.categories?.map(({ id, label }) => [id, label])).toEqual([
      ['functional', 'Notwendig'],
      ['analytics', 'Zählung der Besuche'],
      ['marketing', 'Werbung'],
    ]);
  });

  it('reports rules that would weaken the choice of visitors, and proposes services', async () => {
    const result = await read(fixture('complianz-export.txt'));
    for (const name of ['dismiss', 'dismiss_on_scroll', 'soft_cookiewall'])
      expect(linesAt(result, `banners[1].${name}`)).toMatchObject([{ outcome: 'changed' }]);
    expect(linesAt(result, 'banners[0]')).toMatchObject([{ outcome: 'ignored' }]);
    expect(linesAt(result, 'banners[1].category_prefs')).toMatchObject([{ outcome: 'ignored' }]);
    expect(result.proposals.map(({ kind, name }) => [kind, name])).toEqual([
      ['script', 'Google Analytics'],
      ['service', 'google-analytics'],
      ['service', 'google-maps'],
      ['service', 'youtube'],
      ['service', 'facebook'],
    ]);
    expect(result.notes[0]).toContain('They were imported as en.');
  });

  it('reports columns named like members of objects as what they are', async () => {
    const content =
      '{"banners": [{"message_optin": "Hi", "constructor": "x", "__proto__": {"a": 1}}]}';
    const result = await read(content);
    expect(result.report.map(({ source, outcome, reason }) => [source, outcome, reason])).toEqual([
      ['banners[0].message_optin', 'imported', null],
      ['banners[0].constructor', 'ignored', 'The import has no rule for it.'],
      ['banners[0].__proto__', 'ignored', 'The import has no rule for it.'],
    ]);
  });

  it('reads the export of one banner, without settings', async () => {
    const { banners } = JSON.parse(fixture('complianz-export.txt').replace('#--COMPLIANZ--#', ''));
    const result = await read(`${JSON.stringify({ banners: [banners[0]] })}#--COMPLIANZ--#`);
    expect(getConsent(result).position).toBe('center');
  });
});

describe('Import from CookieYes', () => {
  it('takes the banner that asks first, in all its languages', async () => {
    const result = await read(fixture('cookieyes-tables.json'));
    expectNotWeaker(result);
    const consent = getConsent(result);
    expect({ ...current.consent, ...consent }).toMatchObject({
      title: 'Choose what we may use',
      accept_text: 'Yes to all',
      reject_text: 'No to all',
      required_text: 'Always on',
      reopen_text: 'Change my choice',
      privacy_url: 'https://shop.example.com/privacy',
      privacy_text: 'Privacy policy',
      position: 'top-right',
      expiry_days: 270,
      languages: ['en', 'fr', 'de'],
    });
    const french = consent.translations?.find(({ language }) => language === 'fr');
    expect(french).toMatchObject({ title: 'Votre choix', reject_text: 'Tout refuser' });
    expect(french?.categories).toContainEqual({
      id: 'analytics',
      label: 'Mesure',
      description: 'Compte les visites.',
    });
  });

  it('keeps “functional” optional and two kinds of measurement apart', async () => {
    const result = await read(fixture('cookieyes-tables.json'));
    expect(toChoices(result)).toEqual([
      ['functional', true],
      ['personalisation', false],
      ['analytics', false],
      ['performance', false],
    ]);
    const names = result.proposals.map(({ name, category }) => [name, category]);
    expect(names).toEqual([
      ['cookieyes-consent', 'functional'],
      ['_ga', 'analytics'],
      ['_ga_*', 'analytics'],
      ['lang_choice', 'personalisation'],
    ]);
    const early = 'banners[1].settings.behaviours.loadAnalyticsByDefault.status';
    expect(linesAt(result, early)).toMatchObject([{ outcome: 'changed' }]);
    expect(linesAt(result, 'categories[2].prior_consent')).toMatchObject([{ outcome: 'changed' }]);
  });

  it('shows a popup in the centre, as CookieYes does whatever its position', async () => {
    const contents = { en: { notice: { elements: { title: 'Choose' } } } };
    const settings = { type: 'popup', position: 'bottom-left', consentExpiry: { value: 30 } };
    const banner = { status: 1, settings: { settings }, contents };
    const result = await read(JSON.stringify({ banners: [banner] }));
    expect(getConsent(result)).toMatchObject({ title: 'Choose', position: 'center' });
    expect(getConsent(result)).not.toHaveProperty('expiry_days');
    expect(linesAt(result, 'banners[0].settings.settings.consentExpiry')).toMatchObject([
      { outcome: 'ignored', reason: 'It was switched off.' },
    ]);
  });

  it('reports credentials of the settings by their place only', async () => {
    const tables = JSON.parse(fixture('cookieyes-tables.json'));
    const banners = tables.find(({ name }: { name: string }) => name === 'wp_cky_banners').data;
    const settings = { languages: { default: 'fr' }, api: { token: 'very-secret' } };
    const result = await read(JSON.stringify({ banners, settings }));
    expect(getConsent(result).title).toBe('Votre choix');
    expect(JSON.stringify(result)).not.toContain('very-secret');
    expect(linesAt(result, 'settings.api')).toMatchObject([{ outcome: 'ignored' }]);
  });
});

describe('Import from vanilla-cookieconsent', () => {
  it('takes the texts of each language, with the default one as original', async () => {
    const result = await read(fixture('vanilla-cookieconsent.json'));
    expectNotWeaker(result);
    const consent = getConsent(result);
    expect(consent).toMatchObject({
      title: 'Datenschutz in unserem Laden',
      message: 'Wir verwenden Cookies, wenn Sie zustimmen.',
      required_text: 'Immer an',
      privacy_url: 'https://shop.example.com/datenschutz',
      privacy_text: 'Datenschutz',
      expiry_days: 182,
      languages: ['de', 'en', 'pt-BR'],
    });
    const [english, portuguese] = consent.translations ?? [];
    expect(english).toMatchObject({ title: 'Privacy at our shop', required_text: 'Always on' });
    // Most of its texts are those that Pavis ships.
    expect(portuguese).toMatchObject({ title: 'Sua escolha', needs_review: true });
  });

  it('asks about each category that is not strictly necessary', async () => {
    const result = await read(fixture('vanilla-cookieconsent.json'));
    expect(toChoices(result)).toEqual([
      ['functional', true],
      ['analytics', false],
      ['marketing', false],
      ['su_es_extra', false],
    ]);
    for (const source of [
      'categories.analytics.enabled',
      'categories.ads.readOnly',
      'guiOptions.consentModal.equalWeightButtons',
      'guiOptions.consentModal.position',
    ])
      expect([source, linesAt(result, source)]).toMatchObject([source, [{ outcome: 'changed' }]]);
    expect(linesAt(result, 'language.translations.it')).toMatchObject([
      { outcome: 'rejected', reason: expect.stringContaining('in another file') },
    ]);
  });

  it('always has a reject button with a text, and no opt-out mode', async () => {
    const config = {
      mode: 'opt-out',
      categories: { analytics: { enabled: true } },
      language: {
        default: 'en',
        translations: { en: { consentModal: { acceptAllBtn: 'Got it' }, preferencesModal: {} } },
      },
    };
    const result = await read(JSON.stringify(config));
    expectNotWeaker(result);
    expect({ ...current.consent, ...getConsent(result) }).toMatchObject({
      accept_text: 'Got it',
      reject_text: 'Reject all',
    });
    expect(toChoices(result)).toEqual([
      ['functional', true],
      ['analytics', false],
    ]);
    const changed = result.report.filter(({ outcome }) => outcome === 'changed');
    const same = JSON.stringify(config).replace(
      '"acceptAllBtn":"Got it"',
      '"acceptAllBtn":"Got it","acceptNecessaryBtn":"<b>Got it</b>"',
    );
    expect(getConsent(await read(same))).not.toHaveProperty('reject_text');
    expect(changed.map(({ source }) => source)).toEqual([
      'language.translations.en.consentModal.acceptNecessaryBtn',
      'mode',
      'categories.analytics.enabled',
    ]);
  });
});

describe('readFile', () => {
  it('says what is wrong and which formats are known', () => {
    for (const [content, format, reason] of [
      ['CookieConsent.run({})', undefined, /not JSON/],
      ['{"banners": 1}', undefined, /not recognised/],
      ['[]', 'complianz', /not an export of Complianz/],
      [fixture('vanilla-cookieconsent.json'), 'cookieyes', /not an export of CookieYes/],
    ] as const) {
      const refused = expect.objectContaining({
        code: 'rest_invalid_param',
        reason: expect.stringMatching(reason),
      });
      expect(() => readFile(content, format)).toThrow(refused);
      expect(() => readFile(content, format)).toThrow(
        expect.objectContaining({ reason: expect.stringContaining('Known formats: Complianz') }),
      );
    }
  });
});

describe('Any file', () => {
  const leaf = fc.oneof(
    fc.constant('<b>Hi</b> &amp; a:1:{s:4:"text";s:2:"ok";}'),
    fc.constantFrom('1', '0', 'top', 'bottom right', 'opt-out', 'necessary', 'en', 'ccpa'),
    fc.string({ unit: 'binary' }),
    fc.jsonValue({ maxDepth: 2 }),
    fc.integer(),
  );
  const readOrRefuse = (content: string, format?: ImportFormat) => {
    try {
      return readFile(content, format);
    } catch (error) {
      expect(error).toMatchObject({ code: 'rest_invalid_param' });
      return undefined;
    }
  };
  /** Replaces values of a real file at random. */
  const mutate = (value: unknown, random: () => number, pick: () => unknown): unknown => {
    if (random() < 0.03) return pick();
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((each) => mutate(each, random, pick));
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        random() < 0.01 ? String(pick()) : key,
        mutate(each, random, pick),
      ]),
    );
  };

  /** The paths of all values. */
  const listPaths = (value: unknown): (string | number)[][] => {
    if (typeof value !== 'object' || value === null) return [[]];
    const below = Object.entries(value).flatMap(([key, each]) =>
      listPaths(each).map((path) => [key, ...path]),
    );
    return [[], ...below];
  };
  const replaceAt = (value: unknown, [key, ...path]: (string | number)[], by: unknown): unknown => {
    if (key === undefined) return by;
    const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
    return Object.assign(copy, { [key]: replaceAt((copy as never)[key], path, by) });
  };
  /** Text converters of JavaScript cannot be called on it. */
  const UNPRINTABLE = { toString: 1, valueOf: 1 };

  it.each([
    ['complianz', 'complianz-export.txt'],
    ['cookieyes', 'cookieyes-tables.json'],
    ['vanilla-cookieconsent', 'vanilla-cookieconsent.json'],
  ] as const)('of %s may have an object in any place', async (format, name) => {
    const original = JSON.parse(fixture(name).replace('#--COMPLIANZ--#', ''));
    const failed: string[] = [];
    for (const path of listPaths(original)) {
      try {
        const content = JSON.stringify(replaceAt(original, path, UNPRINTABLE));
        const file = readOrRefuse(content, format);
        if (file) await readImport(file, current, { siteUrl: SITE });
      } catch (error) {
        failed.push(`${path.join('.')}: ${error}`);
      }
    }
    expect(failed).toEqual([]);
  });

  it.each([
    ['complianz', 'complianz-export.txt'],
    ['cookieyes', 'cookieyes-tables.json'],
    ['vanilla-cookieconsent', 'vanilla-cookieconsent.json'],
  ] as const)(
    'of %s gives an update that the settings accept, or a clear error',
    async (format, name) => {
      const original = JSON.parse(fixture(name).replace('#--COMPLIANZ--#', ''));
      let read = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.nat(),
          fc.array(leaf, { minLength: 1, maxLength: 20 }),
          async (seed, pool) => {
            let state = seed;
            const random = () => {
              state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
              return state / 0x8000_0000;
            };
            const pick = () => pool[Math.floor(random() * pool.length)];
            const content = JSON.stringify(mutate(original, random, pick));
            const file = readOrRefuse(content, format);
            if (!file) return;
            read += 1;
            const result = await readImport(file, current, { siteUrl: SITE });
            expectNotWeaker(result);
            expect(result.report.length).toBeGreaterThan(0);
          },
        ),
        { numRuns: 100 },
      );
      expect(read).toBeGreaterThan(20);
    },
  );

  it('of any JSON is recognised or refused', () => {
    fc.assert(
      fc.property(fc.json(), (content) => {
        readOrRefuse(content);
      }),
    );
  });
});
