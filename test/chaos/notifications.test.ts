import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Datastore, openDatastore } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { run } from '../support/engines.ts';
import { gateTo } from '../support/gate.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { dataFolder, type ServerProcess, startServer } from '../support/process.ts';

/** Longer than caches are kept without notifications. */
const UNHEARD_MS = 6_500;
/** Longer than a lost connection is not noticed. */
const UNNOTICED_MS = 11_000;

describe('a node that cannot listen to the others', () => {
  const folder = dataFolder();
  let postgres: PostgresServer;
  let datastore: Datastore;
  let server: ServerProcess;
  let cleared = 0;

  const health = async () => {
    const { status, json } = await server.http.get('/health');
    return [status, json.notifications];
  };

  beforeAll(async () => {
    postgres = await startPostgres();
    const url = postgres.url('postgres');
    await run(url, 'create role listener superuser login');
    const direct = url.replace('postgres@', 'listener@');
    datastore = await openDatastore(url, await createLogger('silent'), direct);
    datastore.onChange('topic', (key) => {
      if (key === undefined) cleared++;
    });
    server = await startServer({
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: url,
      PAVIS_DATABASE_DIRECT_URL: direct,
      PAVIS_CHROMIUM: 'off',
    });
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await datastore?.close();
    await postgres?.stop();
    folder.remove();
  });

  it('says so in /health, and reads again every few seconds what it has in memory', async () => {
    const url = postgres.url('postgres');
    expect([await health(), datastore.isListening()]).toEqual([[200, 'ok'], true]);
    await run(url, 'alter role listener nologin');
    await run(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'listener'`,
    );
    await expect.poll(() => datastore.isListening()).toBe(false);
    await expect.poll(health).toEqual([200, 'failing']);
    expect((await server.http.get('/readyz')).status).toBe(200);
    const before = cleared;
    await expect.poll(() => cleared).toBeGreaterThan(before + 1);
  });

  it('keeps what it has in memory while the database does not respond', async () => {
    await postgres.pause();
    await expect(datastore.ping()).rejects.toThrow();
    const before = cleared;
    await wait(UNHEARD_MS);
    expect(cleared).toBe(before);
    await postgres.resume();
  });

  it('listens again when it can', async () => {
    await run(postgres.url('postgres'), 'alter role listener login');
    await expect.poll(health).toEqual([200, 'ok']);
    await expect.poll(() => datastore.isListening()).toBe(true);
  });
});

describe('a node whose listening connection is lost silently', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  it('notices it, and reads again what it has in memory, also while attempts to connect hang', async () => {
    const url = postgres.url('postgres');
    const gate = await gateTo(Number(new URL(url).port));
    const direct = new URL(url);
    direct.port = gate.port;
    const datastore = await openDatastore(url, await createLogger('silent'), direct.href);
    onTestFinished(async () => {
      await datastore.close();
      gate.close();
    });
    const cleared: number[] = [];
    datastore.onChange('topic', () => cleared.push(performance.now()));
    const lostAt = performance.now();
    gate.block();
    await expect.poll(() => datastore.isListening()).toBe(false);
    const noticedAt = performance.now();
    await expect.poll(() => cleared.length, { timeout: 30_000 }).toBe(3);
    const moments = [noticedAt, ...cleared];
    const pauses = cleared.map((at, index) => at - (moments[index] ?? 0));
    expect(noticedAt - lostAt).toBeLessThan(UNNOTICED_MS);
    expect(Math.max(...pauses)).toBeLessThan(UNHEARD_MS);
  });
});
