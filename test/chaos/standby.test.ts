import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type Datastore,
  isUnconfirmed,
  openDatastore,
  UNCONFIRMED,
} from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { dataFolder, pavis, type ServerProcess, startServer } from '../support/process.ts';

async function setStandby(admin: pg.Client, name: string): Promise<void> {
  await admin.query(`alter system set synchronous_standby_names = '${name}'`);
  await admin.query('select pg_reload_conf()');
}

/** The same database, as if its URL were that of a pooler in front of it. */
function toDirectUrl(url: string): string {
  const direct = new URL(url);
  direct.searchParams.set('application_name', 'direct');
  return direct.href;
}

describe.each([
  ['directly', () => ({})],
  ['through a pooler', (url: string) => ({ PAVIS_DATABASE_DIRECT_URL: toDirectUrl(url) })],
] as const)('a leader that is reached %s and whose standby does not respond', (_how, more) => {
  const folder = dataFolder();
  let postgres: PostgresServer;
  let server: ServerProcess;
  let admin: pg.Client;
  let env: Record<string, string>;

  const choose = (visitor_id: string) =>
    server.http.post('/wp-json/svc/v1/consent', {
      body: { visitor_id, consent_action: 'accept_all' },
    });

  beforeAll(async () => {
    postgres = await startPostgres();
    const url = postgres.url('postgres');
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: url, ...more(url) };
    server = await startServer(env);
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query('set synchronous_commit = local');
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await admin?.end();
    await postgres?.stop();
    folder.remove();
  });

  const isStored = async (visitor_id: string) => {
    const query = 'select 1 from consent_records where visitor_id = $1';
    return (await admin.query(query, [visitor_id])).rows.length === 1;
  };

  /** Sends choices until one is not acknowledged: a new configuration of PostgreSQL applies a moment later. */
  async function untilUnconfirmed(send: typeof choose) {
    for (;;) {
      const visitor = randomUUID();
      const answer = await send(visitor);
      if (answer.status !== 200) return { visitor, answer };
    }
  }

  it('returns 503 within seconds for a write that only the leader has', async () => {
    // The first choice also records which banner was shown.
    expect((await choose('before')).status).toBe(200);
    await setStandby(admin, 'absent');
    onTestFinished(() => setStandby(admin, ''));
    const { visitor, answer } = await untilUnconfirmed(choose);
    const { status, json, headers } = answer;
    expect([status, json]).toEqual([
      503,
      { code: 'service_unavailable', message: UNCONFIRMED, data: { status: 503 } },
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await isStored(visitor)).toBe(false);
  });

  it('returns 503 also when somebody cancels the wait, which makes the write without the standby', async () => {
    await setStandby(admin, 'absent');
    onTestFinished(() => setStandby(admin, ''));
    const { answer } = await untilUnconfirmed(async (visitor) => {
      const cancelled = choose(visitor);
      await expect
        .poll(async () => {
          await admin.query(
            `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
          );
          return isStored(visitor);
        })
        .toBe(true);
      return cancelled;
    });
    expect([answer.status, answer.json.message]).toEqual([503, UNCONFIRMED]);
  });

  it('fails commands that write with the same message', async () => {
    await setStandby(admin, 'absent');
    onTestFinished(() => setStandby(admin, ''));
    await untilUnconfirmed(choose);
    const { code, stderr } = await pavis(['product', 'create', 'forms', '--name', 'Forms'], env);
    expect([code, stderr]).toEqual([1, `pavis: ${UNCONFIRMED}\n`]);
    await setStandby(admin, '');
    const listed = async () => (await pavis(['product', 'list'], env)).stdout;
    await expect.poll(listed).toContain('forms');
  });

  it('acknowledges writes again when the standby is back or is no longer required', async () => {
    await expect.poll(async () => (await choose('confirmed')).status).toBe(200);
  });
});

describe('a change that the standby does not confirm in time', () => {
  let postgres: PostgresServer;
  let admin: pg.Client;
  let a: Datastore;
  let b: Datastore;

  beforeAll(async () => {
    postgres = await startPostgres();
    const url = postgres.url('postgres');
    const log = await createLogger('silent');
    [a, b] = await Promise.all([openDatastore(url, log), openDatastore(url, log)]);
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
    await admin.query('set synchronous_commit = local');
    await admin.query('create table changes (key text)');
  });
  afterAll(async () => {
    await Promise.all([a?.close(), b?.close()]);
    await admin?.end();
    await postgres?.stop();
  });

  const change = (key: string) =>
    a.transaction(async (trx, announce) => {
      await sql`insert into changes values (${key})`.execute(trx);
      announce('topic', key);
    });
  const isVisible = async (key: string) =>
    (await admin.query('select 1 from changes where key = $1', [key])).rows.length === 1;

  it('is announced on its own node at once, and again when it shows later', async () => {
    const heard: Record<'a' | 'b', (string | undefined)[]> = { a: [], b: [] };
    a.onChange('topic', (key) => heard.a.push(key));
    b.onChange('topic', (key) => heard.b.push(key));
    await change('confirmed');
    await expect.poll(() => heard).toEqual({ a: ['confirmed'], b: ['confirmed'] });

    await setStandby(admin, 'absent');
    onTestFinished(() => setStandby(admin, ''));
    // A new configuration of PostgreSQL applies a moment later.
    let key: string;
    do key = randomUUID();
    while (
      await change(key).then(
        () => true,
        () => false,
      )
    );
    expect([await isVisible(key), heard.a.at(-1), heard.b.includes(key)]).toEqual([
      false,
      key,
      false,
    ]);

    await setStandby(admin, '');
    await expect.poll(() => heard.b.at(-1)).toBe(key);
    expect(await isVisible(key)).toBe(true);
    await expect.poll(() => heard.a.filter((each) => each === key)).toHaveLength(2);

    await change('after');
    await expect.poll(() => heard.b.at(-1)).toBe('after');
    expect(heard.a.filter((each) => each === 'after')).toHaveLength(1);
  });

  it('is told from a change that PostgreSQL cancelled, which is not saved', async () => {
    const insert = (key: string, seconds: number) =>
      a
        .bulkhead('hot')
        .runPrepared?.(
          { name: 'insert', text: 'insert into changes select $1 from pg_sleep($2)' },
          [key, seconds],
        );
    const cancel = (waitEvent: string) =>
      expect
        .poll(async () => {
          const { rowCount } = await admin.query(
            `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = '${waitEvent}'`,
          );
          return rowCount;
        })
        .toBe(1);
    const [cancelled] = await Promise.all([
      insert('cancelled', 30)?.catch((error) => error),
      cancel('PgSleep'),
    ]);
    expect([cancelled.code, isUnconfirmed(cancelled)]).toEqual(['57014', false]);
    expect(await isVisible('cancelled')).toBe(false);

    await setStandby(admin, 'absent');
    onTestFinished(() => setStandby(admin, ''));
    await expect
      .poll(async () => (await admin.query('show synchronous_standby_names')).rows[0])
      .toEqual({ synchronous_standby_names: 'absent' });
    const [unconfirmed] = await Promise.all([
      insert('unconfirmed', 1)?.catch((error) => error),
      cancel('SyncRep'),
    ]);
    expect([isUnconfirmed(unconfirmed), unconfirmed.message]).toEqual([
      true,
      'The standby has not confirmed the commit.',
    ]);
    expect(await isVisible('unconfirmed')).toBe(true);
  });
});

describe('a database behind a pooler', () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  it('gets timeouts for each transaction and none for the session', async () => {
    const url = postgres.url('postgres');
    const direct = toDirectUrl(url);
    const datastore = await openDatastore(url, await createLogger('silent'), direct);
    onTestFinished(() => datastore.close());
    const readTimeouts = async (db: typeof datastore.db) => {
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
      const { rows } = await sql<{ value: string }>`
        select current_setting(name) as value from unnest(${names}::text[]) as name`.execute(db);
      return rows.map(({ value }) => value);
    };
    expect(await datastore.transaction(readTimeouts)).toEqual(['7s', '5s', '30s']);
    expect(await readTimeouts(datastore.db)).toEqual(['0', '0', '0']);
    expect(await datastore.withMigrationDb(readTimeouts)).toEqual(['30min', '5s', '30s']);
  });

  it('hears of changes over the direct connection', async () => {
    const url = postgres.url('postgres');
    const direct = toDirectUrl(url);
    const log = await createLogger('silent');
    const [a, b] = await Promise.all([
      openDatastore(url, log, direct),
      openDatastore(url, log, direct),
    ]);
    onTestFinished(async () => {
      await Promise.all([a.close(), b.close()]);
    });
    const heard: (string | undefined)[] = [];
    b.onChange('topic', (key) => heard.push(key));
    await a.transaction(async (_trx, announce) => announce('topic', 'key'));
    await expect.poll(() => heard).toContain('key');
  });
});
