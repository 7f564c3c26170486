import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { readBanner } from '../../../frontends/banner.ts';
import { openDatastore, recordFact } from '../../../platform/db/index.ts';
import { HOUR_MS } from '../../../platform/durations.ts';
import { readAskedOfVisitors } from '../../data-map/index.ts';
import { ConsentVersions, listConsentVersions, SettingsCache } from '../../settings/index.ts';
import { bannerPictureJob, readMissingPictures } from '../index.ts';
import { type BannerBuild, hashBuild } from './render.ts';
import { takeMissingPictures } from './service.ts';

const API = '/wp-json/svc/v1';
const PICTURES = `${API}/consent/banner/pictures`;
/** The name of the job. */
const JOB = 'banner_pictures';
const IN_TWO_LANGUAGES = {
  languages: ['en', 'de'],
  translations: [{ language: 'de', title: 'Ihre Privatsphäre', accept_text: 'Alle erlauben' }],
};

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

interface Listed {
  version: number;
  pictures: (Record<'language' | 'layer' | 'viewport' | 'scheme' | 'sha256' | 'url', string> & {
    id: number;
    version: number;
    build_hash: string;
    taken_at: string;
  })[];
  missing: number;
  browser: string;
  message: string;
}

describe.each(ENGINES)('the pictures of banner versions on %s', (engine) => {
  const app = useTestApp(engine);
  let headers: Record<string, string>;
  let settings: SettingsCache;
  /** A version with pictures. */
  let pictured: number;
  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    const { platform, url } = app;
    settings = new SettingsCache({
      platform,
      siteUrl: () => url,
      restRoot: () => url,
      timeZone: 'UTC',
      readAsked: readAskedOfVisitors,
    });
  });

  function take({
    chromium,
    build = readBanner(),
  }: {
    chromium?: string;
    build?: BannerBuild;
  } = {}) {
    const { platform, config } = app;
    const scope = {
      settings,
      versions: new ConsentVersions(platform),
      browser: { chromium, dataDir: config.dataDir },
      readBanner: () => build,
    };
    return takeMissingPictures(platform, scope, new AbortController().signal);
  }
  async function save(consent: object): Promise<number> {
    const { status } = await app.http.request('PUT', `${API}/settings`, {
      headers,
      body: { consent },
    });
    expect(status).toBe(200);
    return (await app.http.get(`${API}/consent/status`)).json.version;
  }
  const list = async (query: string): Promise<Listed> =>
    (await app.http.get(`${PICTURES}?${query}`, { headers })).json;
  const count = async () => {
    const { db } = app.platform.datastore;
    const rows = await db.selectFrom('banner_picture_files').select('sha256').execute();
    return rows.length;
  };
  async function download(url: string): Promise<{ bytes: Buffer; headers: Headers }> {
    const answer = await fetch(url, { headers });
    return { bytes: Buffer.from(await answer.arrayBuffer()), headers: answer.headers };
  }

  it('are not taken without a browser, which is said, and are taken once there is one', async () => {
    const version = await save(IN_TWO_LANGUAGES);
    expect(await list(`version=${version}`)).toMatchObject({
      pictures: [],
      missing: 16,
      browser: 'ok',
      message: expect.stringMatching(/^The pictures are taken within a few minutes/),
    });
    expect(await take({ chromium: 'off' })).toBe(0);
    expect(await list(`version=${version}`)).toMatchObject({
      pictures: [],
      missing: 16,
      browser: 'unavailable',
      message: expect.stringMatching(/^No browser could be started \(last attempt: 2026-/),
    });
    const withoutBrowserAt = new Date(app.clock.now()).toISOString();
    expect(await readMissingPictures(app.platform)).toEqual({ versions: 1, withoutBrowserAt });
    expect(await take()).toBe(1);
    expect(await list('')).toMatchObject({
      version,
      pictures: { length: 16 },
      missing: 0,
      browser: 'ok',
    });
    const inFrench = await list('language=fr');
    expect(inFrench.pictures.map((each) => each.language)).toEqual(Array(8).fill('en'));
    expect(await readMissingPictures(app.platform)).toEqual({
      versions: 0,
      withoutBrowserAt: null,
    });
  });

  it('show each language, layer, viewport and colour scheme, and match their SHA-256', async () => {
    const { version, pictures } = await list('');
    expect(new Set(pictures.map((each) => each.sha256)).size).toBe(16);
    const views = pictures.map(({ language, layer, viewport, scheme }) =>
      [language, layer, viewport, scheme].join(' '),
    );
    expect(new Set(views).size).toBe(16);
    const build_hash = hashBuild(readBanner());
    for (const picture of pictures) {
      expect(picture).toMatchObject({ version, build_hash });
      const { bytes, headers: answer } = await download(picture.url);
      expect(sha256(bytes)).toBe(picture.sha256);
      expect(answer.get('content-type')).toBe('image/png');
      // The size in the header of a PNG (W3C PNG, 11.2.2).
      const size = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
      expect(size).toEqual(picture.viewport === 'phone' ? [780, 1_688] : [1_280, 800]);
      const etag = answer.get('etag') ?? '';
      const again = await fetch(picture.url, { headers: { ...headers, 'if-none-match': etag } });
      expect(again.status).toBe(304);
    }
  });

  it('are shared by a version that shows the same with the same build, and by no other', async () => {
    const { pictures } = await list('');
    const files = await count();
    const same = await save({ expiry_days: 100 });
    pictured = same;
    // Without a browser: nothing is rendered.
    expect(await take({ chromium: 'off' })).toBe(1);
    const shared = await list(`version=${same}`);
    expect(shared.pictures.map((each) => each.sha256)).toEqual(pictures.map((each) => each.sha256));
    expect(await count()).toBe(files);
    expect(await take()).toBe(0);

    const built = readBanner();
    const build = { ...built, details: Buffer.concat([built.details, Buffer.from('\n')]) };
    const rebuilt = await save({ expiry_days: 101 });
    expect(await take({ chromium: 'off', build })).toBe(0);
    expect(await list(`version=${rebuilt}`)).toMatchObject({ missing: 16 });
  });

  it('are not shared by a version that also says that choices apply on all devices', async () => {
    await save({ shared_choices: true });
    expect(await take({ chromium: 'off' })).toBe(0);
    expect(await save({ shared_choices: false })).toBeGreaterThan(pictured);
    expect(await take({ chromium: 'off' })).toBe(1);
  });

  it('are linked by consent records of their version and language, and by no others', async () => {
    const version = pictured;
    const unpictured = await save({ accept_text: 'Allow all' });
    const record = async (config_version: number, language?: string) => {
      const visitor_id = `${config_version}-${language ?? 'none'}`;
      const body = {
        visitor_id,
        consent_action: 'reject_all',
        config_version,
        ...(language && { language }),
      };
      expect((await app.http.post(`${API}/consent`, { body })).status).toBe(200);
      const query = `search=${visitor_id}`;
      const [listed] = (await app.http.get(`${API}/consent/records?${query}`, { headers })).json;
      const exported = await app.http.get(`${API}/consent/records/export?format=json&${query}`, {
        headers,
      });
      expect(exported.json[0].banner_pictures).toBe(listed.banner_pictures);
      return listed.banner_pictures as string | null;
    };
    const link = await record(version, 'de');
    expect(link).toBe(`${app.url}${PICTURES}?version=${version}&language=de`);
    const { pictures } = (
      await app.http.get(new URL(link ?? '').pathname + new URL(link ?? '').search, { headers })
    ).json;
    expect(pictures).toHaveLength(8);
    expect(pictures[0]).toMatchObject({ version, language: 'de' });
    expect(await record(version, 'de-AT')).toBe(link);
    expect(await record(version)).toBe(`${app.url}${PICTURES}?version=${version}`);
    expect(await record(version, 'fr')).toBeNull();
    expect(await record(unpictured, 'de')).toBeNull();
  });

  it('are none for a banner that is turned off, and unknown for an unknown version', async () => {
    const version = await save({ enabled: false });
    await take({ chromium: 'off' });
    expect(await list(`version=${version}`)).toMatchObject({ pictures: [], missing: 0 });
    const unknown = await app.http.get(`${PICTURES}?version=${version + 1}`, { headers });
    expect([unknown.status, unknown.json.code]).toEqual([400, 'rest_invalid_param']);
    const missing = await app.http.get(`${PICTURES}/999999`, { headers });
    expect(missing.status).toBe(404);
  });

  it('are due once for each new version, however often caches are cleared', async () => {
    const { datastore } = app.platform;
    const later = app.clock.now() + HOUR_MS;
    const postpone = () =>
      datastore.db.updateTable('jobs').set({ next_at: later }).where('name', '=', JOB).execute();
    const isDue = async () => {
      const job = datastore.db.selectFrom('jobs').select('next_at').where('name', '=', JOB);
      return (await job.executeTakeFirst())?.next_at === app.clock.now();
    };
    const browser = { chromium: 'off', dataDir: app.config.dataDir };
    bannerPictureJob(app.platform, { settings, browser, readBanner });
    await save({ enabled: true, expiry_days: 102 });
    await expect.poll(isDue).toBe(true);
    await postpone();

    const other = await openDatastore(app.config.databaseUrl, app.platform.log);
    onTestFinished(() => other.close());
    let cleared = 0;
    datastore.onChange('topic', () => cleared++);
    /** As a command on SQLite does, and a node that cannot listen on PostgreSQL. */
    const clear = async () => {
      await recordFact(other.db, 'fact', String(cleared));
      if (engine === 'postgres')
        await sql`select pg_notify('pavis_changes', '*')`.execute(other.db);
    };
    await clear();
    await expect.poll(() => cleared).toBe(1);
    await wait(500);
    expect(await isDue()).toBe(false);

    const [latest] = await listConsentVersions(other.db, 1);
    const version = (latest?.version ?? 0) + 1;
    await sql`insert into consent_configs (version, hash, config, asked, asked_since, created_at)
      select ${version}, hash, config, asked, asked_since, created_at from consent_configs
      where version = ${latest?.version}`.execute(other.db);
    await clear();
    await expect.poll(isDue).toBe(true);
  });
});
