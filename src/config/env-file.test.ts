import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { dataFolder, pavis, pavisJson } from '../../test/support/process.ts';

describe('a .env file', () => {
  const folder = dataFolder();
  const file = join(folder.path, '.env');
  const env = { PAVIS_DATA_DIR: folder.path };
  const options = { cwd: folder.path };
  afterEach(() => rmSync(file, { recursive: true }));
  afterAll(() => folder.remove());

  it('keeps its first setting if it begins with a byte-order mark', async () => {
    writeFileSync(file, '\uFEFFPAVIS_PORT=9001\r\nPAVIS_LEASE_DAYS=9\r\n');
    expect(await pavisJson(['config'], env, options)).toMatchObject({
      PAVIS_PORT: 9_001,
      PAVIS_LEASE_DAYS: 9,
    });
  });

  it('is refused in UTF-16', async () => {
    writeFileSync(file, '\uFEFFPAVIS_PORT=9001\r\n', 'utf16le');
    const { code, stderr } = await pavis(['config'], env, options);
    expect([code, stderr]).toEqual([2, `pavis: ${file} is not UTF-8 text: save it as UTF-8\n`]);
  });

  it('is refused if it is a folder, as Docker creates one for a missing file', async () => {
    mkdirSync(file);
    const { code, stderr } = await pavis(['config'], env, options);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^pavis: cannot read [^\n]+\.env: EISDIR[^\n]+ or remove it\n$/);
  });
});
