import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { databaseFault } from '../../src/platform/db/index.ts';
import { gateTo } from '../support/gate.ts';
import { reservePort } from '../support/ports.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const SITE = 'https://shop.example.org';
const UNKNOWN_KEY = `pv_live_${'x'.repeat(32)}`;
const UNAVAILABLE = { error: 'service_unavailable', message: expect.any(String) };
/** For conditions that a cache alone would meet only after minutes. */
const PATIENCE_MS = 30_000;
const LONGEST_ANSWER_MS = 10_000;
/** Docker ends a container by force after 10 s. Three of them are for the load balancer, which has asked for `/readyz`. */
const LONGEST_END_MS = 9_000;

describe('an unreachable PostgreSQL', () => {
  const folder = dataFolder();
  let postgres: PostgresServer;
  let gate: Awaited<ReturnType<typeof gateTo>>;
  let server: ServerProcess;
  let env: Record<string, string>;
  let key: string;
  let id: string;
  let bearer: Record<string, string>;

  beforeAll(async () => {
    postgres = await startPostgres();
    const url = new URL(postgres.url('postgres'));
    gate = await gateTo(Number(url.port));
    url.port = gate.port;
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: url.href };
    server = await startServer(env);
    const issue = ['licence', 'issue', '--email', 'a@example.org', '--tier', 'agency'];
    ({ key, id } = await pavisJson([...issue, '--days', '30'], env));
    const { token } = await pavisJson(['customer', 'token', 'a@example.org'], env);
    bearer = { authorization: `Bearer ${token}` };
  });
  beforeEach(async () => {
    if (server.child.exitCode !== null) server = await startServer(env);
    await server.http.site('activate', key, SITE);
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    gate?.close();
    await postgres?.stop();
    folder.remove();
  });

  const validate = (of = key) => server.http.site('validate', of, SITE);
  const info = () => server.http.get(`/licence/info?key=${key}`, { headers: bearer });
  /** Fills the pool and the cache. Notifications of the node's own changes clear the cache with a delay. */
  async function warm(): Promise<void> {
    const sites = Array.from({ length: 6 }, (_, n) => `https://warm-${n}.example.org`);
    await Promise.all(sites.map((site) => server.http.site('activate', key, site)));
    for (const start = performance.now(); performance.now() - start < 300; ) {
      expect((await validate()).json).toMatchObject({ valid: true, site_active: true });
    }
  }

  async function expectHealthRefused(): Promise<void> {
    let fastest = Number.POSITIVE_INFINITY;
    // Any single request can be slow on a busy machine. Requests that wait for the database are always slow.
    for (let turn = 0; turn < 3; turn++) {
      const start = performance.now();
      const health = await server.http.get('/health');
      fastest = Math.min(fastest, performance.now() - start);
      expect([health.status, health.json]).toEqual([503, UNAVAILABLE]);
    }
    expect(fastest).toBeLessThan(1_500);
    expect((await server.http.get('/readyz')).status).toBe(503);
    expect((await server.http.get('/livez')).status).toBe(200);
  }

  async function expectHealed(): Promise<void> {
    await vi.waitFor(async () => expect((await server.http.get('/health')).status).toBe(200), {
      timeout: PATIENCE_MS,
      interval: 50,
    });
    const answers = [
      await server.http.get('/readyz'),
      await server.http.site('activate', key, `https://healed-${Date.now()}.example.org`),
      await info(),
      await validate(),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    // Notifications between nodes work again.
    await pavisJson(['licence', 'suspend', id], env);
    await vi.waitFor(async () => expect((await validate()).json.valid).toBe(false), {
      timeout: PATIENCE_MS,
      interval: 20,
    });
    await pavisJson(['licence', 'reinstate', id], env);
    await vi.waitFor(async () => expect((await validate()).json.valid).toBe(true), {
      timeout: PATIENCE_MS,
      interval: 20,
    });
    expect(server.child.exitCode).toBe(null);
  }

  /** The statuses of concurrent requests that need the database; 0 for a lost connection. */
  async function needy(): Promise<number[]> {
    const answers = await Promise.allSettled([
      server.http.site('activate', key, 'https://new.example.org'),
      server.http.site('deactivate', key, SITE),
      validate(UNKNOWN_KEY),
      info(),
      server.http.get('/customer/licences', { headers: bearer }),
    ]);
    return answers.map((each) => (each.status === 'fulfilled' ? each.value.status : 0));
  }

  it('returns 503 while the database is unreachable, still validates known keys, and recovers afterwards', async () => {
    await warm();
    await postgres.pause();
    onTestFinished(async () => {
      if (!postgres.running()) await postgres.resume();
    });
    await expectHealthRefused();
    const cached = await validate();
    expect([cached.status, cached.json.valid, cached.json.site_active]).toEqual([200, true, true]);
    expect(await needy()).toEqual(Array(5).fill(503));
    const refused = await server.http.site('activate', key, SITE);
    expect([refused.status, refused.json]).toEqual([503, UNAVAILABLE]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await server.http.get('/licence/info')).status).toBe(401);

    await postgres.resume();
    await expectHealed();
  });

  it('loses no acknowledged write when the database goes away under load, and recovers', async () => {
    await warm();
    const { key: other } = await pavisJson(
      ['licence', 'issue', '--email', 'a@example.org', '--tier', 'agency', '--days', '9'],
      env,
    );
    const acknowledged = new Set<string>();
    const told = new Set<number>();
    async function caller(n: number): Promise<void> {
      for (let round = 0; round < 6; ) {
        const site = `https://load-${n}-${round}.example.org`;
        const { status } = await server.http
          .site('activate', other, site)
          .catch(() => ({ status: 0 }));
        told.add(status);
        if (status === 0) return;
        if (status !== 200) continue;
        acknowledged.add(site);
        round++;
        if (acknowledged.size === 8) await postgres.pause();
      }
    }
    const callers = Promise.all([0, 1, 2, 3].map(caller));
    onTestFinished(async () => {
      if (!postgres.running()) await postgres.resume();
    });
    await vi.waitFor(() => expect([...told].some((status) => status !== 200)).toBe(true), {
      timeout: PATIENCE_MS,
      interval: 10,
    });
    if (postgres.running()) await postgres.pause();
    await postgres.resume();
    await callers;
    expect([...told].toSorted()).toEqual([200, 503]);
    const { json } = await server.http.get(`/licence/info?key=${other}`, { headers: bearer });
    const stored = json.activations.map(({ site_url }: { site_url: string }) => site_url);
    expect(stored.toSorted()).toEqual([...acknowledged].toSorted());
    await expectHealed();
  });

  it('returns 503 within seconds when the database stops responding without closing connections', async () => {
    await warm();
    gate.block();
    onTestFinished(gate.unblock);
    const asked = needy();
    await expectHealthRefused();
    expect((await validate()).status).toBe(200);
    const late = new Promise<string>((resolve) => {
      setTimeout(() => resolve('no answer'), LONGEST_ANSWER_MS).unref();
    });
    expect(await Promise.race([asked, late])).toEqual(Array(5).fill(503));
  });

  it('uses the database again after it was unresponsive', async () => {
    await expectHealed();
  });

  it('exits with 0 while the database is unresponsive', async () => {
    await warm();
    gate.block();
    onTestFinished(gate.unblock);
    const late = new Promise<string>((resolve) => {
      setTimeout(() => resolve('still there'), LONGEST_END_MS).unref();
    });
    const ended = server.stop('SIGTERM');
    expect(await Promise.race([ended, late])).toBe(0);
  });
});

describe('a database host with several unreachable addresses', () => {
  it('counts as unavailable, like a host with a single address', async () => {
    const port = await reservePort();
    const refusal = (addresses: { address: string; family: number }[]) => {
      const options = { port, host: 'database.example.org', autoSelectFamily: true };
      const socket = connect({
        ...options,
        lookup: (_host, _how, done) => done(null, addresses, 0),
      });
      return once(socket, 'error').then(([error]) => error);
    };
    const address = { address: '127.0.0.1', family: 4 };
    expect(databaseFault(await refusal([address]))).toBe('unavailable');
    const both = [address, { address: '::1', family: 6 }];
    expect(databaseFault(await refusal(both))).toBe('unavailable');
  });
});
