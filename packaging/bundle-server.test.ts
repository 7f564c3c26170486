import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleServer } from './bundle-server.ts';
import { listShipped } from './shipped.ts';

const PROJECT = join(import.meta.dirname, '..');

describe('bundleServer', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-bundled-'));
  let packages: string[];
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');

  beforeAll(async () => {
    ({ packages } = await bundleServer(folder));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('writes the program, each thread and each file of data', () => {
    const names = globSync('src/**/*{-worker.ts,.json}', { cwd: PROJECT }).map((file) =>
      basename(file).replace(/\.ts$/, '.js'),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(['main.js', ...names].filter((name) => !readdirSync(folder).includes(name))).toEqual([]);
  });

  it('names only files that are there', () => {
    const files = readdirSync(folder);
    for (const file of files.filter((name) => name.endsWith('.js'))) {
      for (const [, name = ''] of read(file).matchAll(/new URL\([`"']\.?\/?([\w-]+\.json)/g)) {
        expect(files).toContain(name);
      }
    }
  });

  it('builds in packages of the bill of materials only', () => {
    expect(packages.length).toBeGreaterThan(80);
    const listed = listShipped().filter(({ isBundled }) => isBundled);
    const paths = listed.map(({ path }) => path);
    expect(packages.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it('does not import all of node:http, which loads the implementation of fetch', () => {
    const importing = readdirSync(folder).filter(
      (file) => file.endsWith('.js') && /^import (?!\*).* from "(node:)?http";$/m.test(read(file)),
    );
    expect(importing).toEqual([]);
  });
});
