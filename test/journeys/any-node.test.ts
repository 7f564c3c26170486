import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/config/version.ts';

const MAIN = join(import.meta.dirname, '../../bin/pavis.js');
/** The Node.js of this machine. npm puts the pinned version before it in PATH. */
const ofMachine = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(existsSync);
const isOlder =
  ofMachine !== undefined &&
  Number.parseInt(execFileSync(ofMachine, ['--version'], { encoding: 'utf8' }).slice(1), 10) < 26;

it.runIf(ofMachine)('starts with any supported Node.js version', () => {
  const answer = execFileSync(ofMachine as string, [MAIN, '--version'], { encoding: 'utf8' });
  expect(answer.trim()).toBe(VERSION);
});

it.runIf(isOlder && process.platform === 'linux')(
  'names the library that the Node.js of the package needs (needs an older Node.js)',
  () => {
    const root = mkdtempSync(join(tmpdir(), 'pavis-library-'));
    const pinned = join(root, 'node_modules', `node-linux-${process.arch}`);
    mkdirSync(join(pinned, 'bin'), { recursive: true });
    writeFileSync(join(pinned, 'package.json'), '{"version":"26.0.0"}');
    // As the loader of Linux ends a program whose library is missing.
    writeFileSync(join(pinned, 'bin/node'), '#!/bin/sh\nexit 127\n', { mode: 0o755 });
    writeFileSync(join(root, 'package.json'), '{"type":"module"}');
    cpSync(MAIN, join(root, 'bin/pavis.js'));
    const { status, stderr } = spawnSync(ofMachine as string, [join(root, 'bin/pavis.js')], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining('apt install libatomic1')]);
  },
);

it('starts from a file that Node.js 12 can read', () => {
  const source = readFileSync(MAIN, 'utf8');
  const print = (target: ts.ScriptTarget) =>
    ts.transpileModule(source, { compilerOptions: { target, module: ts.ModuleKind.ESNext } })
      .outputText;
  expect(print(ts.ScriptTarget.ES2019)).toBe(print(ts.ScriptTarget.ESNext));
  const awaited = source.split('\n').filter((line) => /^\S.*\bawait /.test(line));
  expect(awaited).toEqual([]);
});
