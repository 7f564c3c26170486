import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import {
  insertTestScan,
  makeBanner,
  makeControl,
  makeStateVisit,
  saveVisit,
} from '../../../../test/support/scan-visits.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import type {
  CookieObservation,
  Evidence,
  LoadObservation,
  Observation,
  ScanState,
} from '../observation.ts';

const ROOT = '/wp-json/svc/v1';
const SITE = 'https://shop.example';
const STATES: ScanState[] = ['before', 'rejected', 'accepted', 'withdrawn', 'gpc'];
const PICTURE = Buffer.from('JPEG made for a test');

const seen = (states: readonly ScanState[], url: string) => ({
  sources: ['network' as const],
  consentState: states.includes('before') ? ('before' as const) : ('after' as const),
  frameUrl: `${SITE}/`,
  blockedUntilConsent: false,
  evidence: states.map(
    (state, at): Evidence => ({ state, url, initiator: `${SITE}/app.js?v=1`, at: 12.4 + at }),
  ),
});
const load = (
  kind: LoadObservation['kind'],
  url: string,
  states: readonly ScanState[],
): LoadObservation => ({ ...seen(states, url), kind, url, method: 'GET' });
const cookie = (name: string, states: readonly ScanState[]): CookieObservation => ({
  ...seen(states, `${SITE}/?token=secret`),
  sources: ['header'],
  kind: 'cookie',
  name,
  domain: 'shop.example',
  path: '/',
  lifetimeSeconds: 3_600,
  secure: true,
  httpOnly: false,
  sameSite: null,
  blockedReasons: [],
});

const HOTJAR = 'https://static.hotjar.com/c/hotjar-1.js';
const PING = 'https://www.google-analytics.com/g/collect?v=2&tid=G-ABC123DEF4&gcs=G100';
const observations: Observation[] = [
  load('script', HOTJAR, ['before', 'accepted']),
  load('script', 'https://connect.facebook.net/en_US/fbevents.js', ['rejected', 'accepted']),
  load('script', 'https://snap.licdn.com/li.lms-analytics/insight.min.js', ['accepted']),
  load('request', PING, ['before', 'rejected', 'accepted']),
  cookie('session_choice_consent', ['rejected', 'accepted']),
  cookie('_ga', ['withdrawn', 'accepted']),
];

