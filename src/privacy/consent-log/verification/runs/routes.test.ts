import { beforeAll, describe, expect, it } from 'vitest';
import { logAll } from '../../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../../test/support/engines.ts';
import { basicAuth } from '../../../../../test/support/makers.ts';
import { useTestApp } from '../../../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../../../test/support/users.ts';
import { toIsoMoment } from '../../../../platform/clock.ts';
import { DAY_MS, HOUR_MS } from '../../../../platform/durations.ts';
import { consentRecords } from '../../../consent/retention.ts';
import { SILENCE_MS } from './schemas.ts';
import { createVerifications } from './service.ts';

const PATH = '/wp-json/svc/v1/consent/log/verifications';
const RECORDS = 300;

describe.each(ENGINES)('/consent/log/verifications on %s', (engine) => {
  const app = useTestApp(engine);
  const db = () => app.platform.datastore.db;
  let admin: Record<string, string>;
  let viewer: Record<string, string>;
  const start = (deep?: boolean, headers = admin) =>
    app.http.post(PATH, { headers, body: deep === undefined ? {} : { deep } });
  const get = (id: number) => app.http.get(`${PATH}/${id}`, { headers: viewer });
  const end = async (id: number) => {
    await expect.poll(async () => (await get(id)).json.status).not.toBe('running');
    return (await get(id)).json;
  };

  beforeAll(async () => {
    admin = await basicAuth(app.platform);
    const { login, applicationPassword } = await makeUser(app.platform, 'viewer');
    viewer = basic(login, applicationPassword);
    const now = app.clock.now() - DAY_MS;
    const rows = Array.from({ length: RECORDS }, (_, at) => ({
      visitor_id: `visitor-${at}`,
      categories_accepted: '["functional"]',
      categories_rejected: '[]',
      consent_action: 'manage',
      day: '2026-11-20',
      created_at: now + at,
      expires_at: now + DAY_MS,
      salt: Buffer.alloc(16, at),
    }));
    await db().insertInto('consent_records').values(rows).execute();
    await logAll(app);
  });

  it('verifies in the background, and tells every role that may read it', async () => {
    const { status, json, headers } = await start();
    expect([status, json]).toEqual([
      201,
      {
        id: json.id,
        deep: false,
        status: 'running',
        started_at: '2026-11-21T09:30:00.000Z',
        finished_at: null,
        done: 0,
        total: 0,
        error: null,
        report: null,
      },
    ]);
    expect(headers.get('location')).toBe(`${app.url}${PATH}/${json.id}`);
    const ended = await end(json.id);
    expect(ended).toMatchObject({
      status: 'completed',
      finished_at: '2026-11-21T09:30:00.000Z',
      error: null,
      report: { ok: true, deep: false, consent_records: { present: RECORDS }, problems: [] },
    });
    expect(ended.done).toBe(ended.total);
    expect((await app.http.get(PATH, { headers: viewer })).json).toEqual([ended]);
    expect((await get(json.id + 1)).status).toBe(404);
    expect((await start(true, viewer)).status).toBe(403);
    expect((await start('soon' as never)).status).toBe(400);
  });

  it('finds altered records with `deep`, and lists the first 100 problems', async () => {
    await db()
      .updateTable('consent_records')
      .set({ consent_action: 'accept_all' })
      .where(({ eb }) =>
        eb(
          'id',
          'in',
          Array.from({ length: 110 }, (_, at) => 2 * at + 1),
        ),
      )
      .execute();
    const { report } = await end((await start(true)).json.id);
    expect(report).toMatchObject({ ok: false, deep: true, problem_count: 110 });
    expect(report.consent_records).toMatchObject({ intact: RECORDS - 110, altered: 110 });
    expect(report.problems).toHaveLength(100);
    expect(report.problems[1]).toMatchObject({
      kind: 'altered',
      first_id: 3,
      message: 'Consent record 3 does not match the log: it was changed after being logged.',
    });
  });

  it('refuses a second one while a node runs one, and takes over after its silence', async () => {
    const { id } = await db()
      .insertInto('consent_log_verifications')
      .values({ deep: 1, started_at: 1, last_seen_at: app.clock.now(), done: 5, total: 9 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const refused = await start();
    expect([refused.status, refused.json.code]).toEqual([409, 'verification_running']);
    expect(refused.json.message).toContain(`verification ${id}`);
    expect((await get(id)).json).toMatchObject({ status: 'running', done: 5, total: 9 });
    app.clock.advance(SILENCE_MS);
    expect((await get(id)).json).toMatchObject({ status: 'interrupted', finished_at: null });
    expect((await end((await start()).json.id)).status).toBe('completed');
  });

  it('takes over from a process that was killed before the clock was set back', async () => {
    const { id } = await db()
      .insertInto('consent_log_verifications')
      .values({ deep: 1, started_at: 1, last_seen_at: app.clock.now(), done: 5, total: 9 })
      .returning('id')
      .executeTakeFirstOrThrow();
    app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
    expect((await get(id)).json.status).toBe('interrupted');
    expect((await end((await start()).json.id)).status).toBe('completed');
  });

  it('states why a verification failed', async () => {
    const { databaseUrl } = app.config;
    const lost = createVerifications(app.platform, {
      databaseUrl: databaseUrl.replace(/[^/]+$/, 'nothing-here'),
      dataDir: app.config.dataDir,
      declaration: consentRecords,
    });
    const { id } = await lost.start(false);
    expect(await end(id)).toMatchObject({ status: 'failed', error: expect.any(String) });
    expect(app.logged()).toContain('cannot verify the consent log');
    await lost.close();
  });

  it('ends with the server at once, as interrupted', async () => {
    const { databaseUrl, dataDir } = app.config;
    const place = { databaseUrl, dataDir, declaration: consentRecords };
    const stopping = createVerifications(app.platform, place);
    const { id } = await stopping.start(true);
    await stopping.close();
    app.clock.advance(SILENCE_MS);
    expect((await get(id)).json).toMatchObject({ status: 'interrupted', report: null });
  });

  it('keeps the newest ten', async () => {
    const old = Array.from({ length: 20 }, () => ({
      deep: 0 as const,
      started_at: 1,
      last_seen_at: 1,
      done: 0,
      total: 0,
    }));
    await db().insertInto('consent_log_verifications').values(old).execute();
    const { id } = (await start()).json;
    const { json } = await app.http.get(PATH, { headers: viewer });
    expect(json.map((each: { id: number }) => each.id)).toEqual(
      Array.from({ length: 10 }, (_, at) => id - at),
    );
    await end(id);
  });
});
