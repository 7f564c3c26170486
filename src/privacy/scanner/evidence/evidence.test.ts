import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { fixtureSite } from '../../../../test/support/fixture-site.ts';
import { HAR } from '../../../../test/support/har-schema.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import {
  insertTestScan,
  makeBanner,
  makeControl,
  makeStateVisit,
  saveVisit,
} from '../../../../test/support/scan-visits.ts';
import { listMismatches } from '../../../../test/support/schemas.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { unzip } from '../../../../test/support/unzip.ts';
import { observed, type StateVisit } from '../observation.ts';

const HOTJAR = 'https://static.hotjar.com/c/hotjar-1.js';
const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
afterAll(() => site.close());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const PICTURE = Buffer.from('JPEG made for a test');

const requests: StateVisit['requests'] = [
  { url: 'https://shop.example/', method: 'GET', kind: 'frame', at: 0, isAfterChoice: false },
  {
    url: 'https://tracker.example/t.js?id=G-ABC123&uid=s3cret',
    method: 'GET',
    kind: 'script',
    at: 812.4,
    isAfterChoice: true,
    initiator: 'https://shop.example/app.js?v=1',
    status: 200,
    mimeType: 'text/javascript',
  },
];

describe.each(ENGINES)('The evidence pack of a scan on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' });
  let headers: Record<string, string>;
  let scanId: number;
  const path = (id: number) => `${ROOT}/scanner/scans/${id}/evidence`;
  const post = async (route: string, body: object) =>
    (await app.http.post(`${ROOT}/scanner/${route}`, { headers, body })).json;

  async function download(id = scanId): Promise<Buffer> {
    const response = await fetch(app.url + path(id), { headers });
    expect(response.headers.get('content-type')).toBe('application/zip');
    return Buffer.from(await response.arrayBuffer());
  }

  async function scan(): Promise<number> {
    const { scan_id, urls } = await post('start', { scan_depth: 1 });
    for (const url of urls) await post('scan-page', { scan_id, url });
    return scan_id;
  }

  /** A scan in two states with one page, which is complete. */
  async function scanWithVisits(picture = PICTURE): Promise<number> {
    const { platform } = app;
    const id = await insertTestScan(platform, 'https://shop.example', ['before', 'rejected']);
    await saveVisit(platform, id, {
      url: 'https://shop.example/',
      observations: [
        {
          ...observed('network', 'before', 'https://shop.example/'),
          evidence: [{ state: 'before', url: HOTJAR, at: 812 }],
          kind: 'script',
          url: HOTJAR,
          method: 'GET',
        },
        {
          ...observed('header', 'before', 'https://shop.example/'),
          ...{ kind: 'cookie', name: 'rejected', domain: 'shop.example', path: '/' },
          ...{ lifetimeSeconds: null, secure: false, httpOnly: false, sameSite: 'none' },
          blockedReasons: ['SameSiteNoneInsecure'],
        },
        {
          ...observed('dom', 'before', 'https://shop.example/'),
          // As saved by earlier versions.
          evidence: [{ state: 'before', url: 'https://shop.example/', at: 905 }],
          ...{ kind: 'cookie', name: '_hjid', domain: 'shop.example', path: '/' },
          ...{ lifetimeSeconds: null, secure: false, httpOnly: false, sameSite: 'none' },
          blockedReasons: ['NotStored'],
        },
      ],
      visits: [
        makeStateVisit('before', {
          requests,
          picture,
          banner: makeBanner({
            controls: [makeControl('accept', { label: '<script>alert(1)</script>' })],
            clicksToReject: null,
          }),
        }),
        makeStateVisit('rejected', { outcome: 'no_control', clicks: 0, requests, picture }),
      ],
    });
    await post('complete', { scan_id: id });
    return id;
  }

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    scanId = await scan();
  });

  it('is refused while the scan runs', async () => {
    const { status, json } = await app.http.get(path(scanId), { headers });
    expect([status, json.code]).toEqual([409, 'scan_started']);
    await post('complete', { scan_id: scanId });
  });

  it('of a scan without visits says what was not recorded', async () => {
    const files = unzip(await download());
    expect([...files.keys()]).toEqual([
      'README.txt',
      'report.html',
      'verdicts.json',
      'manifest.json',
      'SHA256SUMS',
    ]);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest.not_recorded[0]).toMatch(/^The scan ran without a browser/);
    expect(String(files.get('report.html'))).toContain('Loaded before consent');
    expect(String(files.get('README.txt'))).toContain('The scan ran without a browser');
  });

  it('has the hash of every file, which match', async () => {
    scanId = await scanWithVisits();
    const files = unzip(await download());
    const manifest = JSON.parse(String(files.get('manifest.json')));
    const sums = String(files.get('SHA256SUMS'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  '));
    expect(sums.map(([, name]) => name)).toEqual([...files.keys()].slice(0, -1));
    for (const [hash, name = ''] of sums) expect(sha256(files.get(name) as Buffer)).toBe(hash);
    for (const { path: name, bytes, sha256: hash } of manifest.files) {
      const content = files.get(name) as Buffer;
      expect([content.length, sha256(content)]).toEqual([bytes, hash]);
    }
    expect(manifest).toMatchObject({
      format: 'pavis-evidence-1',
      scan: { id: scanId, site_url: 'https://shop.example', states: ['before', 'rejected'] },
      browser: 'chromium',
      not_recorded: [],
      removed_pictures: [],
    });
    expect(files.get('pictures/001-before.jpg')).toEqual(PICTURE);
  });

  it('is the same byte by byte when it is made again', async () => {
    const first = await download();
    app.clock.advance(3_600_000);
    expect((await download()).equals(first)).toBe(true);
  });

  it('has a report with picture, outcome, evidence, shortcomings and what was not reached', async () => {
    const report = String(unzip(await download()).get('report.html'));
    for (const text of [
      `data:image/jpeg;base64,${PICTURE.toString('base64')}`,
      'The scanner found no control for this choice.',
      `Before any choice, 0.8 s after the visit began: <code>${HOTJAR}</code>`,
      '<span class="accused">Loaded without consent<br></span>',
      'The browser rejected it: SameSiteNoneInsecure</td>\n<td>Not seen at work.',
      'No reject option on the first layer',
      '<h2>Not reached or incomplete</h2>',
      '<h2>Limits of the method</h2>',
    ])
      expect(report).toContain(text);
    expect(report).toContain('Before any choice, 0.9 s after the visit began');
    expect(report).not.toContain('NotStored');
    expect(report).not.toContain('<script>');
    expect(report.toLowerCase()).not.toMatch(/is compliant|complies with the gdpr/);
  });

  it('has all requests as HAR 1.2, with a page for each state and without query values', async () => {
    const { log } = JSON.parse(String(unzip(await download()).get('requests.har')));
    expect(listMismatches(HAR, log)).toEqual([]);
    expect(log.browser).toEqual({ name: 'chromium', version: '' });
    expect(log.pages.map((page: { _state: string }) => page._state)).toEqual([
      'before',
      'rejected',
    ]);
    expect(log.entries).toHaveLength(4);
    expect(log.entries[1]).toMatchObject({
      pageref: log.pages[0].id,
      startedDateTime: expect.stringMatching(/\.812Z$/),
      request: {
        queryString: [
          { name: 'id', value: 'G-ABC123' },
          { name: 'uid', value: '' },
        ],
      },
      _initiator: 'https://shop.example/app.js?v',
      _after_choice: true,
    });
    expect(log.comment).toContain('query parameters');
  });

  it('says which pages were read without a browser, and has the findings of a page that crashed it', async () => {
    const id = await scanWithVisits();
    await app.platform.datastore.db
      .updateTable('scans')
      .set({ status: 'started', engine: 'html' })
      .where('id', '=', id)
      .execute();
    const load = (frameUrl: string) => ({
      ...observed('network', 'before', frameUrl),
      evidence: [{ state: 'before' as const, url: HOTJAR, at: 5 }],
      ...{ kind: 'script' as const, url: HOTJAR, method: 'GET' },
    });
    const read = 'https://shop.example/read';
    await saveVisit(app.platform, id, { url: read, observations: [load(read)] });
    const crashed = 'https://shop.example/crashed';
    const error = 'The browser crashed on this page or ran out of memory.';
    const visits = [makeStateVisit('before', { outcome: 'failed', error })];
    await saveVisit(app.platform, id, {
      url: crashed,
      observations: [load(crashed)],
      visits,
      error,
    });
    await post('complete', { scan_id: id });
    const files = unzip(await download(id));
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest.not_recorded[0]).toMatch(/^1 of 2 scanned pages were read without a browser/);
    const report = String(files.get('report.html'));
    expect(report).toContain(`<h3>Page 3: <code>${crashed}</code></h3>`);
    expect(report).toContain(
      `<tr><td><code>${read}</code></td><td>All</td><td>No browser was available.</td></tr>`,
    );
    expect(report).not.toContain('None: the HTML was read without a browser');
  });

  it('of an old scan says that its pictures were removed, with their hashes', async () => {
    const [{ id }] = (await app.http.get(`${ROOT}/scanner/scans/${scanId}/visits`, { headers }))
      .json;
    for (let at = 0; at < 30; at++) {
      const later = await insertTestScan(app.platform, 'https://shop.example', ['before']);
      await post('complete', { scan_id: later });
    }
    expect((await app.http.get(`${ROOT}/scanner/visits/${id}/picture`, { headers })).status).toBe(
      404,
    );
    const files = unzip(await download());
    expect([...files.keys()].filter((name) => name.startsWith('pictures/'))).toEqual([]);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    const [reason] = manifest.not_recorded;
    expect(manifest.not_recorded).toHaveLength(1);
    expect(reason).toMatch(
      /^The pictures of 2 of 2 visits were removed\. .* 30 most recent completed scans/,
    );
    expect(manifest.removed_pictures).toEqual([
      { path: 'pictures/001-before.jpg', sha256: sha256(PICTURE) },
      { path: 'pictures/001-rejected.jpg', sha256: sha256(PICTURE) },
    ]);
    for (const name of ['README.txt', 'report.html'])
      expect(String(files.get(name))).toContain(reason);
    expect(String(files.get('report.html'))).not.toContain('<img');
  });

  it('that a client stops downloading does not harm the server', async () => {
    const id = await scanWithVisits(randomBytes(8_000_000));
    await new Promise<void>((resolve, reject) => {
      const asked = request(app.url + path(id), { headers }, (response) => {
        response.once('data', () => response.destroy());
        response.once('close', resolve);
        response.once('error', () => {});
      });
      asked.once('error', reject).end();
    });
    expect((await download()).length).toBeGreaterThan(1_000);
  });
});
