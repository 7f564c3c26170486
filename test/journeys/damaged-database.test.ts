import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { damage } from '../support/damage.ts';
import { dataFolder, pavisJson, startServer } from '../support/process.ts';

const ADVICE = 'Stop the server, then restore a backup with "pavis restore FILE --force".';
const DAMAGED = `The database file is damaged. Nothing was saved. ${ADVICE}`;

describe('a damaged SQLite file', () => {
  const folder = dataFolder();
  afterAll(() => folder.remove());

  it('is named by both APIs, with what to do', async () => {
    const env = { PAVIS_DATA_DIR: folder.path, PAVIS_CHROMIUM: 'off' };
    await pavisJson(['migrate'], env);
    const file = join(folder.path, 'pavis.db');
    for (const table of ['licence_keys', 'dsar_cases']) damage(file, table);
    const { http, stop } = await startServer(env);
    const key = `pv_live_${'k'.repeat(32)}`;
    const validated = await http.site('validate', key, 'https://a.example.org');
    expect([validated.status, validated.json]).toEqual([
      503,
      { error: 'service_unavailable', message: DAMAGED },
    ]);
    const body = { request_type: 'access', email: 'anna@example.org' };
    const requested = await http.post('/wp-json/svc/v1/dsar/intake', { body });
    expect([requested.status, requested.json.code, requested.json.message]).toEqual([
      500,
      'create_failed',
      DAMAGED,
    ]);
    await stop();
  });
});
