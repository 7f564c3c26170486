import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CliError } from '../platform/errors.ts';
import { loadSecret, toConfig } from './index.ts';

it('refuses a data folder that cannot be used, and names the setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pavis-secret-'));
  const file = join(folder, 'a-file');
  try {
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'data')]) {
      const load = () => loadSecret(toConfig({ PAVIS_DATA_DIR: dataDir }));
      expect(load).toThrow(CliError);
      expect(load).toThrow(expect.objectContaining({ exitCode: 2 }));
      expect(load).toThrow(
        /^PAVIS_DATA_DIR is ".+", which cannot be used \(E[A-Z]+: .+\): the path of a folder that Pavis can write to is allowed$/,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// There, mkdir says of an existing parent that it does not exist.
it.runIf(process.platform === 'linux')('refuses a data folder below /proc', () => {
  const load = () => loadSecret(toConfig({ PAVIS_DATA_DIR: '/proc/pavis/data' }));
  expect(load).toThrow(/^PAVIS_DATA_DIR is "\/proc\/pavis\/data", which cannot be used \(ENOENT: /);
});
