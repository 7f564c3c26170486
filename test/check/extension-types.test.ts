import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from './cruised.ts';

/** A folder that has the types of `pavis/extension` installed, as an author of an extension has. */
const folder = mkdtempSync(join(tmpdir(), 'pavis-extension-types-'));
const pavis = join(folder, 'node_modules/pavis');
const example = readFileSync(join(PROJECT, 'docs/examples/extension.ts'), 'utf8');
const options = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  types: ['node'],
  typeRoots: [join(PROJECT, 'node_modules/@types')],
};

function compile(source: string): string {
  writeFileSync(join(folder, 'extension.ts'), source);
  return tsc('-p', folder);
}
const tsc = (...args: string[]) =>
  spawnSync('tsc', args, { cwd: folder, encoding: 'utf8' }).stdout.trim();

beforeAll(() => {
  mkdirSync(pavis, { recursive: true });
  copyFileSync(join(PROJECT, 'package.json'), join(pavis, 'package.json'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['extension.ts'] }),
  );
  const build = {
    extends: join(PROJECT, 'tsconfig.build.json'),
    compilerOptions: {
      rootDir: PROJECT,
      outDir: join(pavis, 'dist'),
      typeRoots: options.typeRoots,
      declaration: true,
      emitDeclarationOnly: true,
    },
    include: [],
    files: [join(PROJECT, 'src/extensions/index.ts')],
  };
  writeFileSync(join(folder, 'build.json'), JSON.stringify(build));
  expect(tsc('-p', join(folder, 'build.json'))).toBe('');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('The types at pavis/extension', () => {
  it('fit the example of the guide', () => {
    expect(compile(example)).toBe('');
    const guide = readFileSync(join(PROJECT, 'docs/extensions.md'), 'utf8');
    expect(guide).toContain(`\`\`\`ts\n${example}\`\`\``);
  });

  it.each([
    ['a hook that there is not', "'svc_dsar_status_changed'", "'svc_nothing'"],
    ['a field that the payload has not', '{ reference, to }', '{ reference, too }'],
    ['a filter that returns something else', '{ ...finding,', '{'],
    ['an item without a label', "  label: 'Orders in the Acme shop',\n", ''],
  ])('find %s', (_what, part, wrong) => {
    expect(example).toContain(part);
    expect(compile(example.replace(part, wrong))).toMatch(/error TS/);
  });
});
