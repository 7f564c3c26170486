import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleChangedServer } from './bundle-changed.ts';
import { findFreshBundle, markInUse } from './fresh-bundle.js';

describe('The bundle of a checkout', () => {
  let project: string;
  let built: string[];
  const source = () => join(project, 'src/main.ts');
  const bundle = () =>
    bundleChangedServer(project, async (folder) => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'main.js'), 'ok');
      built.push(folder);
    });
  const bundles = () =>
    readdirSync(join(project, '.bundle')).filter((name) => name !== 'current.json');
  const isFresh = () => findFreshBundle(project) !== undefined;

  beforeEach(() => {
    project = mkdtempSync(join(tmpdir(), 'pavis-bundle-'));
    built = [];
    mkdirSync(join(project, 'src'));
    mkdirSync(join(project, 'node_modules'));
    writeFileSync(join(project, 'package-lock.json'), '{}');
    writeFileSync(join(project, 'node_modules/.package-lock.json'), '{}');
    writeFileSync(source(), 'one');
  });
  afterEach(() => rmSync(project, { recursive: true, force: true }));

  it('is not there before it is built', () => expect(isFresh()).toBe(false));

  it('is built once, and used', async () => {
    await bundle();
    await bundle();
    expect([built.length, isFresh()]).toEqual([1, true]);
  });

  it.each<[string, () => void]>([
    ['a source is edited', () => writeFileSync(source(), 'three')],
    ['a source is edited without a change of its length', () => writeFileSync(source(), 'two')],
    ['a source is removed', () => rmSync(source())],
    ['a source is replaced by an older one', () => utimesSync(source(), 1, 1)],
    ['packages are installed', () => touch(join(project, 'node_modules/.package-lock.json'))],
  ])('is not used after %s', async (_, change) => {
    await bundle();
    change();
    expect(isFresh()).toBe(false);
    await bundle();
    expect(isFresh()).toBe(true);
  });

  it('is built again for other sources only', async () => {
    await bundle();
    touch(source());
    await bundle();
    expect(built).toHaveLength(1);
    writeFileSync(source(), 'two');
    await bundle();
    expect(built).toHaveLength(2);
  });

  it('is not affected by tests', async () => {
    writeFileSync(join(project, 'src/main.test.ts'), 'one');
    await bundle();
    writeFileSync(join(project, 'src/main.test.ts'), 'two');
    expect(isFresh()).toBe(true);
  });

  it('is kept while a process uses it, and removed after the next but one', async () => {
    await bundle();
    const first = findFreshBundle(project) as string;
    expect(markInUse(first)).toBe(true);
    for (const text of ['two', 'three', 'four']) {
      writeFileSync(source(), text);
      await bundle();
    }
    expect(bundles()).toContain(basename(first));
    expect(bundles()).toHaveLength(3);
    renameSync(join(first, `used-by-${process.pid}`), join(first, 'used-by-999999999'));
    writeFileSync(source(), 'five');
    await bundle();
    expect(bundles()).not.toContain(basename(first));
    expect(markInUse(first)).toBe(false);
  });

  it('is not used if a source changes while it is built', async () => {
    await bundleChangedServer(project, async (folder) => {
      mkdirSync(folder, { recursive: true });
      built.push(folder);
      if (built.length === 1) writeFileSync(source(), 'two');
    });
    expect([built.length, isFresh()]).toEqual([2, true]);
    expect(bundles()).toEqual([basename(findFreshBundle(project) as string)]);
  });
});

const touch = (file: string): void => utimesSync(file, 1, Math.random() * 1e9);
