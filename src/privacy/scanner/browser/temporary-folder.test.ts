import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { makeTemporaryFolder, removeLeftFolders } from './temporary-folder.ts';

const made: string[] = [];
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

const { pid: dead } = spawnSync(process.execPath, ['--eval', '']);

/** A folder like ours, of a process that has ended. */
async function ofTheDead(): Promise<string> {
  const mine = await makeTemporaryFolder();
  const path = mine.replace(`-${process.pid}-`, `-${dead}-`);
  renameSync(mine, path);
  mkdirSync(`${path}/profile`);
  made.push(path);
  return path;
}

test('folders of killed processes are removed, others are kept', async () => {
  const left = await ofTheDead();
  const mine = await makeTemporaryFolder();
  const elsewhere = await makeTemporaryFolder();
  const linked = await ofTheDead();
  rmSync(linked, { recursive: true });
  symlinkSync(elsewhere, linked);
  const ofAnotherContainer = (await ofTheDead()).replace(/browser-\d+/, 'browser-1');
  mkdirSync(ofAnotherContainer);
  made.push(mine, elsewhere, ofAnotherContainer);
  await removeLeftFolders();
  expect(existsSync(left)).toBe(false);
  for (const path of [mine, elsewhere, linked, ofAnotherContainer]) {
    expect([path, existsSync(path)]).toEqual([path, true]);
  }
});

test.runIf(process.getuid?.() === 0)("another user's folder stays", async () => {
  const path = await ofTheDead();
  chownSync(path, 65_534, 65_534);
  await removeLeftFolders();
  expect(existsSync(path)).toBe(true);
});
