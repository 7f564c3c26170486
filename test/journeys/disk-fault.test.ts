import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { UNCONFIRMED } from '../../src/platform/db/index.ts';
import { dataFolder, startServer } from '../support/process.ts';

const PRELOADED = pathToFileURL(join(import.meta.dirname, '../support/disk-fault.ts'));

describe('a disk that does not confirm writes', () => {
  const folder = dataFolder();
  const fault = join(folder.path, 'fault');
  afterAll(() => folder.remove());

  it('is reported by /health and /readyz until it confirms them again', async () => {
    const { http, stop } = await startServer({
      PAVIS_DATA_DIR: folder.path,
      PAVIS_CHROMIUM: 'off',
      NODE_OPTIONS: `--import=${PRELOADED}`,
      DISK_FAULT: fault,
    });
    const choose = () => {
      const body = { visitor_id: 'v-1', consent_action: 'reject_all' };
      return http.post('/wp-json/svc/v1/consent', { body });
    };
    writeFileSync(fault, '');
    const refused = await choose();
    expect([refused.status, refused.json.message]).toEqual([503, UNCONFIRMED]);
    const health = await http.get('/health');
    expect([health.status, health.json]).toEqual([
      503,
      {
        error: 'service_unavailable',
        message: expect.stringMatching(/^The disk of the database reports errors\. Reads keep/),
      },
    ]);
    const ready = await http.get('/readyz');
    expect([ready.status, ready.json.status]).toEqual([503, 'database not writable: disk fault']);

    rmSync(fault);
    await expect.poll(async () => (await http.get('/readyz')).status).toBe(200);
    expect((await http.get('/health')).status).toBe(200);
    expect((await choose()).status).toBe(200);
    await stop();
  });
});
