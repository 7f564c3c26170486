import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavisJson, startServer } from '../support/process.ts';

const CALLERS = 64;
/** Number of acknowledged choices before the server is killed. */
const KILLED_AFTER = 1_500;

describe.each(ENGINES)('consent choices on %s', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase(engine);
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: database.url };
  });
  afterAll(async () => {
    await database?.drop();
    folder.remove();
  });

  async function start() {
    const server = await startServer(env);
    onTestFinished(async () => {
      await server.stop('SIGKILL');
    });
    return server;
  }

  it('are recorded and counted if they were acknowledged before the server was killed', async () => {
    const server = await start();
    const acknowledged = new Map<string, number>();
    let sent = 0;
    async function caller(): Promise<void> {
      for (;;) {
        const visitor_id = `visitor-${++sent}`;
        const body = { visitor_id, consent_action: sent % 2 ? 'accept_all' : 'reject_all' };
        const { status, json } = await server.http.post('/wp-json/svc/v1/consent', { body });
        expect(status).toBe(200);
        acknowledged.set(visitor_id, json.id);
        if (acknowledged.size === KILLED_AFTER) server.child.kill('SIGKILL');
      }
    }
    const outcomes = await Promise.allSettled(Array.from({ length: CALLERS }, caller));
    await server.stop('SIGKILL');
    // Each client must end with a lost connection.
    expect(outcomes.map((each) => each.status === 'rejected' && each.reason.message)).toEqual(
      outcomes.map(() => 'fetch failed'),
    );
    expect(acknowledged.size).toBeGreaterThanOrEqual(KILLED_AFTER);

    const again = await start();
    const days = ['--from', '2000-01-01', '--to', '2999-12-31'];
    const records: { id: number; visitor_id: string; consent_action: string }[] = await pavisJson(
      ['consent', 'export', ...days],
      env,
    );
    const idOf = new Map(records.map(({ visitor_id, id }) => [visitor_id, id]));
    expect(idOf.size).toBe(records.length);
    expect([...acknowledged].filter(([visitor, id]) => idOf.get(visitor) !== id)).toEqual([]);

    await pavisJson(
      ['user', 'create', 'ann', '--email', 'ann@example.org', '--role', 'administrator'],
      env,
    );
    const { password } = await pavisJson(['user', 'app-password', 'ann', '--name', 'test'], env);
    const authorization = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`;
    const { json: stats } = await again.http.get('/wp-json/svc/v1/consent/stats', {
      headers: { authorization },
    });
    const count = (action: string) =>
      records.filter(({ consent_action }) => consent_action === action).length;
    expect(stats.total).toBe(records.length);
    expect(stats.by_action).toEqual({
      accept_all: count('accept_all'),
      reject_all: count('reject_all'),
      manage: 0,
    });
  });
});
