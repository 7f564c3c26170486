import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Datastore, openDatastore } from '../../src/platform/db/index.ts';
import { DAY_MS } from '../../src/platform/durations.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavisJson, startServer } from '../support/process.ts';

const MAIN = join(import.meta.dirname, '../../bin/pavis.js');
const RECORDS = 20_000;
/** A run rests after each batch, so beside other work it takes long. */
const timeoutMs = 60_000;

describe.each(ENGINES)('a retention run on %s', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let datastore: Datastore;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase(engine);
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: database.url };
    datastore = await openDatastore(database.url, await createLogger('silent'));
  });
  beforeEach(async () => {
    await datastore.db.deleteFrom('retention_run_details').execute();
    await datastore.db.deleteFrom('retention_runs').execute();
    await datastore.db.deleteFrom('consent_records').execute();
    const expiresAt = Date.now() - 900 * DAY_MS;
    for (let at = 0; at < RECORDS; at += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, n) => ({
        visitor_id: `visitor-${at + n}`,
        categories_accepted: '[]',
        categories_rejected: '[]',
        consent_action: 'manage',
        day: '2023-01-01',
        created_at: expiresAt - 365 * DAY_MS,
        config_version: 0,
        expires_at: expiresAt + at + n,
      }));
      await datastore.db.insertInto('consent_records').values(rows).execute();
    }
  });
  afterAll(async () => {
    await datastore?.close();
    await database?.drop();
    folder.remove();
  });

  const done = async () => {
    const { count } = await datastore.db
      .selectFrom('consent_records')
      .select((eb) => eb.fn.count<number>('anonymised_at').as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  it('reports its progress after it is killed, and the next run completes it', async () => {
    const dry = await pavisJson(['retention', 'run', '--dry-run'], env);
    expect(dry.total_affected).toBe(RECORDS);

    const killed = spawn(process.execPath, [MAIN, 'retention', 'run'], {
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: 'ignore',
    });
    const ended = once(killed, 'exit');
    while ((await done()) < 1_000 && killed.exitCode === null) await wait(2);
    killed.kill('SIGKILL');
    const [, signal] = await ended;
    expect(signal).toBe('SIGKILL');
    const before = await done();
    expect(before).toBeLessThan(RECORDS);

    const real = await pavisJson(['retention', 'run'], env, { timeoutMs });
    const runs = await datastore.db
      .selectFrom('retention_runs')
      .innerJoin('retention_run_details', 'run_id', 'retention_runs.id')
      .select(['finished_at', 'records_affected'])
      .where('data_category', '=', 'consent_records')
      .orderBy('retention_runs.id')
      .execute();
    expect(runs).toEqual([
      { finished_at: null, records_affected: before },
      { finished_at: expect.any(Number), records_affected: RECORDS - before },
    ]);
    expect(real.total_affected).toBe(RECORDS - before);
    expect(await done()).toBe(RECORDS);
  });

  it('of the command line does not block consent choices on the server', async () => {
    const server = await startServer(env);
    try {
      let isOver = false;
      const running = pavisJson(['retention', 'run'], env, { timeoutMs }).finally(() => {
        isOver = true;
      });
      const statuses: number[] = [];
      async function visitor(name: string): Promise<void> {
        const body = { visitor_id: name, categories_accepted: [], categories_rejected: [] };
        while (!isOver) {
          const { status } = await server.http.post('/wp-json/svc/v1/consent', {
            body: {
              ...body,
              visitor_id: `${name}-${statuses.length}`,
              consent_action: 'reject_all',
            },
          });
          statuses.push(status);
        }
      }
      await Promise.all(['a', 'b', 'c', 'd'].map(visitor));
      expect((await running).total_affected).toBe(RECORDS);
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      expect(statuses.length).toBeGreaterThan(20);
    } finally {
      await server.stop('SIGKILL');
    }
  });
});
