import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { openPlatform } from '../../modules.ts';
import { readAskedOfVisitors } from '../data-map/index.ts';
import { SettingsCache } from './index.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('Visitors are asked again on %s', (engine) => {
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
    /** How a change tells: no version, a version under which choices hold, or one that asks again. */
    async function effectOf(change: () => Promise<unknown>): Promise<string> {
      const before = await current();
      await change();
      const after = await current();
      if (after.version === before.version) return 'nothing';
      expect(after.version).toBe(before.version + 1);
      if (after.since === after.version) return 'asks again';
      expect(after.since).toBe(before.since);
      return 'holds';
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
    return { ask, save, effectOf, newVendor, newEntry, versions, consent, current };
  }

  it('by default for every kind of change that is new to them', async () => {
    const { consent } = await setUp();
    expect(consent.ask_again_on).toEqual(['vendors', 'purposes', 'categories', 'texts']);
  });

  it('when a text changes, in whichever language', async () => {
    const { save, effectOf } = await setUp();
    const german = (fields: object) =>
      save({
        translations: [
          { language: 'de', ...fields },
          { language: 'fr', title: 'Vie privée' },
        ],
      });
    await german({ title: 'Ihre Daten' });
    expect(await effectOf(() => save({ title: 'Your choice' }))).toBe('asks again');
    expect(await effectOf(() => german({ title: 'Ihre Wahl' }))).toBe('asks again');
    const named = { title: 'Ihre Wahl', categories: [{ id: 'analytics', label: 'Statistik' }] };
    expect(await effectOf(() => german(named))).toBe('asks again');
    expect(await effectOf(() => german({ ...named, message: 'Sie entscheiden.' }))).toBe(
      'asks again',
    );
    expect(await effectOf(() => save({ privacy_url: 'https://example.com/privacy' }))).toBe(
      'asks again',
    );
    const texts = { languages: ['de'], title: 'Ihre Wahl', message: 'Ganz neu.' };
    expect(await effectOf(() => save(texts))).toBe('asks again');
  });

  it('not when a language is added or taken out, nor for looks, buttons and the order of categories', async () => {
    const { save, effectOf, consent } = await setUp();
    const dutch = { language: 'nl', title: 'Uw privacy' };
    await save({ languages: ['en'], translations: [dutch] });
    const added = [dutch, { language: 'it', title: 'La tua privacy' }];
    expect(await effectOf(() => save({ translations: added }))).toBe('holds');
    expect(await effectOf(() => save({ translations: [] }))).toBe('holds');
    expect(await effectOf(() => save({ position: 'top-left', expiry_days: 90 }))).toBe('holds');
    expect(await effectOf(() => save({ accept_text: 'Yes', reject_text: 'No' }))).toBe('holds');
    const categories = consent.categories.toReversed();
    expect(await effectOf(() => save({ categories }))).toBe('holds');
    expect(await effectOf(() => save({ categories }))).toBe('nothing');
  });

  it('when a category is added, removed, or made required or optional', async () => {
    const { save, effectOf, consent } = await setUp();
    const video = { id: 'video', label: 'Video', description: '', required: false };
    const more = [...consent.categories, video];
    expect(await effectOf(() => save({ categories: more }))).toBe('asks again');
    const required = [...consent.categories, { ...video, required: true }];
    expect(await effectOf(() => save({ categories: required }))).toBe('asks again');
    expect(await effectOf(() => save({ categories: consent.categories }))).toBe('asks again');
  });

  it('when a vendor or a purpose is added to what the data map bases on consent, with the same texts', async () => {
    const { ask, effectOf, newVendor, newEntry, versions } = await setUp();
    let entry: { id: number; vendor_id: number } = { id: 0, vendor_id: 0 };
    expect(
      await effectOf(async () => {
        entry = await newEntry();
      }),
    ).toBe('asks again');
    const change = (fields: object) => ask('PUT', `/data-map/${entry.id}`, fields);
    const [{ vendors, purposes }] = await versions();
    expect(vendors).toEqual([{ slug: `vendor-${made}`, name: `Vendor ${made}` }]);
    expect(purposes).toEqual(['Counting visits']);

    expect(await effectOf(() => newEntry({ vendor_id: entry.vendor_id }))).toBe('nothing');
    expect(await effectOf(() => newEntry({ legal_basis: 'contract' }))).toBe('nothing');
    expect(await effectOf(() => change({ retention_period: '1 year' }))).toBe('nothing');
    const { id } = await newVendor();
    expect(await effectOf(() => change({ vendor_id: id }))).toBe('asks again');
    expect(await effectOf(() => change({ purpose: 'Adverts' }))).toBe('asks again');
    expect(await effectOf(() => change({ legal_basis: 'legitimate_interests' }))).toBe('holds');
    expect(await effectOf(() => change({ legal_basis: 'consent' }))).toBe('asks again');
    expect(await effectOf(() => change({ status: 'archived' }))).toBe('holds');
    expect(await effectOf(() => ask('DELETE', `/data-map/${entry.id}`))).toBe('nothing');
  });

  it.each(['vendors', 'purposes', 'categories', 'texts'])(
    'for %s if the setting says so, and else not',
    async (reason) => {
      const { save, effectOf, newEntry, consent } = await setUp();
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
      expect(await effectOf(() => save({ ask_again_on: others }))).toBe('holds');
      expect(await effectOf(change)).toBe('holds');
      // What was no reason at its time does not become one.
      expect(await effectOf(() => save({ ask_again_on: [reason] }))).toBe('holds');
      expect(await effectOf(change)).toBe('asks again');
      await save({ ask_again_on: [] });
      expect(await effectOf(change)).toBe('holds');
      const shuffled = [...consent.ask_again_on, reason].toReversed();
      expect((await save({ ask_again_on: shuffled.slice(0, 4) })).consent.ask_again_on).toEqual(
        consent.ask_again_on.filter((each: string) => shuffled.slice(0, 4).includes(each)),
      );
      await save({ ask_again_on: consent.ask_again_on });
    },
  );

  it('not by reasons that there are not', async () => {
    const { consent } = await setUp();
    const { status, json } = await app.http.request('PUT', `${ROOT}/settings`, {
      headers: await basicAuth(app.platform),
      body: { consent: { ask_again_on: ['colours'] } },
    });
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
    expect(consent.ask_again_on).toHaveLength(4);
  });

  it('by one version for vendors that are added together, and by whole versions for those at once', async () => {
    const { ask, newVendor, newEntry, versions } = await setUp();
    const vendors = await Promise.all(Array.from({ length: 5 }, newVendor));
    const before = (await versions()).length;
    await Promise.all(vendors.map(({ id }) => newEntry({ vendor_id: id })));
    const kept = await versions();
    expect(kept.length).toBe(before + vendors.length);
    const slugs = ({ vendors: its }: { vendors: { slug: string }[] }) =>
      its.map(({ slug }) => slug);
    for (let nth = 0; nth < vendors.length; nth++) {
      // Each knows of all that came before it.
      const added = slugs(kept[nth]).filter((slug) => !slugs(kept[nth + 1]).includes(slug));
      expect(added).toHaveLength(1);
      expect(kept[nth].asked_since).toBe(kept[nth].version);
    }
    expect(slugs(kept[0])).toEqual(expect.arrayContaining(vendors.map(({ slug }) => slug)));
    await ask('PUT', '/settings', { consent: { position: 'top' } });
  });

  it('on every node, by the one version that the change has made', async () => {
    const { newEntry, current } = await setUp();
    const platform = await openPlatform(app.config, {
      secret: randomBytes(32),
      log: app.platform.log,
      clock: app.clock,
    });
    const node = new SettingsCache({
      platform,
      siteUrl: () => app.url,
      readAsked: readAskedOfVisitors,
    });
    expect((await node.read()).version).toBe((await current()).version);
    await newEntry();
    const { version, since } = await current();
    expect(since).toBe(version);
    await expect
      .poll(async () => await node.read(), { timeout: 5_000 })
      .toMatchObject({ version, askedSince: version });
    expect((await current()).version).toBe(version);
    await platform.datastore.close();
  });

  it('not by an update to a release that knows vendors, even after a hundred versions', async () => {
    const { save, effectOf, newEntry, current, versions } = await setUp();
    const { since } = await current();
    for (let nth = 0; nth < 100; nth++) await save({ expiry_days: 100 + nth });
    expect((await current()).since).toBe(since);

    const { db } = app.platform.datastore;
    await db.updateTable('consent_configs').set({ asked: null }).execute();
    expect((await versions())[0]).toMatchObject({ vendors: null, purposes: null });
    expect(await effectOf(() => save({ position: 'bottom-right' }))).toBe('holds');
    expect((await versions())[0].vendors).toEqual(expect.any(Array));
    expect(await effectOf(newEntry)).toBe('asks again');
  });
});
