import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ENGINES, run } from '../support/engines.ts';
import { basicAuth, makeLicence } from '../support/makers.ts';
import { useTestApp } from '../support/test-app.ts';
import { makeUser, signIn } from '../support/users.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('a database on %s with a full disk', (engine) => {
  const app = useTestApp(engine);
  let headers: Record<string, string>;
  let key: string;
  let cookie: string;
  const vendor = (slug: string) =>
    app.http.post(`${ROOT}/vendors`, {
      headers,
      body: { name: slug, slug, purpose: 'x'.repeat(4_000) },
    });

  /** Limits the pages of SQLite; triggers in PostgreSQL raise its error for a full disk. */
  async function fill(): Promise<void> {
    const { db } = app.platform.datastore;
    if (engine === 'sqlite') {
      await sql`pragma max_page_count = 1`.execute(db);
      return;
    }
    await run(
      app.config.databaseUrl,
      `create function refuse() returns trigger language plpgsql as
         'begin raise exception ''could not extend file'' using errcode = ''53100''; end';
       create trigger refuse before insert on vendors for each statement execute function refuse();
       create trigger refuse before insert on activations for each statement execute function refuse();`,
    );
  }

  async function free(): Promise<void> {
    const { db } = app.platform.datastore;
    if (engine === 'sqlite') await sql`pragma max_page_count = 1000000`.execute(db);
    else await run(app.config.databaseUrl, 'drop function refuse cascade');
  }

  async function failToWrite(): Promise<void> {
    await vi.waitFor(
      async () => {
        const { status, json } = await vendor(`v-${performance.now()}`.replace('.', '-'));
        expect([status, json]).toEqual([
          500,
          {
            code: 'create_failed',
            message:
              'The disk of the database is full. Nothing was saved. Free space on the server, then try again.',
            data: { status: 500 },
          },
        ]);
      },
      { timeout: 30_000, interval: 1 },
    );
  }

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    ({ key } = await makeLicence(app.platform, { sitesAllowed: 500 }));
    ({ cookie } = await signIn(app.http, await makeUser(app.platform)));
  });

  it('is reported by failed writes, /health and /readyz while reads work, and recovers without a restart', async () => {
    // The first status stores the first banner version.
    await app.http.get(`${ROOT}/consent/status`);
    await fill();
    await failToWrite();

    if (engine === 'sqlite') {
      // The trial write fails alike. On PostgreSQL the triggers do not affect it.
      const health = await app.http.get('/health');
      expect([health.status, health.json]).toEqual([
        503,
        {
          error: 'service_unavailable',
          message: expect.stringMatching(/^The disk of the database is full\. Reads keep working/),
        },
      ]);
      expect(Number(health.headers.get('retry-after'))).toBeGreaterThan(0);
      const shown = await app.http.get('/console/health', { headers: { cookie } });
      expect([shown.status, shown.json]).toEqual([
        503,
        { code: 'service_unavailable', message: health.json.message, data: { status: 503 } },
      ]);
      const ready = await app.http.get('/readyz');
      expect([ready.status, ready.json.status]).toEqual([503, 'database not writable: disk full']);
    }
    let sites = 0;
    // The last pages may have free space.
    await vi.waitFor(
      async () => {
        const site = `https://site-${++sites}.${'a'.repeat(60)}.example.org`;
        const { status, json } = await app.http.site('activate', key, site);
        expect([status, json]).toEqual([
          503,
          {
            error: 'service_unavailable',
            message: expect.stringMatching(
              /^The disk of the database is full\. Nothing was saved\./,
            ),
          },
        ]);
      },
      { timeout: 30_000, interval: 1 },
    );
    expect((await app.http.get('/livez')).status).toBe(200);
    expect((await app.http.get(`${ROOT}/vendors`, { headers })).status).toBe(200);
    expect((await app.http.get(`${ROOT}/consent/status`)).status).toBe(200);
    expect((await app.http.site('validate', key, 'https://a.example.org')).status).toBe(200);

    await free();
    await vi.waitFor(async () => expect((await app.http.get('/health')).status).toBe(200), {
      timeout: 30_000,
      interval: 50,
    });
    expect((await app.http.get('/readyz')).json).toEqual({ status: 'ok' });
    expect((await vendor('room-again')).status).toBe(201);
    expect((await app.http.site('activate', key, 'https://a.example.org')).status).toBe(200);
  });
});

describe('a read-only PostgreSQL database, for example a standby,', () => {
  const app = useTestApp('postgres');
  const setReadOnly = async (value: string, cutConnections = true) => {
    const { databaseUrl } = app.config;
    const name = new URL(databaseUrl).pathname.slice(1);
    await run(
      databaseUrl,
      `set transaction_read_only = off; alter database ${name} set default_transaction_read_only = ${value}`,
    );
    if (!cutConnections) return;
    await run(
      databaseUrl,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  };

  it('is reported by /health and /readyz before the first write, until it is writable again', async () => {
    await setReadOnly('on');
    const eventually = (check: () => Promise<void>) =>
      vi.waitFor(check, { timeout: 30_000, interval: 50 });
    await eventually(async () => {
      const { status, json } = await app.http.get('/health');
      expect([status, json.message]).toEqual([503, expect.stringContaining('is read-only')]);
    });
    expect((await app.http.get('/readyz')).json.status).toBe('database not writable: read-only');
    const body = { visitor_id: 'v', consent_action: 'accept_all' };
    const refused = await app.http.post(`${ROOT}/consent`, { body });
    expect([refused.status, refused.json.message]).toEqual([
      503,
      'The database is read-only. Nothing was saved. Make it writable on the server, then try again.',
    ]);
    await setReadOnly('off');
    await eventually(async () => expect((await app.http.get('/health')).status).toBe(200));
  });

  it('is left for the writable one when another server takes its place', async () => {
    await setReadOnly('on');
    const body = { visitor_id: 'v', consent_action: 'accept_all' };
    const choose = () => app.http.post(`${ROOT}/consent`, { body });
    await vi.waitFor(async () => expect((await choose()).json.message).toContain('read-only'), {
      timeout: 30_000,
      interval: 50,
    });
    // New connections can write, while those that are open stay read-only.
    await setReadOnly('off', false);
    await vi.waitFor(async () => expect((await choose()).status).toBe(200), {
      timeout: 30_000,
      interval: 50,
    });
    await vi.waitFor(async () => expect((await app.http.get('/readyz')).status).toBe(200), {
      timeout: 30_000,
      interval: 100,
    });
  });
});
