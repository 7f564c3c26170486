import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Datastore, openDatastore } from '../../src/platform/db/index.ts';
import { DAY_MS } from '../../src/platform/durations.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const ROOT = '/wp-json/svc/v1';
const EMAIL = 'subject@example.com';
const VISITOR = 'visitor-of-the-subject';
/** Enough records that the erasure is still running when the test sees its start. */
const DECISIONS = 40_000;
const ORDERS = 20;

/** A shop with orders as files. Its first erasure stalls halfway; its journal counts erased orders. */
const extensionOn = (folder: string) => `
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
const folder = ${JSON.stringify(folder)};
export default (pavis) => pavis.addAction('svc_register_extensions', (registry) => {
  registry.addDsarSource({
    id: 'letters', label: 'Letters',
    async erase() {
      appendFileSync(folder + '/letters', 'asked\\n');
      return { erased: 2, kept: [{ count: 1, reason: 'tax law' }] };
    },
  });
  registry.addDsarSource({
    id: 'orders', label: 'Orders',
    async erase() {
      for (const [at, name] of readdirSync(folder + '/orders').entries()) {
        if (at === ${ORDERS / 2} && !existsSync(folder + '/stalled')) {
          writeFileSync(folder + '/stalled', '');
          await new Promise(() => {});
        }
        rmSync(folder + '/orders/' + name);
        appendFileSync(folder + '/journal', name + '\\n');
      }
      return { erased: readFileSync(folder + '/journal', 'utf8').trim().split('\\n').length };
    },
  });
});`;

interface Report {
  kind: string;
  source: string;
  status: string;
  attempts: number;
  erased: number;
  anonymised: number;
  kept: { count: number }[];
}

