import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { insertTestScan, makeStateVisit, saveVisit } from '../../../../test/support/scan-visits.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { type LoadObservation, observed } from '../observation.ts';

const ROOT = '/wp-json/svc/v1';
const SITE = 'https://shop.example';
const PAGE = `${SITE}/`;

describe.each(ENGINES)('What the banner can block on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: SITE, PAVIS_CHROMIUM: 'off' });

  const ask = async (method: string, path: string, body?: object) =>
    app.http.request(method, ROOT + path, {
      headers: await basicAuth(app.platform),
      ...(body && { body }),
    });
  /** A request before consent. */
  const load = (url: string, more: Partial<LoadObservation>): LoadObservation => ({
    ...observed('network', 'before', PAGE),
    evidence: [{ state: 'before', url, at: 5 }],
    ...{ kind: 'request', url, method: 'GET', initiator: `${SITE}/app.js` },
    ...more,
  });
  async function scan(...observations: LoadObservation[]): Promise<number> {
    app.clock.advance(60_000);
    const id = await insertTestScan(app.platform, SITE, ['before']);
    await saveVisit(app.platform, id, {
      url: PAGE,
      observations,
      visits: [makeStateVisit('before')],
    });
    await ask('POST', '/scanner/complete', { scan_id: id });
    return id;
  }
  const list = async (id: number): Promise<{ script_id: number | null; can_block: boolean }[]> =>
    (await ask('GET', `/scanner/results/${id}?per_page=100`)).json.results;
  const planBlock = async (scan_id: number) =>
    (await ask('POST', '/scanner/decisions', { scan_id, decision: 'blocked', dry_run: true })).json;

  it('includes requests that scripts of the page send with fetch, XMLHttpRequest and sendBeacon', async () => {
    const id = await scan(
      load('https://fetched.example/collect?uid=1', { via: 'fetch' }),
      load('https://xhr.example/collect', { via: 'xhr', method: 'POST' }),
      load('https://beacon.example/collect', { via: 'beacon', method: 'POST' }),
    );
    expect((await list(id)).map(({ can_block }) => can_block)).toEqual([true, true, true]);
    const { scripts, skipped } = await planBlock(id);
    expect(skipped).toEqual([]);
    expect(scripts).toMatchObject([
      { script_url: 'https://fetched.example/collect', blocking_method: 'type_attribute' },
      { script_url: 'https://xhr.example/collect' },
      { script_url: 'https://beacon.example/collect' },
    ]);
  });

  it('does not include other requests, redirects and what the markup requests', async () => {
    const id = await scan(
      load('wss://socket.example/live', { via: 'websocket' }),
      load('https://worker.example/collect', { via: 'worker' }),
      load('https://media.example/film.mp4', { via: 'media' }),
      load('https://target.example/collect', { via: 'fetch', redirectedFrom: `${SITE}/go` }),
      load('https://preload.example/data', { via: 'fetch', sources: ['html', 'network'] }),
    );
    expect((await list(id)).map(({ can_block }) => can_block)).toEqual(Array(5).fill(false));
    const { scripts, skipped } = await planBlock(id);
    expect(scripts).toEqual([]);
    expect(skipped).toHaveLength(5);
    expect(skipped[0].reason).toBe(
      'The banner cannot block it by its address. Block the script that sets or loads it, or change that code.',
    );
  });

  it('includes requests to which others redirect, and blocks the first', async () => {
    const first = 'https://first.example/collect';
    const id = await scan(
      load(first, { via: 'fetch' }),
      load('https://second.example/collect', { via: 'fetch', redirectedFrom: first }),
    );
    expect((await list(id)).map(({ can_block }) => can_block)).toEqual([true, true]);
    expect((await planBlock(id)).scripts).toMatchObject([{ script_url: first }]);
  });

  it('does not include object and embed elements, and says what to do instead', async () => {
    const markup = { kind: 'frame' as const, sources: ['html' as const, 'network' as const] };
    const film = 'https://video.example/film';
    const id = await scan(
      load(film, { ...markup, via: 'object' }),
      load('https://video.example/song', { ...markup, via: 'embed' }),
      load('https://video.example/player.js', { kind: 'script', initiator: film }),
    );
    expect((await list(id)).map(({ can_block }) => can_block)).toEqual([false, false, false]);
    const { scripts, skipped } = await planBlock(id);
    expect(scripts).toEqual([]);
    expect(skipped).toHaveLength(3);
    for (const { reason } of skipped)
      expect(reason).toBe(
        'The banner cannot block object and embed elements. Use an iframe in their place, or remove them.',
      );
  });

  it('adds an entry where the query of another may come later in the address', async () => {
    const register = (handle: string, script_url: string) =>
      ask('POST', '/scripts', { handle, label: handle, category: 'marketing', script_url });
    const { json: covering } = await register('tag-id', 'https://tag.example/t.js?id=77');
    await register('tag-old', 'https://tag.example/old.js?v=1');
    const id = await scan(
      load('https://tag.example/t.js?v=2&id=77', { kind: 'script' }),
      load('https://tag.example/t.js?id=77', { kind: 'script' }),
      load('https://tag.example/old.js?v=2', { kind: 'script' }),
    );
    expect((await list(id)).map((each) => each.script_id)).toEqual([null, covering.id, null]);
    expect((await planBlock(id)).scripts).toMatchObject([
      { script_url: 'https://tag.example/t.js' },
      { script_url: 'https://tag.example/old.js' },
    ]);
  });
});
