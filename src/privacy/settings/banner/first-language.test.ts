import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('The first language of the site on %s', (engine) => {
  const app = useTestApp(engine);
  const save = async (consent: object) => {
    const headers = await basicAuth(app.platform);
    return app.http.request('PUT', `${ROOT}/settings`, { headers, body: { consent } });
  };
  let initial: object | undefined;
  const reset = async () => (await save(initial ?? {})).json;
  const readTexts = async (language: string) => {
    const { json } = await app.http.get(`${ROOT}/consent/texts?language=${language}`);
    return [json.language, json.title, json.categories.analytics.label];
  };
  const EN = ['en', 'Your privacy', 'Analytics'];
  const DE = ['de', 'Datenschutz-Einstellungen', 'Analyse'];

  it('changes with the order of languages, without a change of any text', async () => {
    const before = (await save({})).json.consent;
    initial = before;
    const asked = (await app.http.get(`${ROOT}/consent/status`)).json.asked_since;
    app.clock.advance(60_000);
    const { status, json } = await save({ languages: ['de', 'en'] });
    expect([status, json.consent.title]).toEqual([200, DE[1]]);
    expect([await readTexts('en'), await readTexts('de')]).toEqual([EN, DE]);
    expect((await readTexts('fr'))[0]).toBe('de');
    expect((await app.http.get(`${ROOT}/consent/status`)).json.asked_since).toBe(asked);
    // The settings as they were read, with nothing but another order.
    const back = await save({ ...json.consent, languages: ['en', 'de'] });
    expect(back.json.consent).toEqual(before);
  });

  it('takes the translation of a language for that of its region', async () => {
    await save({ languages: ['de-AT', 'en'] });
    expect([(await readTexts('de-AT'))[0], await readTexts('en')]).toEqual(['de-AT', EN]);
    expect((await readTexts('de')).slice(1)).toEqual(DE.slice(1));
    await save({ languages: ['en', 'de-AT'] });
    const { json } = await save({ languages: ['en-GB', 'de-AT'] });
    expect(json.consent).toMatchObject({ languages: ['en-GB', 'de-AT'], title: EN[1] });
    await save({ languages: ['en', 'de-AT'] });
  });

  it('is refused without complete texts in it, and changes with texts that are sent', async () => {
    const unknown = await save({ languages: ['fr', 'en'] });
    expect([unknown.status, unknown.json.data.params.consent]).toEqual([
      400,
      'consent[languages] begins with fr, but the texts are in en and consent[translations] has none in fr. Add them there first. GET /consent/languages/fr returns those of Pavis, if it has this language.',
    ]);
    await save({ translations: [{ language: 'it', title: 'Scelta' }] });
    const partial = await save({ languages: ['it', 'en'] });
    expect(partial.json.data.params.consent).toMatch(
      /^consent\[languages\] begins with it, but the translation lacks message, .*, categories\./,
    );
    const { status } = await save({ languages: ['it'], translations: [], title: 'Scelta' });
    expect([status, (await readTexts('it'))[1]]).toEqual([200, 'Scelta']);
  });

  it('changes with other attributes of categories and other translations in the same update', async () => {
    const before = (await reset()).consent;
    const categories = before.categories.map(
      ({ id, label, description, required }: Record<string, unknown>) => ({
        ...{ required, description, label, id },
        ...(id === 'analytics' && { own_use: 'statistics' }),
      }),
    );
    const translations = [...before.translations, { language: 'it', title: 'Scelta' }];
    const { json } = await save({ languages: ['de', 'en'], categories, translations });
    expect([await readTexts('en'), await readTexts('de')]).toEqual([EN, DE]);
    expect((await readTexts('it'))[1]).toBe('Scelta');
    expect(json.consent.categories).toContainEqual(
      expect.objectContaining({ id: 'analytics', label: DE[2], own_use: 'statistics' }),
    );
  });

  it('is refused together with texts, unless no translation into it is left or the former has one', async () => {
    const before = (await reset()).consent;
    for (const texts of [
      { title: 'Your choice' },
      { categories: before.categories.map((each: object) => ({ ...each, label: 'Other' })) },
    ]) {
      const { status, json } = await save({ languages: ['de-AT', 'en'], ...texts });
      expect([status, json.data.params.consent]).toEqual([
        400,
        'consent[languages] begins with de-AT, and the update changes the texts, but those in de are in consent[translations]. Change the first language by itself, then the texts.',
      ]);
    }
    const translations = [
      { language: 'en', title: EN[1] },
      { language: 'pt-PT', title: 'Escolha' },
    ];
    const whole = { languages: ['pt-BR', 'en', 'pt-PT'], translations, title: 'Sua escolha' };
    expect((await save(whole)).status).toBe(200);
    expect([(await readTexts('pt-BR'))[1], (await readTexts('pt-PT'))[1]]).toEqual([
      'Sua escolha',
      'Escolha',
    ]);
  });

  it('is refused until its translation is reviewed', async () => {
    const { consent } = await reset();
    const [german] = consent.translations;
    await save({ translations: [{ ...german, needs_review: true }] });
    const { status, json } = await save({ languages: ['de', 'en'] });
    expect([status, json.data.params.consent]).toEqual([
      400,
      'Review the translation first: consent[languages] begins with de, and its texts in consent[translations] are machine-translated (needs_review).',
    ]);
    expect(await readTexts('en')).toEqual(EN);
    const reviewed = [{ ...german, needs_review: false }];
    expect((await save({ languages: ['de', 'en'], translations: reviewed })).status).toBe(200);
    expect([await readTexts('en'), await readTexts('de')]).toEqual([EN, DE]);
  });

  it('is refused for another script of the language without a translation', async () => {
    const title = '您的隐私';
    await save({ languages: ['zh-Hans'], translations: [], title });
    expect((await save({ languages: ['zh-Hant'] })).status).toBe(400);
    expect((await save({ languages: ['zh-CN'] })).status).toBe(200);
    expect((await readTexts('zh-CN')).slice(0, 2)).toEqual(['zh-CN', title]);
  });
});
