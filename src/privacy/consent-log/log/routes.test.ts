import { beforeAll, describe, expect, it } from 'vitest';
import { logAll } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { erasePerson } from '../../../personal-data/index.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/durations.ts';
import {
  computeRoot,
  hashLeaf,
  isIncluded,
  openNote,
  parseCheckpoint,
  parseProof,
  parseVerifierKey,
} from '../../../platform/transparency-log/index.ts';
import { consentRecords } from '../../consent/retention.ts';

const ROOT = '/wp-json/svc/v1/consent/log';
const SIZE = 600;

describe.each(ENGINES)('/consent/log on %s', (engine) => {
  const app = useTestApp(engine);
  let admin: Record<string, string>;
  const get = (path: string, headers = admin) => fetch(`${app.url}${ROOT}${path}`, { headers });
  const readState = async () => (await app.http.get(ROOT, { headers: admin })).json;
  const bytes = async (path: string) => Buffer.from(await (await get(path)).arrayBuffer());
  const setPublic = (value: boolean) =>
    app.http.request('PUT', '/wp-json/svc/v1/settings', {
      headers: admin,
      body: { consent_log: { public: value } },
    });

  beforeAll(async () => {
    admin = await basicAuth(app.platform);
    const now = app.clock.now();
    const rows = Array.from({ length: SIZE }, (_, at) => ({
      visitor_id: `visitor-${at}`,
      categories_accepted: '["functional"]',
      categories_rejected: '[]',
      consent_action: 'manage',
      day: '2026-11-21',
      created_at: now + at,
      expires_at: now + DAY_MS,
    }));
    await app.platform.datastore.db.insertInto('consent_records').values(rows).execute();
  });

  it('states what is not logged, and 404 before there is a checkpoint', async () => {
    expect(await readState()).toMatchObject({
      origin: `${new URL(app.url).host}/pavis-consent`,
      size: 0,
      root: null,
      checkpoint_at: null,
      not_logged: expect.any(Number),
      not_logged_since: expect.stringContaining('2026-11-21T09:30:00'),
      last_error: null,
      public: false,
    });
    expect((await get('/checkpoint')).status).toBe(404);
    expect((await get('/tile/0/000')).status).toBe(404);
  });

  it('serves checkpoint, tiles and entries from which the root follows', async () => {
    await logAll(app);
    const state = await readState();
    const { size } = state;
    expect(state).toMatchObject({ not_logged: 0, not_logged_since: null });
    expect(size).toBeGreaterThanOrEqual(SIZE);
    const response = await get('/checkpoint');
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('private, max-age=1');
    const note = openNote(await response.text(), [parseVerifierKey(state.verifier_key)]);
    const { root, origin } = parseCheckpoint(note.text);
    expect([origin, Buffer.from(root).toString('base64')]).toEqual([state.origin, state.root]);
    const read = (level: number, number: number, width: number) =>
      bytes(`/tile/${level}/00${number}${width < 256 ? `.p/${width}` : ''}`);
    expect(await computeRoot(read, size)).toEqual(root);

    const partial = size - 512;
    const bundle = await bytes(`/tile/entries/002.p/${partial}`);
    expect(bundle).toHaveLength(partial * 36);
    for (let at = 0; at < partial; at++) expect(bundle.readUInt16BE(at * 36)).toBe(34);
    const tile = await get('/tile/0/001');
    expect(tile.headers.get('content-type')).toBe('application/octet-stream');
    expect(tile.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(await bytes('/tile/1/000.p/2')).toHaveLength(64);
    // A tile of an earlier checkpoint is still there.
    expect(await bytes('/tile/0/001.p/7')).toEqual((await bytes('/tile/0/001')).subarray(0, 224));
    for (const path of [
      '/tile/0/002',
      '/tile/0/003.p/1',
      `/tile/0/002.p/${partial + 1}`,
      '/tile/1/000',
      '/tile/1/000.p/3',
      '/tile/2/000.p/1',
      '/tile/64/000',
      '/tile/0/2',
      '/tile/0/x000/000',
      '/tile/0/000.p/256',
      '/tile/0/000.p/0',
      '/tile/entries/002',
      '/tile/entries',
      '/tile/data/000',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('compares a record with its entry, and proves the entry', async () => {
    const records = '/wp-json/svc/v1/consent/records';
    const { db } = app.platform.datastore;
    const read = async (id: number, what: string) => {
      const { status, json } = await app.http.get(`${records}/${id}/${what}`, { headers: admin });
      return [status, json];
    };
    const stateOf = async (id: number) => (await read(id, 'log-state'))[1].state;
    const { json: visited } = await app.http.post('/wp-json/svc/v1/consent', {
      body: { visitor_id: 'own', consent_action: 'accept_all', page_url: 'https://example.org/' },
    });
    const fresh = visited.id;
    expect((await read(fresh, 'log-state'))[1]).toMatchObject({ state: 'pending', index: null });
    app.clock.advance(MINUTE_MS);
    expect(await stateOf(fresh)).toBe('pending');
    app.clock.advance(1);
    expect(await stateOf(fresh)).toBe('unlogged');
    expect((await read(fresh, 'proof'))[1]).toMatchObject({ code: 'record_not_logged' });
    expect((await read(fresh + 1, 'proof'))[1]).toMatchObject({ code: 'not_found' });
    await logAll(app);

    const { verifier_key, root, size } = await readState();
    const state = (await read(fresh, 'log-state'))[1];
    expect(state).toMatchObject({ id: fresh, state: 'intact', size });
    const response = await fetch(`${app.url}${records}/${fresh}/proof`, { headers: admin });
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="consent-record-${fresh}.tlog-proof"`,
    );
    const { extra, index, path: proof, checkpoint } = parseProof(await response.text());
    const signed = parseCheckpoint(openNote(checkpoint, [parseVerifierKey(verifier_key)]).text);
    expect([index, Buffer.from(signed.root).toString('base64')]).toEqual([state.index, root]);
    const leaf = hashLeaf(extra ?? Buffer.alloc(0));
    expect(isIncluded({ leaf, index, size, proof, root: signed.root })).toBe(true);

    const change = (set: object) =>
      db.updateTable('consent_records').set(set).where('id', '=', fresh).execute();
    await change({ page_url: 'https://example.org/other' });
    expect(await stateOf(fresh)).toBe('altered');
    await change({ page_url: 'https://example.org/' });
    expect(await stateOf(fresh)).toBe('intact');
    const today = { at: app.clock.now(), day: '2026-11-21' };
    await app.platform.datastore.transaction((trx) =>
      erasePerson(trx, consentRecords, 'visitor_id', 'own', today),
    );
    expect(await stateOf(fresh)).toBe('anonymised');
    await change({ consent_action: 'reject_all' });
    expect(await stateOf(fresh)).toBe('altered');
    await db.deleteFrom('consent_records').where('id', '=', fresh).execute();
    expect((await read(fresh, 'log-state'))[0]).toBe(404);
    // The entry stays.
    expect((await read(fresh, 'proof'))[0]).toBe(200);
  });

  it('is for everyone only if the settings say so', async () => {
    const subscriber = await basicAuth(app.platform, 'subscriber');
    const read = async (headers: Record<string, string>) =>
      Promise.all(
        ['', '/checkpoint', '/tile/0/000', '/tile/entries/000'].map(
          async (path) => (await get(path, headers)).status,
        ),
      );
    expect(await read({})).toEqual([401, 401, 401, 401]);
    expect(await read(subscriber)).toEqual([403, 403, 403, 403]);
    expect((await setPublic(true)).status).toBe(200);
    expect(await read({})).toEqual([401, 200, 200, 200]);
    const { headers } = await get('/tile/0/000', {});
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await readState()).public).toBe(true);
    await setPublic(false);
    expect(await read({})).toEqual([401, 401, 401, 401]);
  });
});
