import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolder, pavis } from '../support/process.ts';

describe('a path that cannot be used ends the start with exit code 2 and the name of its setting', () => {
  let folder: ReturnType<typeof dataFolder>;
  beforeEach(() => {
    folder = dataFolder();
  });
  afterEach(() => folder.remove());

  const expectRefusal = async (name: string, more: Record<string, string> = {}) => {
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_PORT: '0', ...more };
    const { code, stdout, stderr } = await pavis(['serve'], env);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(`^pavis: ${name} is "[^\n]+\n$`),
    ]);
  };

  it.each([['secret'], ['erasures.jsonl']])('%s is a folder', async (name) => {
    mkdirSync(join(folder.path, name));
    await expectRefusal('PAVIS_DATA_DIR');
    const { stdout } = await pavis(['doctor'], { PAVIS_DATA_DIR: folder.path });
    expect(stdout).toMatch(/^FAIL .*EISDIR/m);
  });

  it('the data folder has a name that is too long, or is a link to itself', async () => {
    await expectRefusal('PAVIS_DATA_DIR', { PAVIS_DATA_DIR: join(folder.path, 'x'.repeat(300)) });
    const link = join(folder.path, 'link');
    symlinkSync(link, link);
    await expectRefusal('PAVIS_DATA_DIR', { PAVIS_DATA_DIR: link });
    const PAVIS_SECRET = 'a secret of at least thirty-two bytes';
    await expectRefusal('PAVIS_DATA_DIR', { PAVIS_DATA_DIR: link, PAVIS_SECRET });
  });

  it('the folder of the database is a file', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    await expectRefusal('PAVIS_DATABASE_URL', { PAVIS_DATABASE_URL: `sqlite:${file}/pavis.db` });
  });
});

it('a database that is a file of something else is neither called damaged nor replaced by a restore', async () => {
  const folder = dataFolder();
  const file = join(folder.path, 'notes.txt');
  writeFileSync(file, 'notes '.repeat(1_000));
  const env = { PAVIS_DATA_DIR: folder.path };
  const elsewhere = { ...env, PAVIS_DATABASE_URL: `sqlite:${file}` };
  const { stderr } = await pavis(['licence', 'list'], elsewhere);
  expect(stderr).toMatch(/^pavis: [^\n]+notes\.txt: [^\n]+\. Check PAVIS_DATABASE_URL: [^\n]+\n$/);
  expect(stderr).not.toContain('--force');
  const backup = join(folder.path, 'backup.db');
  await pavis(['licence', 'list'], env);
  await pavis(['backup', backup], env);
  const restored = await pavis(['restore', backup, '--force'], elsewhere);
  expect([restored.code, restored.stderr]).toEqual([
    1,
    `pavis: ${file} is not an SQLite database. Check PAVIS_DATABASE_URL: the file is of another program, or its beginning is damaged. If it is the database of Pavis, move it away and restore a backup\n`,
  ]);
  expect(readFileSync(file, 'utf8')).toMatch(/^notes /);
  folder.remove();
});
