import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../support/client.ts';
import { ENGINES, type Engine, run } from '../support/engines.ts';
import { basicAuth } from '../support/makers.ts';
import { type TestApp, useTestApp } from '../support/test-app.ts';

const ROOT = '/wp-json/svc/v1';
const TABLES = ['vendors', 'scripts', 'data_map_entries', 'consent_records', 'consent_configs'];

describe.each(ENGINES)('a write that the database rejects on %s', (engine) => {
  const app = useTestApp(engine);
  let headers: Record<string, string>;
  const ids: Record<string, number> = {};
  const ask = (method: string, path: string, body?: unknown) =>
    app.http.request(method, ROOT + path, { headers, ...(body === undefined ? {} : { body }) });

  const vendor = (slug: string) => ({ name: slug, slug, purpose: 'x'.repeat(4_000) });
  const script = (handle: string) => ({
    handle,
    label: handle,
    category: 'analytics',
    script_url: 'https://cdn.example.com/a.js',
  });
  const entry = () => ({ vendor_id: ids.vendors, purpose: 'P', legal_basis: 'consent' });
  const decision = { visitor_id: 'v-1', consent_action: 'accept_all' };

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    ids.vendors = (await ask('POST', '/vendors', vendor('kept'))).json.id;
    ids.scripts = (await ask('POST', '/scripts', script('kept'))).json.id;
    ids['data-map'] = (await ask('POST', '/data-map', entry())).json.id;
  });

  /** All data of the plugin API, as text. */
  async function everything(): Promise<string> {
    const { db } = app.platform.datastore;
    const rows = [...TABLES, 'settings', 'consent_daily'].map((table) =>
      db
        .selectFrom(table as 'vendors')
        .selectAll()
        .execute(),
    );
    return JSON.stringify(await Promise.all(rows));
  }

  function expectRefusal({ status, json, text }: Answer, code: string): void {
    expect([status, json]).toEqual([
      500,
      { code, message: expect.stringContaining('Nothing was saved'), data: { status: 500 } },
    ]);
    expect(text).not.toContain('forbidden by the test');
  }

  it('returns 500 create_failed or update_failed, for every create, update and delete, and writes nothing', async () => {
    const before = await everything();
    for (const table of TABLES) await refuse(app, engine, table);
    const logged = app.logged().length;

    expectRefusal(await ask('POST', '/vendors', vendor('new')), 'create_failed');
    expectRefusal(await ask('POST', '/scripts', script('new')), 'create_failed');
    expectRefusal(await ask('POST', '/data-map', entry()), 'create_failed');
    expectRefusal(await app.http.post(`${ROOT}/consent`, { body: decision }), 'create_failed');
    const changes: [string, object][] = [
      [`/vendors/${ids.vendors}`, { purpose: 'changed' }],
      [`/scripts/${ids.scripts}`, { label: 'changed', handle: 'changed' }],
      [`/data-map/${ids['data-map']}`, { purpose: 'changed' }],
      ['/settings', { consent: { title: 'changed' }, dsar: { enabled: false } }],
    ];
    for (const [path, change] of changes) {
      expectRefusal(await ask('PUT', path, change), 'update_failed');
    }
    for (const path of [`/data-map/${ids['data-map']}`, `/scripts/${ids.scripts}`]) {
      expectRefusal(await ask('DELETE', path), 'update_failed');
    }
    expect(app.logged().slice(logged)).toContain('forbidden by the test');

    for (const table of TABLES) await allow(app, engine, table);
    expect(await everything()).toBe(before);
    expect((await app.http.post(`${ROOT}/consent`, { body: decision })).status).toBe(200);
  });

  it('undoes earlier writes of the same request', async () => {
    const before = await everything();
    // Both are written after the row under test.
    for (const table of ['settings', 'consent_daily']) await refuse(app, engine, table);
    const change = { consent: { title: 'changed' }, dsar: { enabled: false } };
    expectRefusal(await ask('PUT', '/settings', change), 'update_failed');
    expectRefusal(await app.http.post(`${ROOT}/consent`, { body: decision }), 'create_failed');
    for (const table of ['settings', 'consent_daily']) await allow(app, engine, table);
    expect(await everything()).toBe(before);
  });

  it('returns 503 service_unavailable with Retry-After while the database is locked', async () => {
    const letGo = await hold(app, engine);
    const { status, json, headers: said } = await ask('POST', '/vendors', vendor('held'));
    await letGo();
    expect([status, json.code]).toEqual([503, 'service_unavailable']);
    expect(Number(said.get('retry-after'))).toBeGreaterThan(0);
    expect((await ask('POST', '/vendors', vendor('held'))).status).toBe(201);
  });

  it('returns 500 on a full disk and 503 on a read-only server, while reads work', async () => {
    if (engine === 'sqlite') {
      await sql`pragma max_page_count = 1`.execute(app.platform.datastore.db);
    } else {
      const name = sql.ref(new URL(app.config.databaseUrl).pathname.slice(1));
      const { db } = app.platform.datastore;
      await sql`alter database ${name} set default_transaction_read_only = on`.execute(db);
      await run(
        app.config.databaseUrl,
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    }
    const isRefusal = ({ status, json }: Answer) =>
      engine === 'sqlite' ? status === 500 : /read-only/.test(json.message ?? '');
    let answer = await ask('POST', '/vendors', vendor('full'));
    // The last pages may have free space, and connections may be cut.
    for (let n = 0; !isRefusal(answer) && n < 50; n++) {
      answer = await ask('POST', '/vendors', vendor(`full-${n}`));
    }
    if (engine === 'sqlite') expectRefusal(answer, 'create_failed');
    else {
      expect([answer.status, answer.json.code]).toEqual([503, 'service_unavailable']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await ask('GET', '/vendors')).status).toBe(200);
  });
});

/** Makes the database refuse every change of a table. */
async function refuse({ platform }: TestApp, engine: Engine, table: string): Promise<void> {
  const { db } = platform.datastore;
  if (engine === 'postgres') {
    await sql`create or replace function refuse() returns trigger language plpgsql as
      'begin raise exception ''forbidden by the test''; end'`.execute(db);
    await sql`create trigger refuse before insert or update or delete on ${sql.table(table)}
      for each statement execute function refuse()`.execute(db);
    return;
  }
  for (const event of ['insert', 'update', 'delete']) {
    await sql`create trigger ${sql.ref(`refuse_${table}_${event}`)} before ${sql.raw(event)}
      on ${sql.table(table)} begin select raise(abort, 'forbidden by the test'); end`.execute(db);
  }
}

async function allow({ platform }: TestApp, engine: Engine, table: string): Promise<void> {
  const { db } = platform.datastore;
  if (engine === 'postgres') {
    await sql`drop trigger refuse on ${sql.table(table)}`.execute(db);
    return;
  }
  for (const event of ['insert', 'update', 'delete']) {
    await sql`drop trigger ${sql.ref(`refuse_${table}_${event}`)}`.execute(db);
  }
}

/** Locks the database against writes. Returns a function that unlocks it. */
async function hold({ config }: TestApp, engine: Engine): Promise<() => Promise<void>> {
  if (engine === 'postgres') {
    const client = new pg.Client({ connectionString: config.databaseUrl });
    await client.connect();
    await client.query('begin; lock table vendors in access exclusive mode');
    return () => client.end();
  }
  const other = new DatabaseSync(config.databaseUrl.slice('sqlite:'.length));
  other.exec('begin immediate');
  return async () => other.close();
}
