import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Hooks } from '../platform/hooks/hooks.ts';
import { createLogger } from '../platform/log.ts';
import { HOOK_CATALOGUE } from './catalogue.ts';
import { loadExtensions } from './loading.ts';
import { ExtensionRegistry } from './registry.ts';

const EXAMPLE = 'docs/examples/extension.js';
const summary = { scan_id: 7, status: 'completed', pages: 2, findings: 5, vendors: 1 };

const lines: string[] = [];
const log = await createLogger('info', { write: (line) => lines.push(line) });
let folder: string;
let hooks: Hooks;
let registry: ExtensionRegistry;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pavis-extensions-'));
  hooks = new Hooks(log, HOOK_CATALOGUE);
  registry = new ExtensionRegistry(log);
  lines.length = 0;
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes a module and returns its path. */
function write(name: string, source: string): string {
  const path = join(folder, name);
  writeFileSync(path, source);
  return path;
}

/** A module whose default function has this body and the parameter `pavis`. */
const extension = (name: string, body: string) =>
  write(`${name}.mjs`, `export default async function (pavis) { ${body} }`);

/** A module whose `svc_register_extensions` callback has this body and the parameter `registry`. */
const registering = (name: string, body: string, priority = 10) =>
  extension(
    name,
    `pavis.addAction('svc_register_extensions', async (registry) => { ${body} }, ${priority});`,
  );

const vendor = (slug: string, name = slug) =>
  `registry.addVendor({ slug: '${slug}', name: '${name}' });`;

const load = (...paths: string[]) => loadExtensions(paths, { hooks, registry, log });
const vendors = () => registry.listing().extensions.vendors;

describe('loadExtensions', () => {
  it('loads none by default', async () => {
    expect(await load()).toEqual({ problems: [] });
    expect(registry.listing()).toEqual({
      extensions: { dsar_sources: [], consent_scripts: [], vendors: [] },
      totals: { dsar_sources: 0, consent_scripts: 0, vendors: 0 },
    });
  });

  it('lets extensions register after all are loaded, by priority', async () => {
    const late = registering('late', vendor('late'), 20);
    const early = registering('early', vendor('early'), 5);
    expect(await load(late, early)).toEqual({ problems: [] });
    expect(vendors()).toEqual([
      { slug: 'early', name: 'early' },
      { slug: 'late', name: 'late' },
    ]);
  });

  it('resolves a path from the working directory and the name of a package', async () => {
    const near = relative(process.cwd(), registering('near', vendor('near')));
    const module = join(folder, 'node_modules/pavis-acme');
    mkdirSync(module, { recursive: true });
    writeFileSync(join(module, 'package.json'), '{ "type": "module", "exports": "./main.js" }');
    registering('acme', vendor('acme'));
    writeFileSync(join(module, 'main.js'), readFileSync(join(folder, 'acme.mjs')));
    expect(await load(near)).toEqual({ problems: [] });
    expect(vendors()).toHaveLength(1);

    registry = new ExtensionRegistry(log);
    vi.spyOn(process, 'cwd').mockReturnValue(folder);
    expect(await loadExtensions(['pavis-acme'], { hooks, registry, log })).toEqual({
      problems: [],
    });
    expect(vendors()).toContainEqual({ slug: 'acme', name: 'acme' });
  });

  it('loads an extension once if it is listed twice', async () => {
    const path = registering('a', vendor('acme'));
    const { problems } = await load(path, relative(process.cwd(), path));
    expect(problems).toEqual([
      { extension: relative(process.cwd(), path), message: 'is listed twice: it is loaded once' },
    ]);
    expect(vendors()).toHaveLength(1);
  });
});

