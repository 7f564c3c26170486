import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { dataFolder } from '../../../test/support/process.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { findDatabaseFault } from './probes.ts';

describe.each(ENGINES)('findDatabaseFault on %s', (engine) => {
  const app = useTestApp(engine);

  it('reports no fault of the database while the event loop is stalled for longer than its timeout', async () => {
    const asked = findDatabaseFault(app.platform.datastore);
    const end = performance.now() + 1_200;
    while (performance.now() < end);
    expect(await asked).toBeUndefined();
  });

  it('reports a database that does not respond after one second', async () => {
    const silent = { ...app.platform.datastore, ping: () => new Promise<void>(() => {}) };
    const startedAt = performance.now();
    expect(await findDatabaseFault(silent)).toBe('unreachable');
    expect(performance.now() - startedAt).toBeGreaterThan(990);
  });

  it('names a damaged file', async () => {
    const folder = dataFolder();
    onTestFinished(folder.remove);
    const file = join(folder.path, 'pavis.db');
    writeFileSync(file, 'damaged '.repeat(1_000));
    const read = async () => void new DatabaseSync(file).exec('select * from sqlite_schema');
    const fault = await findDatabaseFault({ ...app.platform.datastore, ping: read });
    expect(fault).toBe('damaged file');
  });
});
