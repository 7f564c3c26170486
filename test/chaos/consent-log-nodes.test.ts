import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatastore } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openLog } from '../../src/privacy/consent-log/index.ts';
import { createDatabase, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const CALLERS_PER_NODE = 4;
/** How long the threads that write the log may take to write. */
const START_MS = 30_000;

describe('the consent log of two nodes on one PostgreSQL database', () => {
  const folder = dataFolder();
  let database: TestDatabase;
  let env: Record<string, string>;
  let nodes: ServerProcess[] = [];

  beforeAll(async () => {
    database = await createDatabase('postgres');
    env = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: database.url,
      PAVIS_SECRET: 'one secret for all nodes, long enough',
      PAVIS_CHROMIUM: 'off',
      PAVIS_RATE_LIMIT_CONSENT: 'off',
    };
    nodes = await Promise.all([startServer(env), startServer(env)]);
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
    await database?.drop();
    folder.remove();
  });

  it('has each choice once, and one history, although both write it and one is killed', {
    timeout: 90_000,
  }, async () => {
    const datastore = await openDatastore(database.url, await createLogger('silent'));
    const log = openLog({ datastore }, { dataDir: folder.path });
    const readSize = async () => (await log.readHead())?.size ?? 0;
    const acknowledged: number[] = [];
    let sent = 0;
    let isOver = false;
    const call = async ({ http }: ServerProcess) => {
      while (!isOver) {
        const body = { visitor_id: `v-${++sent}`, consent_action: 'accept_all' };
        const { status, json } = await http.post('/wp-json/svc/v1/consent', { body });
        if (status === 200) acknowledged.push(json.id);
      }
    };
    const callers = nodes.flatMap((node) =>
      Array.from({ length: CALLERS_PER_NODE }, () => call(node).catch(() => {})),
    );
    const untilLonger = async (by: number) => {
      const before = await readSize();
      const grown = async () => expect(await readSize()).toBeGreaterThan(before + by);
      await vi.waitFor(grown, { timeout: START_MS, interval: 50 });
    };
    const [killed, other] = nodes as [ServerProcess, ServerProcess];
    for (let run = 0; run < 3; run++) await untilLonger(1);
    const kept = join(folder.path, 'kept.txt');
    writeFileSync(kept, (await log.readHead())?.checkpoint ?? '');
    await killed.stop('SIGKILL');
    for (let run = 0; run < 3; run++) await untilLonger(1);
    isOver = true;
    await Promise.all(callers);
    expect(await other.stop()).toBe(0);

    const { rows } = await sql<{ id: number }>`select id from consent_records`.execute(
      datastore.db,
    );
    const ids = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
    const report = await pavisJson(['log', 'verify', '--deep', '--against', kept], env);
    expect(report).toMatchObject({ ok: true, problems: [], consent_records: { intact: ids.size } });
    // Each row has one entry.
    expect(report.size).toBe(ids.size + report.log_records.intact);
    await log.close();
    await datastore.close();
  });
});
