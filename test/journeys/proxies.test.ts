import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dataFolder, type ServerProcess, startServer } from '../support/process.ts';
import { SELF_SIGNED } from '../support/self-signed.ts';

/** Of the certificate. */
const HOST = 'site.example';
const LIMIT = 3;
const DEPLOY = join(import.meta.dirname, '../../deploy');

interface Place {
  folder: string;
  port: number;
  upstream: string;
}

/** Each takes the example as it is, except for ports, paths and the certificate. */
const PROXIES: Record<string, (place: Place) => ChildProcess> = {
  nginx({ folder, port, upstream }) {
    const site = readFileSync(join(DEPLOY, 'nginx.conf'), 'utf8')
      .replaceAll('pavis.example.com', HOST)
      .replace(
        /ssl_certificate(_key)? .+;/g,
        (_, key) => `ssl_certificate${key ?? ''} ${folder}/${key ? 'key' : 'cert'}.pem;`,
      )
      .replace('127.0.0.1:8787', upstream)
      .replace(/server \{\s+listen 80;[^}]+\}/, '')
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace(/^.*listen \[::\].*$/gm, '');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    writeFileSync(join(folder, 'site.conf'), site);
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; worker_processes 1;
      events {} http { access_log off; ${temporary.join(' ')} include ${folder}/site.conf; }`,
    );
    return spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-e', 'stderr']);
  },
  caddy({ folder, port, upstream }) {
    const site = readFileSync(join(DEPLOY, 'Caddyfile'), 'utf8').replace(
      '\tencode',
      `\ttls ${folder}/cert.pem ${folder}/key.pem\n\tencode`,
    );
    const options = `{\n\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n\tstorage file_system ${folder}/store\n}\n`;
    writeFileSync(join(folder, 'Caddyfile'), options + site);
    const env = {
      ...process.env,
      HOME: folder,
      PAVIS_DOMAIN: `https://${HOST}:${port}`,
      PAVIS_UPSTREAM: upstream,
    };
    return spawn(
      'caddy',
      ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')],
      { env },
    );
  },
};
const has = (program: string) =>
  spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;

describe.each(Object.entries(PROXIES))(
  'Pavis behind %s (skipped where it is not installed)',
  (name, start) => {
    const canRun = has(name) && process.platform === 'linux';
    const data = dataFolder();
    const folder = mkdtempSync(join(tmpdir(), `pavis-${name}-`));
    let server: ServerProcess;
    let proxy: ChildProcess;
    let port: number;
    let log = '';

    beforeAll(async () => {
      if (!canRun) return;
      port = await findPort();
      const origin = `https://${HOST}:${port}`;
      server = await startServer({
        PAVIS_DATA_DIR: data.path,
        PAVIS_DEMO: 'on',
        PAVIS_CHROMIUM: 'off',
        PAVIS_BASE_URL: origin,
        PAVIS_REST_ROOT: `${origin}/wp-json`,
        PAVIS_TRUSTED_PROXIES: '127.0.0.1',
        PAVIS_RATE_LIMIT_VALIDATE: String(LIMIT),
      });
      writeFileSync(join(folder, 'cert.pem'), SELF_SIGNED.cert);
      writeFileSync(join(folder, 'key.pem'), SELF_SIGNED.key);
      mkdirSync(join(folder, 'store'));
      proxy = start({ folder, port, upstream: new URL(server.url).host });
      proxy.stderr?.setEncoding('utf8').on('data', (text) => (log += text));
      const isUp = async () => {
        const answer = await ask('GET', '/health').catch(() => undefined);
        if (answer?.status !== 200) throw new Error(`no answer: ${log}`);
      };
      await vi.waitFor(isUp, { timeout: 60_000, interval: 100 });
    });
    afterAll(async () => {
      if (proxy?.exitCode === null) {
        const ended = once(proxy, 'exit');
        proxy.kill('SIGTERM');
        await ended;
      }
      await server?.stop();
      data.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    function ask(
      method: string,
      path: string,
      { body = '', headers = {}, from = '127.0.0.1' } = {},
    ) {
      const { promise, resolve, reject } = Promise.withResolvers<{
        status: number | undefined;
        cookie: string;
        type: string;
        text: string;
      }>();
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          servername: HOST,
          ca: SELF_SIGNED.cert,
          localAddress: from,
          agent: false,
          method,
          path,
          headers: { host: `${HOST}:${port}`, 'content-type': 'application/json', ...headers },
        },
        async (response) => {
          let text = '';
          for await (const part of response.setEncoding('utf8')) text += part;
          const { 'set-cookie': cookies = [], 'content-type': type = '' } = response.headers;
          resolve({ status: response.statusCode, cookie: cookies.join(), type, text });
        },
      ).on('error', reject);
      sent.end(body);
      return promise;
    }

    it.runIf(canRun)('answers, and sets cookies for https only', async () => {
      expect(JSON.parse((await ask('GET', '/health')).text)).toMatchObject({ status: 'ok' });
      const { admin } = JSON.parse(readFileSync(join(data.path, 'first-run.json'), 'utf8'));
      const body = JSON.stringify({ login: admin.login, password: admin.password });
      const signedIn = await ask('POST', '/console/session', { body });
      expect(signedIn.status).toBe(200);
      expect(signedIn.cookie).toMatch(/^__Host-.*; Secure/);
      expect(signedIn.cookie).toContain('HttpOnly');
    });

    it.runIf(canRun)(
      'tells visitors apart by their own address, not by one that they state',
      async () => {
        const { key } = JSON.parse(readFileSync(join(data.path, 'first-run.json'), 'utf8'))
          .licences[0];
        const body = JSON.stringify({ licence_key: key, site_url: 'https://example.com' });
        const validate = async (from: string, stated: string) => {
          const headers = { 'x-licence-key': key, 'x-forwarded-for': stated };
          return (await ask('POST', '/licence/validate', { body, headers, from })).status;
        };
        const statuses = [];
        for (let n = 0; n <= LIMIT; n++)
          statuses.push(await validate('127.0.0.2', `203.0.113.${n}`));
        expect(statuses).toEqual([200, 200, 200, 429]);
        expect(await validate('127.0.0.3', '203.0.113.0')).toBe(200);
      },
    );

    it.runIf(canRun)('leaves the limit of bodies to Pavis, which says what is wrong', async () => {
      // More than Pavis accepts, and less than the example does.
      const body = JSON.stringify({ visitor_id: 'x'.repeat(2 ** 19) });
      const { status, type } = await ask('POST', '/wp-json/svc/v1/consent', { body });
      expect([status, type]).toEqual([413, expect.stringContaining('json')]);
    });
  },
);

async function findPort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
