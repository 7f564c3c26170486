import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useTestApp } from '../support/test-app.ts';
import { clientTypes, DOCUMENTS } from './client-types.ts';
import { PROJECT } from './cruised.ts';

describe('The types of the client', () => {
  const app = useTestApp('sqlite');

  it.each(DOCUMENTS)('are those of the $name (if not: npm run client-types)', async (each) => {
    const document = (await app.http.get(each.path)).json;
    const made = clientTypes(document, each.name, each.prefix);
    expect(readFileSync(join(PROJECT, each.file), 'utf8')).toBe(made);
  });

  it('leave nothing of the documents unknown', () => {
    for (const { file } of DOCUMENTS) {
      const types = readFileSync(join(PROJECT, file), 'utf8');
      expect(types).not.toMatch(/: unknown|\(unknown/);
    }
  });
});