describe.each(ENGINES)('The visits of a scan on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: SITE, PAVIS_CHROMIUM: 'off' });
  let scanId = 0;
  let headers: Record<string, string> = {};
  const get = (path: string, more: Record<string, string> = {}) =>
    app.http.request('GET', ROOT + path, { headers: { ...headers, ...more } });
  const beforeVisit = () =>
    makeStateVisit('before', {
      requests: [
        {
          url: `${PING}&gcd=13p3p3p3p5l1`,
          method: 'POST',
          kind: 'request',
          at: 210.6,
          isAfterChoice: false,
          initiator: `${SITE}/app.js?v=1`,
        },
      ],
      cookies: [cookie('_ga', ['before'])],
      storage: [
        { ...seen(['before'], SITE), kind: 'storage', area: 'local', name: 'k', origin: SITE },
      ],
      banner: makeBanner({ controls: [makeControl('accept')], clicksToReject: 2 }),
      picture: PICTURE,
    });

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    scanId = await insertTestScan(app.platform, SITE, STATES);
    await saveVisit(app.platform, scanId, {
      url: `${SITE}/`,
      observations,
      visits: [beforeVisit(), ...STATES.slice(1).map((state) => makeStateVisit(state))],
    });
  });

  it('give each finding its verdicts with evidence, without values of queries', async () => {
    const { json } = await get(`/scanner/results/${scanId}`);
    const verdicts = Object.fromEntries(
      json.results.map((each: { name: string; host: string; verdicts: string[] }) => [
        each.host.replace(/^(www|static|connect|snap)\./, '') +
          (each.host === 'shop.example' ? ` ${each.name}` : ''),
        each.verdicts,
      ]),
    );
    expect(verdicts).toMatchObject({
      'hotjar.com': ['loaded_without_consent'],
      'facebook.net': ['loaded_despite_rejection'],
      'licdn.com': ['blocked_until_consent'],
      'google-analytics.com': ['cookieless_ping'],
      'shop.example session_choice_consent': ['strictly_necessary'],
      'shop.example _ga': ['not_stopped_by_withdrawal'],
    });
    expect(json.verdicts).toContainEqual({
      verdict: 'loaded_despite_rejection',
      count: 1,
      resources: 1,
    });
    expect(json).toMatchObject({ states: STATES, started_by: 'request', broken_promises: 2 });
    const pixel = json.results.find(
      ({ host }: { host: string }) => host === 'connect.facebook.net',
    );
    expect(pixel).toMatchObject({ needs_consent: true, consent_state: 'after', state: 'open' });
    expect(json).toMatchObject({ before_consent: 1, open: 3 });
    const script = json.results.find(({ url }: { url: string }) => url === HOTJAR);
    expect(script).toMatchObject({
      states: ['before', 'accepted'],
      verdict: 'loaded_without_consent',
      broken_promise: false,
      evidence: [
        { state: 'before', url: HOTJAR, initiator: `${SITE}/app.js?v`, at_ms: 12 },
        { state: 'accepted', url: HOTJAR, initiator: `${SITE}/app.js?v`, at_ms: 13 },
      ],
    });
    expect(JSON.stringify(json)).not.toContain('secret');
  });

  it('are listed with signals, banner and shortcomings, of one page on request', async () => {
    const { json } = await get(`/scanner/scans/${scanId}/visits`);
    expect(json.map(({ state }: { state: string }) => state)).toEqual([
      'before',
      ...STATES.slice(1),
    ]);
    expect(json[0]).toMatchObject({
      page_url: `${SITE}/`,
      outcome: 'reached',
      clicks: 0,
      has_picture: true,
      signals: {
        consent_mode: [
          {
            service: 'google',
            at_ms: 211,
            parameters: { gcs: 'G100', gcd: '13p3p3p3p5l1' },
            consent: { ad_storage: { default: 'denied', update: null, in_force: 'denied' } },
          },
        ],
        tcf: null,
        shortcomings: [],
      },
      banner: { clicks_to_reject: 2, controls: [{ role: 'accept', is_link: false }] },
    });
    expect(json[0].banner.shortcomings.map(({ code }: { code: string }) => code)).toEqual([
      'no_reject_on_first_layer',
      'reject_takes_more_clicks',
    ]);
    expect(json[1]).toMatchObject({ banner: null, has_picture: false });
    expect((await get(`/scanner/scans/${scanId}/visits?url=${SITE}/other`)).json).toEqual([]);
    expect((await get('/scanner/scans/999999/visits')).status).toBe(404);
  });

  it('count their shortcomings in the results, by page', async () => {
    const { shortcomings } = (await get(`/scanner/results/${scanId}`)).json;
    expect(shortcomings).toContainEqual({
      code: 'reject_takes_more_clicks',
      title: expect.any(String),
      explanation: 'Accepting takes 1 click, rejecting 2 clicks.',
      source: expect.stringContaining('SAN-2021-023'),
      pages: 1,
      page_urls: [`${SITE}/`],
    });
  });

  it('have a picture that browsers revalidate by its hash', async () => {
    const [{ id }] = (await get(`/scanner/scans/${scanId}/visits`)).json;
    const picture = await get(`/scanner/visits/${id}/picture`);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect(picture.headers.get('cache-control')).toMatch(/private/);
    expect(picture.text).toBe(PICTURE.toString());
    const etag = picture.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    expect((await get(`/scanner/visits/${id}/picture`, { 'if-none-match': etag })).status).toBe(
      304,
    );
    expect((await get('/scanner/visits/999999/picture')).status).toBe(404);
  });

  it('are recorded without values of queries and cookies', async () => {
    const row = await app.platform.datastore.db
      .selectFrom('scan_visits')
      .where('scan_id', '=', scanId)
      .where('state', '=', 'before')
      .select('recording')
      .executeTakeFirstOrThrow();
    const recording = gunzipSync(row.recording).toString();
    expect(JSON.parse(recording)).toMatchObject({
      requests: [{ url: expect.stringMatching(/collect\?gcd&gcs&tid=G-ABC123DEF4&v$/), at: 211 }],
      cookies: [{ name: '_ga', domain: 'shop.example' }],
      storage: [{ area: 'local', name: 'k', origin: SITE }],
    });
    expect(recording).not.toMatch(/secret|G100/);
  });

  it('are listed page by page in the order of the scan, with totals', async () => {
    const path = `/scanner/scans/${scanId}/visits`;
    const all = (await get(path)).json;
    expect(all.length).toBe(5);
    const second = await get(`${path}?per_page=2&page=2`);
    expect(second.json).toEqual(all.slice(2, 4));
    const totals = ({ headers: sent }: typeof second) =>
      ['x-wp-total', 'x-wp-totalpages'].map((name) => Number(sent.get(name)));
    expect(totals(second)).toEqual([5, 3]);
    expect(second.headers.get('link')).toMatch(/page=1>; rel="prev".*page=3>; rel="next"/);
    const none = await get(`${path}?url=${SITE}/other`);
    expect([none.json, totals(none)]).toEqual([[], [0, 0]]);
    expect((await get(`${path}?per_page=101`)).status).toBe(400);
    const many = await insertTestScan(app.platform, SITE, STATES);
    for (let page = 0; page < 11; page++)
      await saveVisit(app.platform, many, {
        url: `${SITE}/${page}`,
        observations: [],
        visits: STATES.map((state) => makeStateVisit(state)),
      });
    const first = await get(`/scanner/scans/${many}/visits`);
    expect([first.json.length, ...totals(first)]).toEqual([50, 55, 2]);
    const ofPage = await get(`/scanner/scans/${many}/visits?url=${SITE}/10`);
    expect([ofPage.json.length, ...totals(ofPage)]).toEqual([5, 5, 1]);
  });

  it('are replaced when the page is scanned again', async () => {
    const other = await insertTestScan(app.platform, SITE, ['before']);
    const save = () =>
      saveVisit(app.platform, other, {
        url: `${SITE}/`,
        observations: [],
        visits: [beforeVisit()],
      });
    await save();
    const [first] = (await get(`/scanner/scans/${other}/visits`)).json;
    await save();
    const again = (await get(`/scanner/scans/${other}/visits`)).json;
    expect(again.length).toBe(1);
    expect(again[0].id).not.toBe(first.id);
  });

  it('compare their verdicts with those of an earlier scan', async () => {
    const later = await insertTestScan(app.platform, SITE, STATES);
    await saveVisit(app.platform, later, {
      url: `${SITE}/`,
      observations: [
        load('script', HOTJAR, ['accepted']),
        load('script', 'https://snap.licdn.com/li.lms-analytics/insight.min.js', [
          'gpc',
          'accepted',
        ]),
        load('script', 'https://connect.facebook.net/en_US/fbevents.js', ['rejected', 'accepted']),
      ],
      visits: STATES.map((state) => makeStateVisit(state)),
    });
    const { json } = await get(`/scanner/scans/${later}?compare_with=${scanId}`);
    const changed = json.comparison.changed.map(
      ({ host, before, after }: Record<string, string>) => [host, before, after],
    );
    expect(changed).toEqual([
      ['snap.licdn.com', 'blocked_until_consent', 'ignores_gpc'],
      ['static.hotjar.com', 'loaded_without_consent', 'blocked_until_consent'],
    ]);
  });

  it('keep pictures of all pages up to 100, then only of pages that need one', async () => {
    const many = await insertTestScan(app.platform, SITE, ['before']);
    const fair = () => makeStateVisit('before', { picture: PICTURE, banner: makeBanner() });
    const save = (page: number, visit: ReturnType<typeof fair>) =>
      saveVisit(app.platform, many, {
        url: `${SITE}/${page}`,
        observations: [],
        visits: STATES.map((state) => ({ ...visit, state })),
      });
    for (let page = 0; page < 21; page++) await save(page, fair());
    await save(21, beforeVisit());
    const pages = [];
    for (const page of [1, 2])
      pages.push(...(await get(`/scanner/scans/${many}/visits?per_page=100&page=${page}`)).json);
    const kept = pages.filter(({ has_picture }: { has_picture: boolean }) => has_picture);
    expect(kept.length).toBe(105);
    expect(kept.at(-1).page_url).toBe(`${SITE}/21`);
  });

  it('lose their pictures at the next scans if more than 20 scans became old at once', async () => {
    const { db } = app.platform.datastore;
    const countPictures = async () => {
      const rows = await db
        .selectFrom('scan_visits')
        .select('id')
        .where('picture', 'is not', null)
        .where('scan_id', 'in', old)
        .execute();
      return rows.length;
    };
    const complete = async () => {
      app.clock.advance(1_000);
      const id = await insertTestScan(app.platform, SITE, ['before']);
      await app.http.post(`${ROOT}/scanner/complete`, { headers, body: { scan_id: id } });
    };
    const old: number[] = [];
    for (let at = 0; at < 30; at++) {
      const id = await insertTestScan(app.platform, SITE, ['before']);
      const visits = [beforeVisit()];
      await saveVisit(app.platform, id, { url: `${SITE}/`, observations, visits });
      await app.http.post(`${ROOT}/scanner/scans/${id}/cancel`, { headers });
      old.push(id);
    }
    for (let at = 0; at < 29; at++) await complete();
    expect(await countPictures()).toBe(30);
    await complete();
    expect(await countPictures()).toBe(10);
    await complete();
    expect(await countPictures()).toBe(0);
  });

  it('lose their pictures when 30 later scans are completed, and keep everything else', async () => {
    const visited = async () => {
      const id = await insertTestScan(app.platform, SITE, ['before']);
      const visits = [beforeVisit()];
      await saveVisit(app.platform, id, { url: `${SITE}/`, observations, visits });
      return id;
    };
    const complete = async (id: number) => {
      app.clock.advance(1_000);
      await app.http.post(`${ROOT}/scanner/complete`, { headers, body: { scan_id: id } });
    };
    const getVisit = async (id: number) => (await get(`/scanner/scans/${id}/visits`)).json[0];
    const [old, cancelled, running] = [await visited(), await visited(), await visited()];
    await complete(old);
    await app.http.post(`${ROOT}/scanner/scans/${cancelled}/cancel`, { headers });
    const before = await getVisit(old);
    const results = (await get(`/scanner/results/${old}`)).json;
    const later = [await visited()];
    for (let at = 1; at < 30; at++) later.push(await insertTestScan(app.platform, SITE, STATES));
    for (const id of later.slice(0, 29)) await complete(id);
    const proof = await insertTestScan(app.platform, SITE, STATES);
    await app.platform.datastore.db
      .updateTable('scans')
      .set({ started_by: 'proof' })
      .where('id', '=', proof)
      .execute();
    await complete(proof);
    expect((await getVisit(old)).has_picture).toBe(true);

    await complete(later[29] as number);
    expect(await getVisit(old)).toEqual({ ...before, has_picture: false });
    expect((await get(`/scanner/results/${old}`)).json).toEqual(results);
    expect((await getVisit(cancelled)).has_picture).toBe(false);
    expect((await getVisit(running)).has_picture).toBe(true);
    expect((await getVisit(later[0] as number)).has_picture).toBe(true);
    const { status, json } = await get(`/scanner/visits/${before.id}/picture`);
    expect([status, json.code, json.message]).toEqual([
      404,
      'not_found',
      'The picture was removed. Only pictures of the 30 most recent completed scans are kept, and of checks of blocked findings since then.',
    ]);
    // A scan that was left for long is among the most recent when it is completed.
    await complete(running);
    expect((await getVisit(running)).has_picture).toBe(true);
    expect((await getVisit(later[0] as number)).has_picture).toBe(false);
  });
});
