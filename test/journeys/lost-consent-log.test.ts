import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';
import {
  dataFolder,
  pavis,
  pavisJson,
  type ServerProcess,
  startServer,
} from '../support/process.ts';

const START_MS = 30_000;
const folder = dataFolder();
afterAll(() => folder.remove());

it('a deleted consent log is reported, not written again, and replaced by a command only', {
  timeout: 120_000,
}, async () => {
  const env = { PAVIS_DATA_DIR: folder.path, PAVIS_CHROMIUM: 'off' };
  const decide = async ({ http }: ServerProcess) => {
    const body = { visitor_id: 'v-1', consent_action: 'accept_all' };
    expect((await http.post('/wp-json/svc/v1/consent', { body })).status).toBe(200);
  };
  const untilHealthSays = (server: ServerProcess, state: string) =>
    vi.waitFor(
      async () => {
        const { json } = await server.http.get('/health');
        expect(json).toMatchObject({ status: 'ok', consent_log: state });
      },
      { timeout: START_MS, interval: 100 },
    );
  const first = await startServer(env);
  await decide(first);
  expect(await first.stop()).toBe(0);
  rmSync(join(folder.path, 'log'), { recursive: true });

  const second = await startServer(env);
  await untilHealthSays(second, 'failing');
  await decide(second);
  expect(second.log()).toContain('pavis log restart');
  const verified = await pavis(['log', 'verify'], env);
  expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining('NOT CONSISTENT')]);

  // The server writes the new log without a restart.
  const { lost } = await pavisJson(['log', 'restart'], env);
  await untilHealthSays(second, 'ok');
  expect(await second.stop()).toBe(0);
  expect(await pavisJson(['log', 'verify', '--deep'], env)).toMatchObject({
    ok: true,
    lost_logs: [{ origin: lost.origin, size: lost.size }],
  });
});

it('a damaged consent log is named, with what to do', async () => {
  const damaged = dataFolder();
  const log = join(damaged.path, 'log', 'consent-log.db');
  mkdirSync(join(damaged.path, 'log'));
  writeFileSync(log, 'not a database'.repeat(100));
  const problem = `cannot use the consent log ${log}: file is not a database. Stop the server, move the file and those whose names begin with it away, and put its newest copy there. Without a copy, start the server: it says how to start a new log`;
  const at = { PAVIS_DATA_DIR: damaged.path };
  const { code, stderr } = await pavis(['log', 'checkpoint'], at);
  expect([code, stderr]).toEqual([1, `pavis: ${problem}\n`]);
  expect((await pavis(['doctor'], at)).stdout).toContain(problem);
  damaged.remove();
});
