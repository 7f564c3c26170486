import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { fixtureSite } from '../../../../test/support/fixture-site.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { insertTestScan, makeStateVisit, saveVisit } from '../../../../test/support/scan-visits.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { type Observation, observed, type StateVisit } from '../observation.ts';

const ROOT = '/wp-json/svc/v1';
const site = await fixtureSite();
afterAll(() => site.close());

describe.each(ENGINES)('A completed scan on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: site.url, PAVIS_CHROMIUM: 'off' });

  async function setUp() {
    const headers = await basicAuth(app.platform);
    await app.platform.datastore.db.deleteFrom('scans').execute();
    const ask = (method: string, path: string, body?: object) =>
      app.http.request(method, ROOT + path, { headers, ...(body && { body }) });
    const scan = async (depth = 0): Promise<number> => {
      app.clock.advance(60_000);
      const { scan_id, urls } = (await ask('POST', '/scanner/start', { scan_depth: depth })).json;
      for (const url of urls) await ask('POST', '/scanner/scan-page', { scan_id, url });
      // Only the first completion reports.
      for (let time = 0; time < 2; time += 1) await ask('POST', '/scanner/complete', { scan_id });
      return scan_id;
    };
    const fired: unknown[] = [];
    onTestFinished(
      app.platform.hooks.addAction('svc_scan_regression', (regression) => fired.push(regression)),
    );
    const listMails = () =>
      app.platform.datastore.db
        .selectFrom('outbox_mails')
        .select(['recipient', 'subject', 'body_text', 'about'])
        .where('kind', '=', 'scan_regression')
        .orderBy('id')
        .execute();
    return { ask, scan, fired, listMails };
  }

  it('emails administrators once and fires a hook if something new loads, and only then', async () => {
    const { scan, fired, listMails } = await setUp();
    await scan();
    const second = await scan();
    const adnet = '<script src="https://cdn.adnet.example/a.js"></script>';
    const hotjar = '<script src="https://static.hotjar.com/c/hotjar-1.js"></script>';
    const restore = site.replace('/', `${adnet}${hotjar}<p>Hello.</p>`);
    onTestFinished(restore);
    const third = await scan();
    await scan();
    const item = { resource_type: 'script', page_urls: [`${site.url}/`] };
    expect(fired).toEqual([
      {
        scan_id: third,
        previous_scan_id: second,
        new_without_consent: [
          {
            ...{ ...item, name: 'cdn.adnet.example', host: 'cdn.adnet.example', vendor: null },
            ...{ category: null, url: 'https://cdn.adnet.example/a.js' },
          },
          expect.objectContaining({ ...item, name: 'Hotjar', vendor: 'hotjar' }),
        ],
        broken_promises: [],
        unknown_vendors: [{ host: 'cdn.adnet.example' }],
      },
    ]);
    const mails = await listMails();
    const { email } = await app.platform.datastore.db
      .selectFrom('users')
      .select('email')
      .where('role', '=', 'administrator')
      .executeTakeFirstOrThrow();
    expect(mails.map(({ recipient }) => recipient)).toEqual([email]);
    expect(mails[0]).toMatchObject({
      subject: `Scan alert: new problems on ${new URL(site.url).host}`,
      about: `scanner/scans/${third}`,
    });
    expect(mails[0]?.body_text).toContain(
      'Load without consent: 2\n\ncdn.adnet.example: https://cdn.adnet.example/a.js, 1 page\n',
    );
    expect(mails[0]?.body_text).toContain('Unknown vendors: 1\n\nHost: cdn.adnet.example');
    expect(mails[0]?.body_text).toContain(`${app.url}/admin/scanner/${third}`);
  });

  it('is compared with a scan that is at least as deep, and without what the owner has accepted', async () => {
    const { ask, scan, fired } = await setUp();
    await scan(0);
    const hotjar = '<script src="https://static.hotjar.com/c/hotjar-1.js"></script>';
    onTestFinished(site.replace('/contact', hotjar));
    const deeper = await scan(1);
    expect(fired).toEqual([]);
    const added = '<script src="https://www.clarity.ms/tag/abc"></script>';
    onTestFinished(site.replace('/contact', hotjar + added));
    const worse = await scan(1);
    expect(fired).toMatchObject([{ scan_id: worse, previous_scan_id: deeper }]);
    await ask('DELETE', `/scanner/scans/${worse}`);
    const found = (await ask('GET', `/scanner/results/${await scan(1)}`)).json;
    expect(fired).toHaveLength(2);
    const clarity = found.results.find(({ url }: { url: string }) => url.includes('clarity'));
    const reason = 'Needed for the booking.';
    const decision = {
      scan_id: found.scan_id,
      findings: [clarity.id],
      decision: 'ignored',
      reason,
    };
    expect((await ask('POST', '/scanner/decisions', decision)).status).toBe(200);
    await ask('DELETE', `/scanner/scans/${found.scan_id}`);
    await scan(1);
    expect(fired).toHaveLength(2);
  });

  it('is not compared with the rejection of a page that ended early or was not made', async () => {
    const { ask, fired } = await setUp();
    const url = `${site.url}/`;
    const src = 'https://static.hotjar.com/c/hotjar-1.js';
    const seen = (): Observation => ({
      ...{ kind: 'script' as const, url: src, method: 'GET' },
      ...observed('network', 'after', url),
      evidence: [{ state: 'rejected', url: src, at: 1 }],
    });
    const saved = async (observations: Observation[], rejected: Partial<StateVisit> = {}) => {
      app.clock.advance(60_000);
      const id = await insertTestScan(app.platform, site.url, ['before', 'rejected']);
      const visits = [makeStateVisit('before'), makeStateVisit('rejected', rejected)];
      await saveVisit(app.platform, id, { url, observations, visits });
      await ask('POST', '/scanner/complete', { scan_id: id });
      return id;
    };
    await saved([], { error: 'The visit took too long and was ended.' });
    await saved([seen()]);
    await saved([], { outcome: 'no_control', clicks: 0 });
    await saved([seen()]);
    expect(fired).toEqual([]);
    const kept = await saved([]);
    const broken = await saved([seen()]);
    expect(fired).toMatchObject([
      { scan_id: broken, previous_scan_id: kept, broken_promises: [{ name: 'Hotjar' }] },
    ]);
  });

  it('is not compared with a first visit that was cut short, unless this one was as well', async () => {
    const { ask, fired } = await setUp();
    const url = `${site.url}/`;
    const src = 'https://static.hotjar.com/c/hotjar-1.js';
    const seen = (): Observation => ({
      ...{ kind: 'script' as const, url: src, method: 'GET' },
      ...observed('network', 'before', url),
      evidence: [{ state: 'before', url: src, at: 1 }],
    });
    const saved = async (observations: Observation[], partial: boolean) => {
      app.clock.advance(60_000);
      const id = await insertTestScan(app.platform, site.url, ['before', 'accepted']);
      const visits = [makeStateVisit('before'), makeStateVisit('accepted')];
      await saveVisit(app.platform, id, { url, observations, visits, partial });
      await ask('POST', '/scanner/complete', { scan_id: id });
      return id;
    };
    await saved([], true);
    await saved([seen()], false);
    expect(fired).toEqual([]);
    await saved([], true);
    const both = await saved([seen()], true);
    await saved([], false);
    const newer = await saved([seen()], true);
    expect(fired).toMatchObject([
      { scan_id: both, new_without_consent: [{ name: 'Hotjar' }] },
      { scan_id: newer, new_without_consent: [{ name: 'Hotjar' }] },
    ]);
  });

  it('reports nothing of pages that failed or were left out in the earlier scan', async () => {
    const { ask, scan, fired, listMails } = await setUp();
    const mails = (await listMails()).length;
    const tags =
      '<script src="https://cdn.adnet.example/a.js"></script><img src="https://adnet.example/i.png">';
    const fail = site.replace('/contact', (response) => void response.writeHead(503).end());
    await scan(1);
    fail();
    onTestFinished(site.replace('/contact', tags));
    await scan(1);
    const { scan_id, urls } = (await ask('POST', '/scanner/start', { scan_depth: 1 })).json;
    await ask('POST', '/scanner/scan-page', { scan_id, url: urls[0] });
    await ask('POST', '/scanner/complete', { scan_id });
    await scan(1);
    expect([fired, (await listMails()).length]).toEqual([[], mails]);
  });
});
