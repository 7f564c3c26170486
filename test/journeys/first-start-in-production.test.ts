import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createSetupToken } from '../../src/identity/users/index.ts';
import { DAY_MS } from '../../src/platform/durations.ts';
import { ENGINES, type Engine, run } from '../support/engines.ts';
import { dataFolder, pavisJson, runShell, startServer } from '../support/process.ts';
import { useTestApp } from '../support/test-app.ts';

const PAVIS_SECRET = 'one secret for all nodes, long enough';
const ADA = { login: 'ada', email: 'ada@example.com', password: 'correct horse battery staple' };

let made = 0;

/** The environment of a production start on an empty database. */
async function production(engine: Engine) {
  const folder = dataFolder();
  onTestFinished(folder.remove);
  const env = { NODE_ENV: 'production', PAVIS_DATA_DIR: folder.path, PAVIS_DEMO: '' };
  if (engine === 'sqlite') return { env, folder: folder.path };
  const server = new URL(inject('templates').postgres);
  server.pathname = '/postgres';
  const name = `production_${process.pid}_${++made}`;
  await run(server.href, `create database ${name}`);
  onTestFinished(() => run(server.href, `drop database ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { env: { ...env, PAVIS_SECRET, PAVIS_DATABASE_URL: url.href }, folder: folder.path };
}

async function start(env: Record<string, string>) {
  const server = await startServer(env);
  onTestFinished(async () => {
    await server.stop('SIGKILL');
  });
  // stdout and stderr do not arrive in order.
  await vi.waitFor(() => expect(server.printed()).toMatch(/Accounts .*\n(.*\n)*\n$/), {
    timeout: 30_000,
  });
  return server;
}

describe.each(ENGINES)('the first start in production on %s', (engine) => {
  it('prints a link that creates the first administrator, once', async () => {
    const { env, folder } = await production(engine);
    const server = await start(env);
    expect((await server.http.get('/readyz')).status).toBe(200);
    expect((await server.http.get('/console/setup')).json).toEqual({ administrator: false });
    expect(existsSync(join(folder, 'first-run.json'))).toBe(false);

    const link = new URL(/http:\S+\/admin\/setup#\S+/.exec(server.printed())?.[0] ?? '');
    expect(link.origin).toBe(server.url);
    expect((await server.http.get(link.pathname)).status).toBe(200);
    const token = link.hash.slice(1);
    const create = (body: object) =>
      server.http.post('/console/setup', { body: { token, ...body } });

    const weak = await create({ ...ADA, password: 'password1234' });
    expect([weak.status, weak.json.data.params]).toEqual([
      400,
      { password: expect.stringContaining('easy to guess') },
    ]);
    const created = await create(ADA);
    expect([created.status, created.json]).toEqual([201, { login: 'ada', role: 'administrator' }]);
    const again = await create({ ...ADA, login: 'eve', email: 'eve@example.com' });
    expect([again.status, again.json.code]).toEqual([409, 'administrator_exists']);
    const signedIn = await server.http.post('/console/session', { body: ADA });
    expect([signedIn.status, signedIn.json.user.role]).toEqual([200, 'administrator']);
    expect((await server.http.get('/console/setup')).json).toEqual({ administrator: true });

    await server.stop();
    expect((await start(env)).printed()).not.toContain('/admin/setup');
  });

  it('prints a command that creates the administrator beside the running server', async () => {
    const { env } = await production(engine);
    const server = await start(env);
    const command = /^ +(cd .* user create .*)$/m.exec(server.printed())?.[1] ?? '';
    // As in another terminal: without the environment of the server, except for secrets that it does not print.
    const { PAVIS_SECRET: secret, PAVIS_DATABASE_URL: url } = env as Record<string, string>;
    const { stdout } = await runShell(command, {
      ...(secret && { PAVIS_SECRET: secret }),
      ...(url && { PAVIS_DATABASE_URL: url }),
    });
    const password = stdout.split('\n', 1)[0] ?? '';
    const signedIn = await server.http.post('/console/session', {
      body: { login: 'admin', password },
    });
    expect([signedIn.status, signedIn.json.user.role]).toEqual([200, 'administrator']);
    if (secret) expect(server.printed()).not.toContain(secret);
    expect(server.printed()).not.toMatch(/postgres(ql)?:\/\/[^ ]*:[^ ]*@/);
  });
});

it('prints the public addresses, not those behind the proxy', async () => {
  const { env } = await production('sqlite');
  const server = await start({
    ...env,
    PAVIS_BASE_URL: 'https://licences.example.com/v1',
    PAVIS_REST_ROOT: 'https://www.example.com/wp-json',
  });
  for (const address of [
    'Start page   https://www.example.com/',
    'Console      https://www.example.com/admin/',
    'Licence API  https://licences.example.com/v1',
    'Docs         https://www.example.com/docs',
    'Requests     https://www.example.com/privacy/',
    'Accounts     https://licences.example.com/account/',
  ])
    expect(server.printed()).toContain(`${address}\n`);
});

describe('several nodes of a first start in production', () => {
  it('create one administrator, regardless of the link', async () => {
    const { env } = await production('postgres');
    const nodes = await Promise.all([start(env), start(env)]);
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const link = /\/admin\/setup#(\S+)/.exec(nodes[n % 2]?.printed() ?? '');
        const body = { ...ADA, token: link?.[1], login: `ada${n}`, email: `ada${n}@example.com` };
        return nodes[(n + 1) % 2]?.http.post('/console/setup', { body });
      }),
    );
    expect(outcomes.map((each) => each?.status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    const { users } = await pavisJson(['user', 'list'], env);
    expect(users).toHaveLength(1);
  });
});

describe('a set-up link', () => {
  const app = useTestApp('sqlite');
  const post = (token: unknown) => app.http.post('/console/setup', { body: { ...ADA, token } });

  it('is rejected if it is made up, changed, of another installation, or older than one day', async () => {
    const { token, expiresAt } = createSetupToken(app.platform);
    const [, signature] = token.split('.');
    for (const wrong of [
      'x',
      '.',
      `${expiresAt + 1}.${signature}`,
      `${expiresAt}.`,
      `Infinity.${signature}`,
    ]) {
      const { status, json } = await post(wrong);
      expect([status, json.code], wrong).toEqual([403, 'invalid_setup_link']);
    }
    expect((await post(7)).status).toBe(400);
    app.clock.advance(DAY_MS);
    expect((await post(token)).status).toBe(403);
  });
});
