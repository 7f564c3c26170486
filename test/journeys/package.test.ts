import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { VERSION } from '../../src/config/version.ts';
import { client, type HttpClient } from '../support/client.ts';

/** Installation and its first start, with all its packages. */
const LARGEST_MB = 350;
const PROJECT = join(import.meta.dirname, '../..');
/** Files below these paths are in the package, and nothing else. */
const EXPECTED =
  /^(bin\/pavis\.js|dist\/server\/[\w.-]+\.(js|json)|dist\/packages\/client\/.+\.(js|d\.ts)|dist\/src\/.+\.d\.ts|dist\/THIRD-PARTY-LICENCES\.txt|packages\/php-client\/.+\.php|web\/(demo|dist|pages|start)\/.+|(CHANGELOG|README|SECURITY)\.md|LICENSE|package\.json)$/;

/** A machine that has Node.js and npm, and nothing of this folder. */
const env = {
  PATH: process.env.PATH?.split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
  HOME: process.env.HOME,
  PAVIS_PORT: '0',
};

describe('The package that npm pack makes', () => {
  const folder = mkdtempSync(join(inject('temporary').disk, 'pavis-package-'));
  const installed = join(folder, 'node_modules/pavis');
  let files: string[];
  let server: ChildProcess;
  let http: HttpClient;
  let log = '';

  beforeAll(async () => {
    const packed = run(PROJECT, 'npm', 'pack', '--json', '--pack-destination', folder);
    // What the build prints comes before.
    const [{ filename, files: listed }] = JSON.parse(packed.slice(packed.indexOf('[\n')));
    files = listed.map(({ path }: { path: string }) => path);
    const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
    run(folder, 'npm', 'install', ...quiet, join(folder, filename));
    server = spawn('npx', ['pavis', 'serve'], { cwd: folder, env, detached: true });
    http = client(await ready());
  }, 600_000);
  afterAll(async () => {
    if (server?.pid && server.exitCode === null) process.kill(-server.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  async function ready(): Promise<string> {
    server.stdout?.resume();
    server.stderr?.setEncoding('utf8');
    for await (const text of server.stderr ?? []) {
      log += text;
      const url = /"url":"([^"]+)".*"msg":"ready"/.exec(log)?.[1];
      if (url) return url;
    }
    throw new Error(`not ready: ${log}`);
  }

  it('holds what the server needs, and no sources, tests or tools', () => {
    expect(files.filter((file) => !EXPECTED.test(file))).toEqual([]);
    expect(files.filter((file) => /\.test\.|fixture/.test(file))).toEqual([]);
    const needed = [
      'dist/server/main.js',
      'dist/server/library.json',
      'dist/src/extensions/index.d.ts',
      'dist/packages/client/index.d.ts',
      'packages/php-client/licence-client.php',
      'web/dist/banner/banner.js',
      'web/dist/console/index.html',
      'web/dist/declaration/declaration.js',
      'web/dist/receipt-verifier/receipt-verifier.html',
      'web/dist/client/client.tgz',
    ];
    expect(needed.filter((file) => !files.includes(file))).toEqual([]);
  });

  it(`takes at most ${LARGEST_MB} MB on the disk, with all that npm installs`, () => {
    expect(measure(join(folder, 'node_modules')) / 2 ** 20).toBeLessThan(LARGEST_MB);
  });

  it('ships the licences of the libraries in its files', () => {
    const text = readFileSync(join(installed, 'dist/THIRD-PARTY-LICENCES.txt'), 'utf8');
    for (const name of ['stripe', 'react', '@mantine/core', '@zxcvbn-ts/core']) {
      expect(text).toContain(`\n${name} `);
    }
    expect(text).toContain('\nfastify ');
    expect(text).toContain('Permission is hereby granted');
  });

  it('runs from health over sign-in and consent to validation, from an empty folder', async () => {
    const health = await http.get('/health');
    expect(health.json).toMatchObject({ status: 'ok', version: VERSION, database: 'ok' });
    const note = JSON.parse(readFileSync(join(folder, 'data/first-run.json'), 'utf8'));
    const { login, password } = note.admin;
    const signedIn = await http.post('/console/session', { body: { login, password } });
    expect(signedIn.json.user).toMatchObject({ role: 'administrator' });

    const status = await http.get('/wp-json/svc/v1/consent/status');
    expect([status.status, status.json.enabled]).toEqual([200, true]);
    const choice = { visitor_id: 'v-1', consent_action: 'accept_all' };
    const recorded = await http.post('/wp-json/svc/v1/consent', { body: choice });
    expect(recorded.json).toMatchObject({ id: 1 });
    const validated = await http.site('validate', note.licences[0].key, 'https://example.com');
    expect(validated.json).toMatchObject({ valid: true });
  });

  it('serves the console, the banner, the demo site, the API documents and the PHP client', async () => {
    const note = JSON.parse(readFileSync(join(folder, 'data/first-run.json'), 'utf8'));
    const basic = Buffer.from(`${note.admin.login}:${note.admin.application_password}`);
    const headers = { authorization: `Basic ${basic.toString('base64')}` };
    const paths = ['/', '/admin/', '/banner.js', '/demo/', '/docs/', '/privacy/', '/account/'];
    for (const path of [...paths, '/client.tgz', '/receipt-verifier.html']) {
      expect([path, (await http.get(path, { headers })).status]).toEqual([path, 200]);
    }
    const page = await http.get('/admin/');
    const script = /src="([^"]+\.js)"/.exec(page.text)?.[1] ?? '';
    expect((await http.get(script)).status).toBe(200);
  });

  it('runs commands, the browser of scans and the libraries in its files', async () => {
    const doctor = spawnSync('npx', ['pavis', 'doctor', '--json'], { cwd: folder, env });
    const { checks } = JSON.parse(String(doctor.stdout));
    expect(checks.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([]);
    if (process.platform === 'linux' && process.arch === 'x64') {
      const { message } = checks.find(({ name }: { name: string }) => name === 'browser');
      expect(message).not.toContain('not found');
    }
    const create = [
      'user',
      'create',
      'ada',
      '--email',
      'ada@example.com',
      '--role',
      'administrator',
    ];
    const weak = spawnSync('npx', ['pavis', ...create, '--password', 'password1234'], {
      cwd: folder,
      env,
    });
    expect(String(weak.stderr)).toContain('The password is easy to guess');
  });

  it('stops in order when npx gets the signal', async () => {
    const ended = once(server, 'close');
    server.kill('SIGTERM');
    await ended;
    await expect(http.get('/livez')).rejects.toThrow();
  });
});

function run(cwd: string, command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`${command} ${args[0]} ended with ${status}: ${stderr}`);
  return stdout;
}

/** In bytes, in blocks of the file system, as `du` counts. */
function measure(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += statSync(join(entry.parentPath, entry.name)).blocks * 512;
  }
  return bytes;
}
