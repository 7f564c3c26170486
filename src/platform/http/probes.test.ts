import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
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
});
