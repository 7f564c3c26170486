import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  copyLog,
  logAll,
  verifyLogOf,
  withLogTables,
} from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { proveRecord } from '../index.ts';

const ROOT = '/wp-json/svc/v1/consent';
/** With the entries of the banner version and of a choice, more than two bundles. */
const RECORDS = 600;

describe.each(ENGINES)('A consent log that lacks a bundle on %s', (engine) => {
  const app = useTestApp(engine);
  const visitor = randomUUID();
  let headers: Record<string, string>;
  let repair: () => Promise<void>;

  const get = (path: string, more: Record<string, string> = headers) =>
    app.http.get(`${ROOT}${path}`, { headers: more });

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    await app.http.post(ROOT, { body: { visitor_id: visitor, consent_action: 'accept_all' } });
    const now = app.clock.now();
    const rows = Array.from({ length: RECORDS }, (_, at) => ({
      visitor_id: `visitor-${at}`,
      categories_accepted: '["functional"]',
      categories_rejected: '[]',
      consent_action: 'manage',
      day: '2026-11-21',
      created_at: now,
      expires_at: now + DAY_MS,
      salt: randomBytes(16),
    }));
    await app.platform.datastore.db.insertInto('consent_records').values(rows).execute();
    await logAll(app);
    repair = await copyLog(app);
    await withLogTables(app, async (log) => {
      await log.deleteFrom('consent_log_bundles').where('number', '=', 0).execute();
    });
  });

  it.each([
    ['/records/50/proof'],
    ['/records/50/log-state'],
    ['/log/tile/0/000'],
    ['/log/tile/entries/000'],
    [`/receipt?visitor_id=${visitor}`],
  ])('is named by %s, with what to do', async (path) => {
    const { status, json } = await get(path);
    expect([status, json]).toEqual([
      503,
      {
        code: 'log_damaged',
        message: expect.stringMatching(
          /^The consent log is damaged: it does not have .*\. Put its newest copy back\. "pavis log verify" /,
        ),
        data: { status: 503 },
      },
    ]);
  });

  it('is named to visitors in their language, and by the command', async () => {
    const path = `/receipt?visitor_id=${visitor}`;
    const page = await get(path, { accept: 'text/html', 'accept-language': 'de' });
    expect([page.status, page.text]).toEqual([
      503,
      expect.stringContaining('Das Protokoll, in dem Ihre Entscheidung steht, ist beschädigt.'),
    ]);
    await expect(proveRecord(app.platform, app.config, 50)).rejects.toThrow('log is damaged');
  });

  it('proves the entries of its other bundles', async () => {
    expect((await get('/records/400/log-state')).json).toMatchObject({ state: 'intact' });
    expect((await get('/records/590/log-state')).json).toMatchObject({ state: 'intact' });
    expect((await get('/log/tile/0/001')).status).toBe(200);
  });

  it('is verified as far as its entries can be read', async () => {
    const { consent_records: counts, problems } = await verifyLogOf(app);
    const found = problems.filter(({ subject }) => subject === 'consent_record');
    expect(found).toEqual([
      expect.objectContaining({
        kind: 'unlogged',
        first_id: 1,
        message: expect.stringMatching(
          /^Consent records 1 to \d+ have entries that cannot be read: the log is damaged\.$/,
        ),
        advice: expect.stringContaining('Put the newest copy of the log back.'),
      }),
    ]);
    const unreadable = found[0]?.count ?? 0;
    expect(unreadable).toBeGreaterThan(250);
    expect(unreadable).toBeLessThanOrEqual(256);
    expect(counts).toMatchObject({ unlogged: unreadable, pending: 0, altered: 0 });
    expect(problems).toContainEqual(
      expect.objectContaining({
        kind: 'log',
        message: expect.stringMatching(/^The log cannot be read as a whole: it does not have all /),
      }),
    );
    await repair();
    expect((await verifyLogOf(app)).ok).toBe(true);
    expect((await get('/records/50/proof')).status).toBe(200);
  });
});
