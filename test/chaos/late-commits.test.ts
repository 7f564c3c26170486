import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Datastore, openDatastore } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { createDatabase, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const API = '/wp-json/svc/v1';
/** How long the thread that writes the log may take to start and write. */
const LOGGED_MS = 30_000;

const toRow = (visitor_id: string) => ({
  ...{ visitor_id, consent_action: 'accept_all', day: '2026-11-21' },
  ...{ categories_accepted: '["functional"]', categories_rejected: '[]' },
  ...{ created_at: Date.now(), expires_at: Date.now() + 86_400_000 },
  salt: crypto.getRandomValues(new Uint8Array(16)),
});

/*
 * PostgreSQL gives out ids before the commit, so a record can appear after records with higher ids, of this node or
 * of another one. A reader that only goes on from the highest id it has seen would never see it.
 */
describe('a consent record that is committed after records with higher ids', () => {
  const folder = dataFolder();
  let database: TestDatabase;
  let env: Record<string, string>;
  let slow: Datastore;
  let nodes: ServerProcess[] = [];
  let authorization: string;

  beforeAll(async () => {
    database = await createDatabase('postgres');
    env = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: database.url,
      PAVIS_SECRET: 'one secret for all nodes, long enough',
      PAVIS_CHROMIUM: 'off',
      PAVIS_RATE_LIMIT_CONSENT: 'off',
    };
    nodes = [await startServer(env), await startServer(env)];
    const user = ['user', 'create', 'ada', '--email', 'ada@example.com', '--role', 'administrator'];
    await pavisJson(user, env);
    const { password } = await pavisJson(['user', 'app-password', 'ada', '--name', 'test'], env);
    authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
    slow = await openDatastore(database.url, await createLogger('silent'));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
    await slow?.close();
    await database?.drop();
    folder.remove();
  });

  /** Writes records as a node does, and commits them on request. */
  async function insertSlowly(visitors: string[]) {
    const inserted = Promise.withResolvers<number[]>();
    const mayCommit = Promise.withResolvers<void>();
    const committed = slow.transaction(async (trx) => {
      // A busy machine may take longer until it is committed than a transaction may be idle.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      const rows = visitors.map(toRow);
      const added = await trx.insertInto('consent_records').values(rows).returning('id').execute();
      inserted.resolve(added.map(({ id }) => id));
      await mayCommit.promise;
    });
    const ids = await inserted.promise;
    return {
      ids,
      async commit() {
        mayCommit.resolve();
        await committed;
      },
    };
  }

  async function decide({ http }: ServerProcess, visitor_id: string): Promise<number> {
    const body = { visitor_id, consent_action: 'reject_all' };
    const { status, json } = await http.post(`${API}/consent`, { body });
    expect(status).toBe(200);
    return json.id;
  }

  const search = async ({ http }: ServerProcess, start: string): Promise<number[]> => {
    const path = `${API}/consent/records?search=${start}`;
    const { json } = await http.get(path, { headers: { authorization } });
    return json.map(({ id }: { id: number }) => id);
  };

  /** How often each id is in the log. */
  async function countEntries(ids: readonly number[]): Promise<number[]> {
    const { rows } = await sql<{ first: number; count: number }>`
      select first_id as first, count from consent_log_ranges where source = 1`.execute(slow.db);
    const holds = (id: number) =>
      rows.filter(({ first, count }) => first <= id && id < first + count);
    return ids.map((id) => holds(id).length);
  }
  const untilLogged = (ids: readonly number[]) =>
    vi.waitFor(async () => expect(await countEntries(ids)).toEqual(ids.map(() => 1)), {
      timeout: LOGGED_MS,
      interval: 100,
    });

  it('is found by every node and logged once', { timeout: 90_000 }, async () => {
    const late = await insertSlowly(['late-a', 'late-b']);
    const early = [];
    for (const node of nodes) early.push(await decide(node, 'late-higher'));
    expect(Math.min(...early)).toBeGreaterThan(Math.max(...late.ids));
    await untilLogged(early);
    expect(await countEntries(late.ids)).toEqual([0, 0]);
    for (const node of nodes) expect(await search(node, 'late-')).toEqual(early.toReversed());

    await late.commit();
    const all = [...late.ids, ...early];
    for (const node of nodes) expect(await search(node, 'late-')).toEqual(all.toReversed());
    await untilLogged(all);
  });

  it('is logged by a node that starts later, without another choice', {
    timeout: 90_000,
  }, async () => {
    const late = await insertSlowly(['later-a']);
    const [first, second] = nodes as [ServerProcess, ServerProcess];
    const early = await decide(first, 'later-higher');
    await untilLogged([early]);
    for (const node of [first, second]) expect(await node.stop()).toBe(0);
    await late.commit();
    nodes = [await startServer(env)];
    expect(await search(nodes[0] as ServerProcess, 'later-')).toEqual([early, ...late.ids]);
    await untilLogged([...late.ids, early]);
  });

  it('leaves a log that verifies, with one entry for each record', async () => {
    const report = await pavisJson(['log', 'verify', '--deep'], env);
    expect(report).toMatchObject({ ok: true, problems: [], consent_records: { intact: 6 } });
    expect(report.size).toBe(6 + report.log_records.intact);
  });
});
