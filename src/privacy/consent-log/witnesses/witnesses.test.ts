import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logAll } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { type TestApp, useTestApp } from '../../../../test/support/test-app.ts';
import { toIsoMoment } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { createLogger } from '../../../platform/log.ts';
import {
  createCosigner,
  openNote,
  parseVerifierKey,
  splitNote,
} from '../../../platform/transparency-log/index.ts';
import { createWitnessServer, openWitness, type Witness } from '../../witness/index.ts';
import { openLog } from '../index.ts';
import { toLogFile } from '../log/open.ts';
import { openLogFile } from '../log/store.ts';
import type { LogDb } from '../log/tables.ts';
import { askWitnesses } from './service.ts';

const ROOT = '/wp-json/svc/v1';
const TABLES = [
  'consent_log_bundles',
  'consent_log_tiles',
  'consent_log_ranges',
  'consent_log_head',
];

describe.each(ENGINES)('two installations that witness each other on %s', (engine) => {
  const shops = [useTestApp(engine), useTestApp(engine)] as const;
  const witnesses: Witness[] = [];
  const urls: string[] = [];
  const ending: (() => Promise<unknown>)[] = [];
  const [shop, other] = shops;
  let visitors = 0;

  async function startWitness(app: TestApp, name: string): Promise<void> {
    const witness = await openWitness(join(app.config.dataDir, 'witness', 'witness.db'), name);
    const server = createWitnessServer(witness, await createLogger('silent'));
    await server.listen({ host: '127.0.0.1', port: 0 });
    ending.push(() => server.close().then(() => witness.close()));
    witnesses.push(witness);
    urls.push(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}`);
  }
  async function decide(app: TestApp, count: number): Promise<void> {
    const rows = Array.from({ length: count }, () => ({
      visitor_id: `visitor-${++visitors}`,
      categories_accepted: '["functional"]',
      categories_rejected: '[]',
      consent_action: 'manage',
      day: '2026-11-21',
      created_at: app.clock.now(),
      expires_at: app.clock.now() + DAY_MS,
    }));
    await app.platform.datastore.db.insertInto('consent_records').values(rows).execute();
    await logAll(app);
  }
  async function save(app: TestApp, named: { url: string; key: string }[]) {
    const headers = await basicAuth(app.platform);
    const body = { consent_log: { witnesses: named } };
    return app.http.request('PUT', `${ROOT}/settings`, { headers, body });
  }
  async function readState(app: TestApp) {
    const headers = await basicAuth(app.platform);
    return (await app.http.get(`${ROOT}/consent/log`, { headers })).json;
  }
  /** Does what the job does, with the witnesses of the settings. */
  async function ask(app: TestApp, allowsPrivate = true): Promise<void> {
    const log = openLog(app.platform, app.config);
    const state = await readState(app);
    const signal = new AbortController().signal;
    await askWitnesses(app.platform, log, state.witnesses, { allowsPrivate, signal });
    await log.close();
  }
  const readWitness = async (app: TestApp) => (await readState(app)).witnesses[0];
  const nameWitness = (at: 0 | 1) => [
    { url: urls[at] ?? '', key: witnesses[at]?.verifierKey ?? '' },
  ];

  /** Writes the whole log again from the rows, with its own key. */
  async function rewriteLog(app: TestApp): Promise<void> {
    const db: LogDb =
      engine === 'sqlite'
        ? openLogFile(toLogFile(app.config.dataDir))
        : (app.platform.datastore.db as unknown as LogDb);
    for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(db);
    if (engine === 'sqlite') await db.destroy();
    await logAll(app);
  }

  beforeAll(async () => {
    await startWitness(shop, 'shop.example/w');
    await startWitness(other, 'other.example/w');
    for (const app of shops) await decide(app, 300);
    await save(shop, nameWitness(1));
    await save(other, nameWitness(0));
  });
  afterAll(async () => {
    for (const end of ending) await end();
  });

  it('shows what to do while the witness does not know the log', async () => {
    expect(await readWitness(shop)).toMatchObject({
      name: 'other.example/w',
      url: urls[1],
      size: null,
      error: null,
    });
    await ask(shop);
    expect(await readWitness(shop)).toMatchObject({
      size: null,
      error: expect.stringContaining('does not know this log'),
      contradicts: false,
    });
  });

  it('cosigns the log as it grows, and serves the cosignature with the checkpoint', async () => {
    for (const [at, app] of shops.entries())
      await witnesses[1 - at]?.addLog((await readState(app)).verifier_key);
    shop.clock.advance(MINUTE_MS);
    for (const app of shops) await ask(app);
    for (const [at, app] of shops.entries()) {
      const { size, verifier_key: key, ...state } = await readState(app);
      expect(state.witnesses).toMatchObject([{ size, error: null, contradicts: false }]);
      const headers = await basicAuth(app.platform);
      const response = await fetch(`${app.url}${ROOT}/consent/log/checkpoint`, { headers });
      const checkpoint = await response.text();
      const keys = [key, witnesses[1 - at]?.verifierKey ?? ''].map(parseVerifierKey);
      expect(openNote(checkpoint, keys).signatures).toHaveLength(2);
      expect(state.cosigned_checkpoint).toBe(checkpoint);
    }
    await decide(shop, 1_000);
    const before = await readState(shop);
    expect(before.witnesses[0].size).toBeLessThanOrEqual(before.size - 1_000);
    await ask(shop);
    const after = await readState(shop);
    expect(after.witnesses[0]).toMatchObject({ size: after.size, error: null });
  });

  it('continues with a witness whose last cosignature is not known here', async () => {
    await shop.platform.datastore.db.deleteFrom('consent_log_witnesses').execute();
    await decide(shop, 1);
    await ask(shop);
    const { size, witnesses: states } = await readState(shop);
    expect(states).toMatchObject([{ size, error: null }]);
  });

  it('reports a witness that does not answer, and asks it again later and later', async () => {
    const key = witnesses[1]?.verifierKey ?? '';
    await save(shop, [{ url: 'http://127.0.0.1:9/', key }]);
    await decide(shop, 1);
    await ask(shop);
    const failed = await readWitness(shop);
    expect(failed).toMatchObject({
      error: expect.stringMatching(/cannot be reached: .*ECONNREFUSED/),
      error_at: expect.any(String),
      contradicts: false,
    });
    await save(shop, nameWitness(1));
    await ask(shop);
    expect(await readWitness(shop)).toMatchObject({ error: failed.error });
    shop.clock.advance(MINUTE_MS);
    await ask(shop, false);
    expect((await readWitness(shop)).error).toContain('PAVIS_PRIVATE_WITNESSES');
    shop.clock.advance(MINUTE_MS);
    await ask(shop);
    expect((await readWitness(shop)).error).not.toBeNull();
    shop.clock.advance(MINUTE_MS);
    await ask(shop);
    expect(await readWitness(shop)).toMatchObject({ error: null });
  });

  it('does not accept a response that the witness has not signed', async () => {
    const impostor = createServer((_, response) => {
      response.end(`\u2014 other.example/w ${Buffer.alloc(76).toString('base64')}\n`);
    });
    await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
    const { port } = impostor.address() as AddressInfo;
    await save(shop, [{ ...nameWitness(1)[0], url: `http://127.0.0.1:${port}` } as never]);
    await decide(shop, 1);
    await ask(shop);
    expect((await readWitness(shop)).error).toContain('not signed with the verifier key');
    impostor.close();
    await save(shop, nameWitness(1));
    await ask(shop);
    expect((await readWitness(shop)).error).toContain('not signed with the verifier key');
    // The pause is no longer for that.
    shop.clock.set(toIsoMoment(shop.clock.now() - HOUR_MS));
    await ask(shop);
    expect(await readWitness(shop)).toMatchObject({ error: null });
  });

  /** Asks a server of its own as a witness with a key, and gives what is known of it then. */
  async function askServer(key: string, answer: (body: string) => [status: number, text: string]) {
    const server = createServer(async (request, response) => {
      const [status, answered] = answer(await text(request));
      response.writeHead(status).end(answered);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await save(shop, [{ url: `http://127.0.0.1:${port}`, key }]);
    await ask(shop);
    const found = await readWitness(shop);
    server.close();
    await save(shop, nameWitness(1));
    return found;
  }

  it('does not accept a cosignature from a time that no clock has', async () => {
    const { verifierKey, cosign } = createCosigner('hasty.example/w', Buffer.alloc(32, 9));
    // Microseconds in place of seconds.
    const found = await askServer(verifierKey, (body) => {
      const checkpoint = splitNote(body.slice(body.indexOf('\n\n') + 2)).text;
      return [200, cosign(checkpoint, Date.now() * 1_000)];
    });
    expect(found).toMatchObject({
      cosigned_at: null,
      error: expect.stringContaining('not signed with the verifier key'),
    });
  });

  it.each([
    ['its size', (size: number) => `${size}\n`],
    ['nothing', () => ''],
    ['a text', () => 'root hash mismatch\n'],
  ])(
    'is contradicted by another root hash of its size, and %s as the response',
    async (named, toText) => {
      const { verifierKey } = createCosigner(`other.example/${named.length}`, Buffer.alloc(32, 9));
      const { size } = await readState(shop);
      const found = await askServer(verifierKey, (body) => [
        409,
        body.startsWith(`old ${size}\n`) ? toText(size) : `${size}\n`,
      ]);
      expect(found).toMatchObject({
        contradicts: true,
        error: expect.stringContaining('entries that are not in this log'),
      });
    },
  );

  it('finds a log that was rewritten with its own key, at the same size and after it has grown', async () => {
    const before = await readState(shop);
    await sql`update consent_records set language = 'xx' where id = 7`.execute(
      shop.platform.datastore.db,
    );
    await rewriteLog(shop);
    const rewritten = await readState(shop);
    expect([rewritten.size, rewritten.not_logged]).toEqual([before.size, 0]);
    expect(rewritten.root).not.toBe(before.root);
    const contradiction = {
      contradicts: true,
      size: before.size,
      error: expect.stringContaining('not in this log'),
    };
    await ask(shop);
    expect(await readWitness(shop)).toMatchObject(contradiction);
    await decide(shop, 5);
    shop.clock.advance(HOUR_MS);
    await ask(shop);
    expect(await readWitness(shop)).toMatchObject(contradiction);
    // The evidence: the last checkpoint of the true log is still there.
    expect((await readState(shop)).cosigned_checkpoint).toBe(before.cosigned_checkpoint);
    expect(shop.logged()).toContain('consent log: The witness has cosigned');
  });

  it('finds a log that was shortened', async () => {
    const { size } = await readWitness(other);
    await sql`delete from consent_records where id > 250`.execute(other.platform.datastore.db);
    await rewriteLog(other);
    await ask(other);
    expect(await readWitness(other)).toMatchObject({
      contradicts: true,
      size,
      error: expect.stringContaining(`has cosigned ${size} entries`),
    });
  });

  it.each([
    ['ftp://witness.example.com', 'must be an https address'],
    ['http://witness.example.com', 'must be an https address'],
    ['https://user:pass@witness.example.com', 'must be an https address'],
    ['witness.example.com', 'must be an https address'],
  ])('refuses the address %s', async (url, message) => {
    const response = await save(shop, [{ ...nameWitness(1)[0], url } as never]);
    expect([response.status, JSON.stringify(response.json)]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
  });

  it('refuses keys that are no keys of witnesses, and one twice', async () => {
    const url = 'https://witness.example.com';
    const own = (await readState(shop)).verifier_key;
    const twice = [...nameWitness(1), ...nameWitness(1)];
    for (const [named, message] of [
      [[{ url, key: 'abc' }], 'NAME+ID+KEY'],
      [[{ url, key: own }], 'key of a log'],
      [twice, 'is entered twice'],
    ] as const) {
      const response = await save(shop, [...named]);
      expect(response.status).toBe(400);
      expect(JSON.stringify(response.json)).toContain(message);
    }
    const many = Array.from({ length: 11 }, () => ({ url, key: 'abc' }));
    expect((await save(shop, many)).status).toBe(400);
  });
});
