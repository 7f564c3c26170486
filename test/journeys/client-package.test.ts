import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/config/version.ts';
import { packClient } from '../../web/client-package.ts';
import { makeLicence } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
/** With an unreachable registry: the package has no dependencies. */
const REGISTRY = '--registry=http://127.0.0.1:9';
const INSTALL = ['install', REGISTRY, '--fetch-retries=0', '--no-audit', '--no-fund'];
const RUN_MS = 120_000;

describe('the client package from the server', () => {
  const app = useTestApp('sqlite');
  const folder = mkdtempSync(join(tmpdir(), 'pavis-client-'));
  const cache = mkdtempSync(join(tmpdir(), 'pavis-npm-cache-'));
  const installed = join(folder, 'node_modules/pavis');
  const npm = (...args: string[]) =>
    run('npm', args, { cwd: folder, env: { ...process.env, npm_config_cache: cache } });

  beforeAll(async () => {
    await npm(...INSTALL, `${app.url}/client.tgz`);
  }, RUN_MS);
  afterAll(() => {
    for (const each of [folder, cache]) rmSync(each, { recursive: true, force: true });
  });

  it('is installed by npm into an empty folder, without other packages', () => {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(dependencies).toEqual({ pavis: `${app.url}/client.tgz` });
    const modules = readdirSync(join(folder, 'node_modules'));
    expect(modules.filter((name) => !name.startsWith('.'))).toEqual(['pavis']);
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'pavis', version: VERSION, type: 'module', engines });
    for (const each of ['dependencies', 'peerDependencies', 'optionalDependencies', 'scripts'])
      expect(manifest).not.toHaveProperty(each);
    const targets = Object.values(manifest.exports).flatMap((each) =>
      typeof each === 'string' ? [each] : Object.values(each as object),
    );
    for (const target of [manifest.types, ...targets])
      expect(existsSync(join(installed, target)), target).toBe(true);
    for (const file of ['README.md', 'LICENSE']) expect(readdirSync(installed)).toContain(file);
    expect(readdirSync(join(installed, 'client')).join()).not.toContain('test');
  });

  it('is imported by its name and validates a licence', async () => {
    const { key } = await makeLicence(app.platform);
    const script = `
      import { licenceClient } from 'pavis/client';
      const licences = licenceClient({ baseUrl: '${app.url}', licenceKey: '${key}' });
      const body = { licence_key: '${key}', site_url: 'https://shop.example.com' };
      console.log(JSON.stringify(await licences.call('POST /licence/validate', { body })));
    `;
    writeFileSync(join(folder, 'validate.mjs'), script);
    const { stdout } = await run(process.execPath, ['validate.mjs'], { cwd: folder });
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, tier: 'pro' });
  });

  it(
    'has types that a strict TypeScript project accepts',
    async () => {
      const compile = async (call: string) => {
        const source = `
          import { licenceClient, PavisError, pluginClient } from 'pavis/client';
          const licences = licenceClient({ baseUrl: 'http://localhost', licenceKey: 'k' });
          const status = await pluginClient({ restRoot: 'http://localhost' }).call('GET /consent/status');
          export const enabled: boolean = status.enabled;
          export const isRefusal = (error: unknown): error is PavisError => error instanceof PavisError;
          ${call}
        `;
        writeFileSync(join(folder, 'use.mts'), source);
        const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023,dom'];
        const module = ['--module', 'nodenext', '--moduleResolution', 'nodenext', '--types', ''];
        const tsc = join(ROOT, 'node_modules/.bin/tsc');
        return run(tsc, [...options, ...module, 'use.mts'], { cwd: folder }).then(
          () => '',
          ({ stdout }) => stdout as string,
        );
      };
      const body = "body: { licence_key: 'k', site_url: 'https://example.com' }";
      expect(await compile(`await licences.call('POST /licence/validate', { ${body} });`)).toBe('');
      expect(await compile(`await licences.call('POST /licence/nothing', { ${body} });`)).toContain(
        'POST /licence/nothing',
      );
    },
    RUN_MS,
  );

  it('has a content type, an ETag and a length, for GET and HEAD, and is not indexed', async () => {
    const response = await fetch(`${app.url}/client.tgz`);
    const bytes = Buffer.from(await response.arrayBuffer());
    const etag = response.headers.get('etag') ?? '';
    expect(response.status).toBe(200);
    expect(bytes.subarray(0, 2).toString('hex')).toBe('1f8b');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(bytes.length),
      'x-robots-tag': 'noindex',
      'access-control-allow-origin': '*',
    });
    expect(etag).toMatch(/^"[\w-]{43}-identity"$/);
    const head = await fetch(`${app.url}/client.tgz`, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([
      200,
      etag,
      String(bytes.length),
    ]);
    const again = await fetch(`${app.url}/client.tgz`, { headers: { 'if-none-match': etag } });
    expect([again.status, (await again.text()).length]).toEqual([304, 0]);
  });

  it('has the same bytes on every build', async () => {
    const served = Buffer.from(await (await fetch(`${app.url}/client.tgz`)).arrayBuffer());
    const built = mkdtempSync(join(tmpdir(), 'pavis-built-'));
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    try {
      await packClient(built);
      expect(digest(readFileSync(join(built, 'client.tgz')))).toBe(digest(served));
    } finally {
      rmSync(built, { recursive: true, force: true });
    }
  });

  it('is the only package that the guides install, beside the file that `npm pack` makes', () => {
    const texts = ['README.md', 'packages/client/README.md', 'ARCHITECTURE.md'].concat(
      ['docs', 'docs/guides'].flatMap((at) =>
        readdirSync(join(ROOT, at)).map((name) => join(at, name)),
      ),
    );
    const installs = texts
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) => [
        ...readFileSync(join(ROOT, file), 'utf8').matchAll(/npm (?:i|install|add) (.*)/g),
      ]);
    expect(installs.length).toBeGreaterThan(0);
    // A name would be looked up in a registry, where somebody else may have it.
    const ownFile = [`./pavis-${VERSION}.tgz`, `--omit=optional ./pavis-${VERSION}.tgz`];
    const others = installs.filter(([, what = '']) => !ownFile.includes(what));
    expect(others.length).toBeGreaterThan(0);
    const served = /^(--no-save )?https?:\/\/\S+\/(client|pavis-[\d.]+)\.tgz/;
    for (const [line, what] of others) expect(what, line).toMatch(served);
  });
});
