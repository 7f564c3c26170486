import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { openPlatform } from '../../modules/platform.ts';
import { readAskedOfVisitors } from '../data-map/index.ts';
import { SettingsCache } from './index.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('ask_again_on on %s', (engine) => {
  const app = useTestApp(engine);
  let made = 0;

  async function setUp() {
    const headers = await basicAuth(app.platform);
    const ask = async (method: string, path: string, body?: object) => {
      const options = { headers, ...(body && { body }) };
      const answer = await app.http.request(method, ROOT + path, options);
      expect([path, answer.status], answer.text).toEqual([path, expect.toSatisfy((s) => s < 300)]);
      return answer.json;
    };
    const save = (consent: object) => ask('PUT', '/settings', { consent });
    const current = async () => {
      const { version, asked_since } = (await app.http.get(`${ROOT}/consent/texts`)).json;
      return { version, since: asked_since };
    };
    /** Whether a change creates a banner version, and whether earlier consent stays valid under it. */
    async function getEffect(change: () => Promise<unknown>): Promise<string> {
      const before = await current();
      await change();
      const after = await current();
      if (after.version === before.version) return 'no version';
      expect(after.version).toBe(before.version + 1);
      if (after.since === after.version) return 'invalid';
      expect(after.since).toBe(before.since);
      return 'valid';
    }
    const newVendor = async () => {
      const slug = `vendor-${++made}`;
      return ask('POST', '/vendors', { name: `Vendor ${made}`, slug });
    };
    const newEntry = async (fields: object = {}) =>
      ask('POST', '/data-map', {
        vendor_id: (await newVendor()).id,
        purpose: 'Counting visits',
        legal_basis: 'consent',
        ...fields,
      });
    const versions = async () => ask('GET', '/settings/consent-versions');
    const { consent } = await ask('GET', '/settings');
    return { ask, save, getEffect, newVendor, newEntry, versions, consent, current };
  }

  it('has all four reasons by default', async () => {
    const { consent } = await setUp();
    expect(consent.ask_again_on).toEqual(['vendors', 'purposes', 'categories', 'texts']);
  });

  it('asks again if a text changes in any language', async () => {
    const { save, getEffect } = await setUp();
    const german = (fields: object) =>
      save({
        translations: [
          { language: 'de', ...fields },
          { language: 'fr', title: 'Vie privée' },
        ],
      });
    await german({ title: 'Ihre Daten' });
    expect(await getEffect(() => save({ title: 'Your choice' }))).toBe('invalid');
    expect(await getEffect(() => german({ title: 'Ihre Wahl' }))).toBe('invalid');
    const named = { title: 'Ihre Wahl', categories: [{ id: 'analytics', label: 'Statistik' }] };
    expect(await getEffect(() => german(named))).toBe('invalid');
    expect(await getEffect(() => german({ ...named, message: 'Sie entscheiden.' }))).toBe(
      'invalid',
    );
    expect(await getEffect(() => save({ privacy_url: 'https://example.com/privacy' }))).toBe(
      'invalid',
    );
    const original = { languages: ['de'], translations: [] };
    const texts = { ...original, title: 'Ihre Wahl', message: 'Ganz neu.' };
    expect(await getEffect(() => save(texts))).toBe('invalid');
  });

  it('does not ask again for languages, their review, looks, buttons, signals and the order of categories', async () => {
    const { save, getEffect, consent } = await setUp();
    const dutch = { language: 'nl', title: 'Uw privacy' };
    await save({ languages: ['en'], translations: [dutch] });
    const added = [dutch, { language: 'it', title: 'La tua privacy' }];
    expect(await getEffect(() => save({ translations: added }))).toBe('valid');
    const flagged = added.map((each) => ({ ...each, needs_review: true }));
    expect(await getEffect(() => save({ translations: flagged }))).toBe('valid');
    expect(await getEffect(() => save({ translations: added }))).toBe('valid');
    expect(await getEffect(() => save({ translations: [] }))).toBe('valid');
    expect(await getEffect(() => save({ position: 'top-left', expiry_days: 90 }))).toBe('valid');
    expect(await getEffect(() => save({ accept_text: 'Yes', reject_text: 'No' }))).toBe('valid');
    expect(await getEffect(() => save({ signals: ['clarity', 'uet'] }))).toBe('valid');
    expect(await getEffect(() => save({ signals: ['uet', 'clarity'] }))).toBe('no version');
    const categories = consent.categories.toReversed();
    expect(await getEffect(() => save({ categories }))).toBe('valid');
    expect(await getEffect(() => save({ categories }))).toBe('no version');
  });

  it('does not ask again for rules by country, the time after a refusal and own use', async () => {
    const { save, getEffect, consent } = await setUp();
    const regimes = { mode: 'by_country', overrides: [{ country: 'CA', regime: 'us' }] };
    expect(await getEffect(() => save({ regimes }))).toBe('valid');
    expect(await getEffect(() => save({ refused_until_days: 365 }))).toBe('valid');
    const categories = consent.categories.map((each: { id: string }) => ({
      ...each,
      ...(each.id === 'analytics' && { own_use: 'statistics' }),
    }));
    expect(await getEffect(() => save({ categories }))).toBe('valid');
    expect(await getEffect(() => save({ categories, regimes }))).toBe('no version');
    expect(await getEffect(() => save({ categories: consent.categories }))).toBe('valid');
  });

  it('asks again if a category is added, removed, or made required or optional', async () => {
    const { save, getEffect, consent } = await setUp();
    const video = { id: 'video', label: 'Video', description: '', required: false };
    const more = [...consent.categories, video];
    expect(await getEffect(() => save({ categories: more }))).toBe('invalid');
    const required = [...consent.categories, { ...video, required: true }];
    expect(await getEffect(() => save({ categories: required }))).toBe('invalid');
    expect(await getEffect(() => save({ categories: consent.categories }))).toBe('invalid');
  });

  it('asks again if the data map adds a vendor or purpose based on consent', async () => {
    const { ask, getEffect, newVendor, newEntry, versions } = await setUp();
    let entry: { id: number; vendor_id: number } = { id: 0, vendor_id: 0 };
    expect(
      await getEffect(async () => {
        entry = await newEntry();
      }),
    ).toBe('invalid');
    const change = (fields: object) => ask('PUT', `/data-map/${entry.id}`, fields);
    const [{ vendors, purposes }] = await versions();
    expect(vendors).toEqual([{ slug: `vendor-${made}`, name: `Vendor ${made}` }]);
    expect(purposes).toEqual(['Counting visits']);

    expect(await getEffect(() => newEntry({ vendor_id: entry.vendor_id }))).toBe('no version');
    expect(await getEffect(() => newEntry({ legal_basis: 'contract' }))).toBe('no version');
    expect(await getEffect(() => change({ retention_period: '1 year' }))).toBe('no version');
    const { id } = await newVendor();
    expect(await getEffect(() => change({ vendor_id: id }))).toBe('invalid');
    expect(await getEffect(() => change({ purpose: 'Adverts' }))).toBe('invalid');
    expect(await getEffect(() => change({ legal_basis: 'legitimate_interests' }))).toBe('valid');
    expect(await getEffect(() => change({ legal_basis: 'consent' }))).toBe('invalid');
    expect(await getEffect(() => change({ status: 'archived' }))).toBe('valid');
    expect(await getEffect(() => ask('DELETE', `/data-map/${entry.id}`))).toBe('no version');
  });

  it.each(['vendors', 'purposes', 'categories', 'texts'])(
    'asks again for %s only if the setting includes it',
    async (reason) => {
      const { save, getEffect, newEntry, consent } = await setUp();
      const { vendor_id } = await newEntry({ purpose: 'Shared' });
      let categories = consent.categories;
      const change = {
        vendors: () => newEntry({ purpose: 'Shared' }),
        purposes: () => newEntry({ vendor_id, purpose: `Purpose ${++made}` }),
        categories: () => {
          const isWhole = categories.length === consent.categories.length;
          categories = isWhole
            ? categories.filter(({ id }: { id: string }) => id !== 'marketing')
            : consent.categories;
          return save({ categories });
        },
        texts: () => save({ message: `Message ${++made}` }),
      }[reason] as () => Promise<unknown>;
      const others = consent.ask_again_on.filter((each: string) => each !== reason);
      expect(await getEffect(() => save({ ask_again_on: others }))).toBe('valid');
      expect(await getEffect(change)).toBe('valid');
      // A later setting does not apply to earlier changes.
      expect(await getEffect(() => save({ ask_again_on: [reason] }))).toBe('valid');
      expect(await getEffect(change)).toBe('invalid');
      await save({ ask_again_on: [] });
      expect(await getEffect(change)).toBe('valid');
      const shuffled = [...consent.ask_again_on, reason].toReversed();
      expect((await save({ ask_again_on: shuffled.slice(0, 4) })).consent.ask_again_on).toEqual(
        consent.ask_again_on.filter((each: string) => shuffled.slice(0, 4).includes(each)),
      );
      await save({ ask_again_on: consent.ask_again_on });
    },
  );

  it('returns 400 for an unknown reason', async () => {
    const { consent } = await setUp();
    const { status, json } = await app.http.request('PUT', `${ROOT}/settings`, {
      headers: await basicAuth(app.platform),
      body: { consent: { ask_again_on: ['colours'] } },
    });
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(consent.ask_again_on).toHaveLength(4);
  });

  it('creates one version for each of several simultaneous changes', async () => {
    const { ask, newVendor, newEntry, versions } = await setUp();
    const vendors = await Promise.all(Array.from({ length: 5 }, newVendor));
    const before = (await versions()).length;
    await Promise.all(vendors.map(({ id }) => newEntry({ vendor_id: id })));
    const kept = await versions();
    expect(kept.length).toBe(before + vendors.length);
    const slugs = ({ vendors: its }: { vendors: { slug: string }[] }) =>
      its.map(({ slug }) => slug);
    for (let nth = 0; nth < vendors.length; nth++) {
      // Each version includes the vendors of earlier ones.
      const added = slugs(kept[nth]).filter((slug) => !slugs(kept[nth + 1]).includes(slug));
      expect(added).toHaveLength(1);
      expect(kept[nth].asked_since).toBe(kept[nth].version);
    }
    expect(slugs(kept[0])).toEqual(expect.arrayContaining(vendors.map(({ slug }) => slug)));
    await ask('PUT', '/settings', { consent: { position: 'top' } });
  });

  it('creates one version that all nodes use', async () => {
    const { newEntry, current } = await setUp();
    const platform = await openPlatform(app.config, {
      secret: randomBytes(32),
      log: app.platform.log,
      clock: app.clock,
    });
    const node = new SettingsCache({
      platform,
      siteUrl: () => app.url,
      restRoot: () => app.url,
      timeZone: 'UTC',
      readAsked: readAskedOfVisitors,
    });
    expect((await node.read()).version).toBe((await current()).version);
    await newEntry();
    const { version, since } = await current();
    expect(since).toBe(version);
    await expect.poll(() => node.read()).toMatchObject({ version, askedSince: version });
    expect((await current()).version).toBe(version);
    await platform.datastore.close();
  });

  it('does not ask again after an update from a release without stored vendors and signals', async () => {
    const { ask, save, getEffect, newEntry, current, versions } = await setUp();
    const { since } = await current();
    for (let nth = 0; nth < 100; nth++) await save({ expiry_days: 100 + nth });
    expect((await current()).since).toBe(since);

    const { db } = app.platform.datastore;
    const { signals: _, ...config } = (await versions())[0].config;
    const before = { asked: null, config: JSON.stringify(config) };
    await db.updateTable('consent_configs').set(before).execute();
    expect((await versions())[0]).toMatchObject({ vendors: null, purposes: null });
    expect((await ask('GET', '/settings')).consent.signals).toEqual(['google', 'wordpress']);
    expect(await getEffect(() => save({ position: 'bottom-right' }))).toBe('valid');
    expect((await versions())[0].vendors).toEqual(expect.any(Array));
    expect(await getEffect(newEntry)).toBe('invalid');
  });
});
