import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { logAll, verifyLogOf } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import {
  insertTestScan,
  makeBanner,
  makeStateVisit,
  saveVisit,
} from '../../../../test/support/scan-visits.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import type { Evidence, Observation } from '../observation.ts';

const ROOT = '/wp-json/svc/v1';
const SITE = 'https://shop.example';
/** Few enough to be read together, and more. */
const PAGES = 60;

const script: Observation = {
  sources: ['network'],
  consentState: 'before',
  frameUrl: `${SITE}/`,
  blockedUntilConsent: false,
  evidence: [{ state: 'before', url: `${SITE}/`, at: 12 } as Evidence],
  kind: 'script',
  url: 'https://static.hotjar.com/c/hotjar-1.js',
  method: 'GET',
};

/** A different value of the same type. */
function toAnother(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from('other bytes');
  return typeof value === 'number' ? value + 1 : `${value}x`;
}

describe.each(ENGINES)('What the consent log has of scans on %s', (engine) => {
  const app = useTestApp(engine, { PAVIS_SITE_URL: SITE, PAVIS_CHROMIUM: 'off' });
  const db = () => app.platform.datastore.db;
  let headers: Record<string, string>;
  const ask = (method: string, path: string, body?: object) =>
    app.http.request(method, ROOT + path, { headers, ...(body && { body }) });

  /** A completed scan with findings, visits and pictures. */
  async function scan(pages = 2): Promise<number> {
    const id = await insertTestScan(app.platform, SITE, ['before']);
    for (let page = 0; page < pages; page++) {
      const picture = Buffer.from(`JPEG ${id} of page ${page}`);
      const visits = [makeStateVisit('before', { picture, banner: makeBanner() })];
      await saveVisit(app.platform, id, { url: `${SITE}/${page}`, observations: [script], visits });
    }
    app.clock.advance(1_000);
    await app.http.post(`${ROOT}/scanner/complete`, { headers, body: { scan_id: id } });
    await logAll(app);
    return id;
  }
  /** The messages of a verification. */
  const verify = async (isDeep = true): Promise<string[]> => {
    await logAll(app);
    const { problems } = await verifyLogOf(app, { isDeep });
    return problems.map(({ kind, message }) => `${kind}: ${message}`);
  };
  const changed = (id: number, part: string) => [
    `altered: Scan ${id} (${part}) does not match the log: it was changed after being logged.`,
  ];

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
  });

  it('is found changed, whatever SQL changes, adds or removes', async () => {
    const id = await scan(PAGES);
    expect(await verify()).toEqual([]);
    const tables = {
      scans: ['record', 'id', ['engine', 'completed_at']],
      scan_pages: ['pages', 'scan_id', ['url', 'http_status']],
      scan_findings: ['findings', 'scan_id', ['verdicts', 'vendor_id']],
      scan_visits: ['visits', 'scan_id', ['recording', 'signals']],
    } as const;
    for (const [table, [part, owner, columns]] of Object.entries(tables)) {
      const from = sql.table(table);
      const [row] = (
        await sql<Record<string, unknown> & { id: number }>`select * from ${from}
        where ${sql.ref(owner)} = ${id} order by id desc limit 1`.execute(db())
      ).rows;
      if (!row) throw new Error(`no row in ${table}`);
      const set = (column: string, value: unknown) =>
        sql`update ${from} set ${sql.ref(column)} = ${value} where id = ${row.id}`.execute(db());
      for (const column of columns) {
        const old = row[column];
        await set(column, toAnother(old));
        expect([column, await verify()]).toEqual([column, changed(id, part)]);
        await set(column, old);
      }
    }
    expect(await verify(false)).toEqual([]);

    const { rows } = await sql<{ id: number }>`select id from scan_findings
      where scan_id = ${id} order by id limit 1`.execute(db());
    await sql`delete from scan_findings where id = ${rows[0]?.id}`.execute(db());
    expect(await verify()).toEqual(changed(id, 'findings'));
    await sql`insert into scan_findings
      (id, scan_id, page_id, thing, resource_type, url, host, third_party, name, consent_state, needs_consent, blocked,
        sources, details, first_seen)
      select -1, scan_id, page_id, 'x', resource_type, url, host, third_party, name, consent_state, needs_consent,
        blocked, sources, details, first_seen from scan_findings where scan_id = ${id} limit 1`.execute(
      db(),
    );
    expect(await verify()).toEqual(changed(id, 'findings'));
    expect((await ask('DELETE', `/scanner/scans/${id}`)).status).toBe(200);
    expect(await verify()).toEqual([]);
  });

  it('has pictures by their hash, which may be gone but not be others', async () => {
    const id = await scan();
    const setPicture = (picture: Buffer | null) =>
      sql`update scan_visits set picture = ${picture} where scan_id = ${id}`.execute(db());
    await setPicture(Buffer.from('another picture'));
    expect(await verify()).toEqual(changed(id, 'pictures'));
    await setPicture(null);
    expect(await verify()).toEqual([]);
  });

  it('does not change with what happens after a scan', async () => {
    const id = await scan();
    await ask('POST', '/scanner/decisions', { scan_id: id, decision: 'blocked' });
    await ask('POST', '/scanner/decisions', {
      scan_id: id,
      decision: 'ignored',
      reason: 'Tested.',
    });
    const { vendors } = (await ask('GET', `/scanner/results/${id}`)).json;
    expect(vendors).toHaveLength(1);
    await db().deleteFrom('vendors').where('id', '=', vendors[0].vendor_id).execute();
    // Retention can anonymise scans, which changes nothing but this time.
    await db().updateTable('scans').set({ anonymised_at: 1 }).where('id', '=', id).execute();
    for (let at = 0; at < 31; at++) {
      const later = await insertTestScan(app.platform, SITE, ['before']);
      app.clock.advance(1_000);
      await app.http.post(`${ROOT}/scanner/complete`, { headers, body: { scan_id: later } });
    }
    app.clock.advance(DAY_MS);
    const { json: visits } = await ask('GET', `/scanner/scans/${id}/visits`);
    expect(visits[0].has_picture).toBe(false);
    expect(await verify()).toEqual([]);
  });

  it('is found missing if SQL deletes a scan, and not if a user or retention does', async () => {
    const [byUser, byPolicy, bySql] = [await scan(), await scan(), await scan()];
    await ask('DELETE', `/scanner/scans/${byUser}`);
    await db().updateTable('scans').set({ started_at: 1 }).where('id', '=', byPolicy).execute();
    // Not compared without the contents.
    expect(await verify(false)).toEqual([]);
    const run = await ask('POST', '/retention/run', { dry_run: false });
    expect(run.json.total_affected).toBe(1);
    expect(await verify()).toEqual([]);

    await sql`delete from scans where id = ${bySql}`.execute(db());
    const missing = `missing: Scan ${bySql} is missing: no logged run and no user of Pavis has deleted it.`;
    for (const isDeep of [true, false]) expect(await verify(isDeep)).toEqual([missing]);
  });
});
