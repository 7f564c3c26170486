import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { dataFolder, pavis, pavisJson } from '../../test/support/process.ts';

describe('secrets in files', () => {
  const folder = dataFolder();
  const file = join(folder.path, 'url');
  const env = { PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL_FILE: file };
  afterAll(() => folder.remove());

  it('are read without the line break at the end', async () => {
    const database = join(folder.path, 'other.db');
    writeFileSync(file, `sqlite:${database}\n`);
    expect((await pavisJson(['config'], env)).PAVIS_DATABASE_URL).toBe(`sqlite:${database}`);
  });

  it.each([
    [
      'given in the environment as well',
      { PAVIS_DATABASE_URL: 'sqlite:/a.db' },
      /PAVIS_DATABASE_URL_FILE is set together with PAVIS_DATABASE_URL/,
    ],
    [
      'in a file that is missing',
      { PAVIS_DATABASE_URL_FILE: join(folder.path, 'none') },
      /PAVIS_DATABASE_URL_FILE names a file that cannot be read \(ENOENT/,
    ],
  ])('are rejected if they are %s', async (_, more, message) => {
    const { code, stderr } = await pavis(['config'], { ...env, ...more });
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