describe.each(ENGINES)('an erasure on %s', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let datastore: Datastore;
  let env: Record<string, string>;
  let headers: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase(engine);
    datastore = await openDatastore(database.url, await createLogger('silent'));
    const extension = join(folder.path, 'shop.mjs');
    writeFileSync(extension, extensionOn(folder.path));
    mkdirSync(join(folder.path, 'orders'));
    for (let n = 0; n < ORDERS; n++) writeFileSync(join(folder.path, 'orders', `order-${n}`), '');
    env = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: database.url,
      PAVIS_EXTENSIONS: extension,
    };
    const user = ['user', 'create', 'ann', '--email', 'ann@example.org'];
    await pavisJson([...user, '--role', 'administrator'], env);
    const { password } = await pavisJson(['user', 'app-password', 'ann', '--name', 'test'], env);
    headers = { authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` };
    await insertDecisions();
  });
  afterAll(async () => {
    await datastore?.close();
    await database?.drop();
    folder.remove();
  });

  async function insertDecisions(): Promise<void> {
    const now = Date.now();
    for (let at = 0; at < DECISIONS; at += 1_000) {
      const rows = Array.from({ length: 1_000 }, () => ({
        visitor_id: VISITOR,
        categories_accepted: '[]',
        categories_rejected: '[]',
        consent_action: 'manage',
        day: '2026-01-01',
        created_at: now,
        config_version: 0,
        expires_at: now + 365 * DAY_MS,
      }));
      await datastore.db.insertInto('consent_records').values(rows).execute();
    }
  }

  async function start(): Promise<ServerProcess> {
    const server = await startServer(env);
    onTestFinished(async () => {
      await server.stop('SIGKILL');
    });
    return server;
  }

  const statusOf = async (source: string) => {
    const query = datastore.db.selectFrom('dsar_tasks').select('status');
    return (await query.where('source', '=', source).executeTakeFirst())?.status;
  };

  const anonymised = async (table: 'consent_records' | 'activations' | 'outbox_mails') => {
    const { count } = await datastore.db
      .selectFrom(table)
      .select((eb) => eb.fn.count<number>('anonymised_at').as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  /** Whether a server that was killed still has a statement that PostgreSQL runs to its end. */
  async function isStillWorking(): Promise<boolean> {
    if (engine === 'sqlite') return false;
    const { rows } = await sql`select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid() and state <> 'idle'`.execute(datastore.db);
    return rows.length > 0;
  }

  /** Ends the leases of a killed server, which last five minutes: longer than any statement may take. */
  async function endLeases(): Promise<void> {
    await expect.poll(isStillWorking, { timeout: 60_000, interval: 50 }).toBe(false);
    await datastore.db
      .updateTable('dsar_tasks')
      .set({ due_at: 0 })
      .where('status', '=', 'running')
      .execute();
  }

  /** Resolves the manual task: the customer has a licence. */
  async function settleByHand(server: ServerProcess, path: string): Promise<void> {
    const { json: tasks } = await server.http.get(`${path}/tasks`, { headers });
    for (const { id, kind, status } of tasks) {
      if (kind !== 'manual' || status === 'done') continue;
      const body = { status: 'done' };
      await server.http.request('PUT', `${ROOT}/dsar/tasks/${id}`, { headers, body });
    }
  }

  it('continues after the server is killed twice, erases each record once, and reports the result', async () => {
    const first = await start();
    const issue = ['licence', 'issue', '--email', EMAIL, '--tier', 'agency', '--days', '30'];
    const { key } = await pavisJson([...issue, '--sites', '10'], env);
    for (const n of [1, 2, 3, 4]) {
      await first.http.site('activate', key, `https://site-${n}.example.org`);
      if (n < 4) await first.http.site('deactivate', key, `https://site-${n}.example.org`);
    }
    // Approval has its own tests.
    await first.http.request('PUT', `${ROOT}/settings`, {
      headers,
      body: { dsar: { auto_erase: true } },
    });
    const { json: made } = await first.http.post(`${ROOT}/dsar/intake`, {
      body: { request_type: 'deletion', email: EMAIL },
    });
    // Marks the visitor id as verified.
    await datastore.db
      .updateTable('dsar_cases')
      .set({ visitor_id: VISITOR })
      .where('id', '=', made.id)
      .execute();
    const path = `${ROOT}/dsar/cases/${made.id}`;
    const put = (server: ServerProcess, status: string) =>
      server.http.request('PUT', path, { headers, body: { status } });
    const answer = put(first, 'in_progress').catch(() => 'cut off');
    while ((await statusOf('consent_records')) !== 'running') await wait(1);
    await first.stop('SIGKILL');
    await answer;
    expect(await statusOf('consent_records')).toBe('running');
    expect(await anonymised('consent_records')).toBe(0);

    await endLeases();
    const second = await start();
    const stalled = join(folder.path, 'stalled');
    await expect.poll(() => existsSync(stalled), { interval: 20 }).toBe(true);
    await second.stop('SIGKILL');
    expect(await anonymised('consent_records')).toBe(DECISIONS);
    expect(await statusOf('orders')).toBe('running');
    expect(readdirSync(join(folder.path, 'orders'))).toHaveLength(ORDERS / 2);

    await endLeases();
    const third = await start();
    await expect.poll(() => statusOf('orders'), { interval: 50 }).toBe('done');
    await settleByHand(third, path);
    const completed = await put(third, 'completed');
    expect([completed.status, completed.json.status]).toEqual([200, 'completed']);

    const all: Report[] = (await third.http.get(`${path}/tasks`, { headers })).json;
    const tasks = all.filter(({ kind }) => kind === 'erase');
    expect(tasks.map(({ status }) => status)).toEqual(tasks.map(() => 'done'));
    const tries = Object.fromEntries(tasks.map(({ source, attempts }) => [source, attempts]));
    expect(tries).toEqual({
      ...Object.fromEntries(tasks.map(({ source }) => [source, 1])),
      consent_records: 2,
      orders: 2,
    });
    const report = Object.fromEntries(
      tasks.map((task) => {
        const kept = task.kept.reduce((sum, { count }) => sum + count, 0);
        return [task.source, [task.erased, task.anonymised, kept]];
      }),
    );
    expect(report).toMatchObject({
      consent_records: [0, await anonymised('consent_records'), 0],
      activation_history: [0, await anonymised('activations'), 1],
      outbox_mail: [0, await anonymised('outbox_mails'), expect.any(Number)],
      customers: [0, 0, 1],
      dsar_cases: [0, 0, 1],
      letters: [2, 0, 1],
      orders: [ORDERS, 0, 0],
    });
    expect(await anonymised('activations')).toBe(3);
    const mine = datastore.db.selectFrom('consent_records').where('visitor_id', '=', VISITOR);
    expect(await mine.select('id').execute()).toEqual([]);
    expect(readdirSync(join(folder.path, 'orders'))).toEqual([]);
    const linesOf = (name: string) =>
      readFileSync(join(folder.path, name), 'utf8').trim().split('\n');
    const orders = Array.from({ length: ORDERS }, (_, n) => `order-${n}`);
    expect(linesOf('journal').toSorted()).toEqual(orders.toSorted());
    expect(linesOf('letters')).toEqual(['asked']);

    const events: { action: string; details: { source?: string; kind?: string } }[] = (
      await third.http.get(`${path}/events`, { headers })
    ).json;
    const done = events.flatMap(({ action, details }) =>
      action === 'task_done' && details.kind === 'erase' ? (details.source ?? '') : [],
    );
    expect(done.toSorted()).toEqual(tasks.map(({ source }) => source).toSorted());
    expect(await third.stop('SIGTERM')).toBe(0);
  }, 110_000);
});
