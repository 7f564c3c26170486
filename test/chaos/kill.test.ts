import { Agent, request } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, pavisJson, type ServerProcess, startServer } from '../support/process.ts';

const CALLERS = 24;
const siteUrl = (n: number) => `https://site-${n}.example.org`;

/** Sends a request of a site over the connections of an agent. Returns its status or the error code. */
function ask(url: string, agent: Agent, verb: string, key: string, site: string): Promise<string> {
  const body = JSON.stringify({ licence_key: key, site_url: site });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-licence-key': key,
  };
  return new Promise((resolve) => {
    const sent = request(`${url}/licence/${verb}`, { method: 'POST', agent, headers }, (answer) => {
      answer.once('error', (error) => resolve(`${error.message} in the answer to ${verb}`));
      answer.once('end', () => resolve(answer.complete ? String(answer.statusCode) : 'cut answer'));
      answer.resume();
    });
    sent.once('error', ({ code, message }: NodeJS.ErrnoException) =>
      resolve(
        code === 'ECONNREFUSED'
          ? code
          : `${code ?? message} to ${verb} on a ${sent.reusedSocket ? 'kept' : 'new'} connection`,
      ),
    );
    sent.end(body);
  });
}

/** Clients that send requests without a pause, each on one connection, until the server stops accepting. */
function load(url: string, key: string) {
  const answers: string[] = [];
  async function caller(n: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let round = 0; ; round++) {
      const verb = ['validate', 'activate', 'validate', 'deactivate'][round % 4] ?? 'validate';
      const answer = await ask(url, agent, verb, key, siteUrl(n));
      if (answer === 'ECONNREFUSED') break;
      answers.push(answer);
    }
    agent.destroy();
  }
  return { answers, ended: Promise.all(Array.from({ length: CALLERS }, (_, n) => caller(n))) };
}

describe.each(ENGINES)('a server on %s', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let env: Record<string, string>;
  let key: string;

  beforeAll(async () => {
    database = await createDatabase(engine);
    env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: database.url };
    const command = ['licence', 'issue', '--email', 'a@example.org', '--tier', 'agency'];
    ({ key } = await pavisJson([...command, '--sites', '200', '--days', '30'], env));
  });
  afterAll(async () => {
    await database?.drop();
    folder.remove();
  });

  async function start(): Promise<ServerProcess> {
    const server = await startServer(env);
    onTestFinished(async () => {
      await server.stop('SIGKILL');
    });
    return server;
  }

  /** The active sites of the licence, as its customer sees them. */
  async function activeSites({ http }: ServerProcess): Promise<{ id: number; site_url: string }[]> {
    const { token } = await pavisJson(['customer', 'token', 'a@example.org'], env);
    const headers = { authorization: `Bearer ${token}` };
    const { json } = await http.get(`/licence/info?key=${key}`, { headers });
    return json.activations.filter((each: { deactivated_at: unknown }) => !each.deactivated_at);
  }

  it('keeps every acknowledged activation when it is killed', async () => {
    const server = await start();
    const acknowledged = new Map<string, number>();
    const clients = Array.from({ length: 20 }, async (_, client) => {
      // One after the other, so that some are left when the server is killed.
      for (let n = client; n < 100; n += 20) {
        const { status, json } = await server.http.site('activate', key, siteUrl(n));
        expect(status).toBe(200);
        acknowledged.set(siteUrl(n), json.activation_id);
        if (acknowledged.size === 30) server.child.kill('SIGKILL');
      }
    });
    const outcomes = await Promise.allSettled(clients);
    await server.stop('SIGKILL');
    expect(acknowledged.size).toBeGreaterThanOrEqual(30);
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);

    const again = await start();
    const stored = await activeSites(again);
    const idOf = new Map(stored.map(({ id, site_url }) => [site_url, id]));
    expect(idOf.size).toBe(stored.length);
    expect([...acknowledged].filter(([site, id]) => idOf.get(site) !== id)).toEqual([]);
    const sites = Array.from({ length: 100 }, (_, n) => siteUrl(n));
    const verdicts = await Promise.all(sites.map((site) => again.http.site('validate', key, site)));
    expect(verdicts.map(({ json }) => [json.sites_used, json.site_active])).toEqual(
      sites.map((site) => [stored.length, idOf.has(site)]),
    );
    // One after the other: they wait for the same licence, on a busy machine longer than the server lets them.
    for (const site of sites)
      expect((await again.http.site('activate', key, site)).status).toBe(200);
    expect(await activeSites(again)).toHaveLength(100);
  });

  it('answers every request and exits with 0 when it gets SIGTERM under load', async () => {
    // A busy machine can stop the clients for so long that the server takes it for quiet and stops accepting.
    let stopped = await stopUnderLoad();
    for (let n = 0; n < 4 && stopped.clientsStalled && stopped.failed.length > 0; n++)
      stopped = await stopUnderLoad();
    expect(stopped.failed).toEqual([]);
  }, 180_000);

  async function stopUnderLoad(): Promise<{ failed: string[]; clientsStalled: boolean }> {
    const server = await start();
    const { answers, ended } = load(server.url, key);
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(20 * CALLERS), {
      timeout: 30_000,
      interval: 20,
    });
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    expect(await server.stop('SIGTERM')).toBe(0);
    await ended;
    delay.disable();
    const failed = answers.filter((answer) => answer !== '200');
    return { failed, clientsStalled: delay.max >= 80e6 };
  }
});
