import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/config/version.ts';

const MAIN = join(import.meta.dirname, '../../bin/pavis.js');
/** The Node.js of this machine. npm puts the pinned version before it in PATH. */
const ofMachine = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .find(existsSync);

it.runIf(ofMachine)('starts with any supported Node.js version', () => {
  const answer = execFileSync(ofMachine as string, [MAIN, '--version'], { encoding: 'utf8' });
  expect(answer.trim()).toBe(VERSION);
});