describe('an extension that fails', () => {
  // Shorter than the default, which two of them would wait for. A busy machine needs part of it to load a module.
  beforeEach(() => {
    hooks = new Hooks(log, HOOK_CATALOGUE, 1_000);
  });

  const failures: [string, () => string, RegExp][] = [
    ['is not there', () => join(folder, 'nowhere.mjs'), /nowhere/],
    ['is no package', () => 'pavis-not-installed', /pavis-not-installed/],
    ['is no JavaScript', () => write('text.mjs', 'not a module'), /./],
    ['throws on load', () => write('throws.mjs', "throw new Error('no luck')"), /^no luck$/],
    ['has no default export', () => write('none.mjs', 'export const a = 1'), /no function/],
    ['exports no function', () => write('object.mjs', 'export default {}'), /no function/],
    ['throws at start', () => extension('start', "throw new Error('no luck')"), /^no luck$/],
    ['never ends its start', () => extension('slow', 'await new Promise(() => {})'), /1000 ms/],
    ['uses an unknown hook', () => extension('hook', "pavis.addAction('init', () => {})"), /init/],
    [
      'throws while registering',
      () => registering('throws-late', `${vendor('gone')} throw new Error('no luck')`),
      /^no luck$/,
    ],
    [
      'never ends registering',
      () => registering('hangs', `${vendor('gone')} await new Promise(() => {})`),
      /1000 ms/,
    ],
  ];

  it.each(failures)(
    'because it %s is reported and affects no other',
    async (_why, make, message) => {
      const path = make();
      const before = registering('before', vendor('before'), 1);
      const after = registering('after', vendor('after'), 99);
      const { problems } = await load(before, path, after);
      expect(problems).toEqual([{ extension: path, message: expect.stringMatching(message) }]);
      expect(vendors().map(({ slug }) => slug)).toEqual(['before', 'after']);
      const warnings = lines
        .map((line) => JSON.parse(line))
        .filter(({ level }) => level === 'warn');
      expect(warnings).toMatchObject([{ extension: path, problem: problems[0]?.message }]);
    },
  );

  it('is reported without directories and stack traces', async () => {
    const { problems } = await load(
      join(folder, 'nowhere.mjs'),
      extension('reads', "(await import('node:fs')).readFileSync('/opt/pavis/src/secret.ts')"),
      extension('requires', "(await import('node:module')).createRequire('/opt/a/b.js')('./gone')"),
      extension(
        'web',
        "throw new Error('https://chat.example/hook answered 500 at C:\\\\Pavis\\\\src\\\\a.ts')",
      ),
    );
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Cannot find module 'nowhere.mjs'$/),
      expect.stringMatching(/ 'secret.ts'$/),
      expect.stringMatching(/^Cannot find module '.\/gone'$/),
      'https://chat.example/hook answered 500 at a.ts',
    ]);
  });

  it('loses all its items and callbacks, and blocks no name', async () => {
    const add = (priority: number, body: string) =>
      `pavis.addAction('svc_register_extensions', (registry) => { ${body} }, ${priority});`;
    const half = extension(
      'half',
      `pavis.addFilter('svc_scan_finding', () => ({ mine: true }));
       ${add(1, vendor('shared', 'of the half'))}
       ${add(10, "throw new Error('no luck')")}
       ${add(20, vendor('more'))}`,
    );
    const whole = registering('whole', vendor('shared', 'of the whole'), 5);
    const { problems } = await load(half, whole);
    expect(problems).toEqual([{ extension: half, message: 'no luck' }]);
    expect(vendors()).toEqual([{ slug: 'shared', name: 'of the whole' }]);
    const finding = { host: 'cdn.example' } as Parameters<
      typeof hooks.applyFilters<'svc_scan_finding'>
    >[1];
    expect(await hooks.applyFilters('svc_scan_finding', finding)).toBe(finding);
  });

  it('cannot register late, and gets no error that would end the process', async () => {
    const answers: unknown[] = [];
    vi.stubGlobal('answers', answers);
    const path = extension(
      'late',
      `pavis.addAction('svc_register_extensions', (registry) => {
         pavis.addAction('svc_scan_complete', () => {
           answers.push(registry.addVendor({ slug: 'late', name: 'Late' }));
           pavis.addAction('svc_register_extensions', () => answers.push('again'))();
         });
       });`,
    );
    expect(await load(path)).toEqual({ problems: [] });
    lines.length = 0;
    await hooks.doAction('svc_scan_complete', summary);
    vi.unstubAllGlobals();
    expect(answers).toEqual([false]);
    expect(vendors()).toEqual([]);
    expect(registry.problems).toEqual([]);
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(['warn', 'warn']);
  });
});

describe('the example of the guide', () => {
  it('matches docs/examples', () => {
    const guide = readFileSync('docs/extensions.md', 'utf8');
    expect(guide).toContain(`\`\`\`js\n${readFileSync(EXAMPLE, 'utf8')}\`\`\``);
  });

  it('registers a source, a script and a vendor', async () => {
    expect(await load(EXAMPLE)).toEqual({ problems: [] });
    expect(registry.listing()).toEqual({
      extensions: {
        dsar_sources: [{ id: 'acme_shop_orders', label: 'Orders in the Acme shop' }],
        consent_scripts: [{ handle: 'acme-chat', label: 'Acme Chat' }],
        vendors: [{ slug: 'acme', name: 'Acme Ltd' }],
      },
      totals: { dsar_sources: 1, consent_scripts: 1, vendors: 1 },
    });
    const source = registry.dsarSources[0];
    expect(source?.extension).toBe(EXAMPLE);
    const page = await source?.item.collect?.({ email: 'ada@example.com', cursor: null });
    expect(page).toMatchObject({ records: [{ id: 1001 }], next: null });
  });

  it('sends a completed scan to a chat', async () => {
    const told: string[] = [];
    const chat = createServer(async (request, response) => {
      for await (const part of request) told.push(String(part));
      response.end();
    });
    await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
    const { port } = chat.address() as AddressInfo;
    vi.stubEnv('ACME_CHAT_WEBHOOK', `http://127.0.0.1:${port}/`);
    await load(EXAMPLE);
    await hooks.doAction('svc_scan_complete', summary);
    chat.close();
    chat.closeAllConnections();
    expect(told).toEqual(['{"text":"Scan 7: 5 findings on 2 pages"}']);
  });
});
