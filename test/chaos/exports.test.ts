import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';
import { basic } from '../support/users.ts';

const CONSENT = '/wp-json/svc/v1/consent';
const EXPORT = '/wp-json/svc/v1/consent/records/export';
const RECORDS = 30_000;
const EXPORTS = 4;
const SAMPLE_MS = 3_000;
/** Margin for a busy machine. */
const SLACK_MS = 20;

describe.each(ENGINES)('exports on %s', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let server: ServerProcess;
  let headers: { authorization: string };

  beforeAll(async () => {
    database = await createDatabase(engine);
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: database.url };
    await pavisJson(['seed', '--consents', String(RECORDS)], env, { timeoutMs: 90_000 });
    const user = ['user', 'create', 'ada', '--email', 'ada@example.org', '--role', 'administrator'];
    await pavisJson(user, env);
    const { password } = await pavisJson(['user', 'app-password', 'ada', '--name', 'test'], env);
    headers = basic('ada', password);
    server = await startServer(env);
  });
  afterAll(async () => {
    await server?.stop('SIGKILL');
    await database?.drop();
    folder.remove();
  });

  /** The median response time of consent choices of one client. */
  async function medianOfDecisions(): Promise<number> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const times: number[] = [];
    const end = performance.now() + SAMPLE_MS;
    while (performance.now() < end) {
      const body = JSON.stringify({
        visitor_id: crypto.randomUUID(),
        consent_action: 'accept_all',
      });
      const startedAt = performance.now();
      await new Promise<void>((resolve, reject) => {
        const options = { method: 'POST', agent, headers: { 'content-type': 'application/json' } };
        const sent = request(server.url + CONSENT, options, (answer) => {
          answer.resume().once('end', resolve);
        });
        sent.once('error', reject);
        sent.end(body);
      });
      times.push(performance.now() - startedAt);
      await wait(5);
    }
    agent.destroy();
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number;
  }

  /** The response times of choices alone and beside exports, which must be complete. */
  async function compare(): Promise<{ alone: number; beside: number }> {
    const alone = await medianOfDecisions();
    let isOver = false;
    const all = Promise.all(
      Array.from({ length: EXPORTS }, async () => {
        let records = 0;
        do {
          const answer = await fetch(`${server.url}${EXPORT}?format=json`, { headers });
          records = ((await answer.json()) as unknown[]).length;
        } while (!isOver);
        return records;
      }),
    );
    const beside = await medianOfDecisions();
    isOver = true;
    for (const records of await all) expect(records).toBeGreaterThanOrEqual(RECORDS);
    return { alone, beside };
  }

  it('are complete, and at most double the response time of consent choices', async () => {
    await medianOfDecisions();
    // Other programs may use the machine in one of the two samples only, so the best of three pairs counts.
    let pair = await compare();
    const isSlow = () => pair.beside >= 2 * pair.alone + SLACK_MS;
    for (let turn = 1; turn < 3 && isSlow(); turn++) pair = await compare();
    expect(pair.beside).toBeLessThan(2 * pair.alone + SLACK_MS);
  });
});
