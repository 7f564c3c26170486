import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
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
import { systemClock } from '../../../platform/clock.ts';
import { DAY_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { createCosigner, splitNote } from '../../../platform/transparency-log/index.ts';
import { insertPictures } from '../../consent/pictures/store.ts';
import { appendConsentVersion } from '../../settings/store.ts';
import { openLog } from '../index.ts';
import { deleteLog, insertRange } from '../log/store.ts';
import type { LogDb, LogRange } from '../log/tables.ts';
import type { KeptCheckpoint } from './checkpoints.ts';
import { checkRanges } from './ranges.ts';
import { listRangesAfter } from './store.ts';

const RECORDS = 600;
/** Of the records, those that retention anonymises. */
const EXPIRED = 100;

describe.each(ENGINES)('verifying a damaged consent log on %s', (engine) => {
  const app = useTestApp(engine);
  const db = () => app.platform.datastore.db;

  const verify = (against: KeptCheckpoint[] = [], isDeep = true, threads = 0) =>
    verifyLogOf(app, { isDeep, against, threads });

  /** Damages the log, verifies, and puts the log back. */
  async function verifyDamaged(damage: (log: LogDb) => Promise<unknown>) {
    const putBack = await copyLog(app);
    await withLogTables(app, damage);
    const report = await verify();
    await putBack();
    return report;
  }

  const readCheckpoint = async () => {
    const log = openLog(app.platform, app.config);
    const head = await log.readHead().finally(() => log.close());
    return head?.checkpoint ?? '';
  };

  beforeAll(async () => {
    const at = app.clock.now() - DAY_MS;
    await sql`insert into consent_records
      (visitor_id, categories_accepted, categories_rejected, consent_action, day, created_at, config_version,
        expires_at, source, language, page_url, gpc, salt)
      values ${sql.join(
        Array.from(
          { length: RECORDS },
          (
            _,
            n,
          ) => sql`(${`visitor-${n}`}, '["functional"]', '["analytics"]', 'manage', '2026-11-20',
            ${at}, 1, ${n < EXPIRED ? at - 800 * DAY_MS : at + DAY_MS}, 'banner', 'en', null, 0,
            ${Buffer.alloc(16, n)})`,
        ),
      )}`.execute(db());
    const version = { config: { privacy_url: '/privacy' }, asked: {}, askedSince: null };
    await app.platform.datastore.transaction((trx) =>
      appendConsentVersion(trx, version as never, at),
    );
    await logAll(app);
  });

  it('finds no problem in an intact log, with and without threads and contents', async () => {
    const intact = { ok: true, problems: [], consent_records: { intact: RECORDS, present: 0 } };
    expect(await verify()).toMatchObject(intact);
    expect(await verify([], true, 2)).toMatchObject(intact);
    expect(await verify([], false)).toMatchObject({
      ok: true,
      consent_records: { intact: 0, present: RECORDS },
    });
  });

  it('finds records that are missing without comparing contents', async () => {
    const [row] = (await sql`select * from consent_records where id = 300`.execute(db())).rows;
    await sql`delete from consent_records where id = 300`.execute(db());
    expect((await verify([], false)).problems).toMatchObject([
      { kind: 'missing', first_id: 300, last_id: 300 },
    ]);
    await db()
      .insertInto('consent_records')
      .values(row as never)
      .execute();
  });

  it('finds a log that was truncated, changed or removed', async () => {
    const damages: Record<string, (log: LogDb) => Promise<unknown>> = {
      'an entry': (log) =>
        log
          .updateTable('consent_log_bundles')
          .set({ entries: Buffer.alloc(256 * 34, 1) })
          .where('number', '=', 1)
          .execute(),
      'a bundle': (log) => log.deleteFrom('consent_log_bundles').where('number', '=', 2).execute(),
      'a tile': (log) =>
        log
          .updateTable('consent_log_tiles')
          .set({ hashes: Buffer.alloc(64) })
          .execute(),
      'no tiles': (log) => log.deleteFrom('consent_log_tiles').execute(),
      'a range': (log) =>
        sql`update consent_log_ranges set count = count - 1 where source = 1`.execute(log),
      'no ranges': (log) => log.deleteFrom('consent_log_ranges').execute(),
      'a smaller size': (log) => log.updateTable('consent_log_head').set({ size: 256 }).execute(),
      'a root': (log) =>
        log
          .updateTable('consent_log_head')
          .set({ root: Buffer.alloc(32) })
          .execute(),
      'a signature': (log) =>
        sql`update consent_log_head set checkpoint = replace(checkpoint, 'AA', 'AB') || 'x'`.execute(
          log,
        ),
      'no head': (log) => log.deleteFrom('consent_log_head').execute(),
    };
    for (const [name, damage] of Object.entries(damages)) {
      expect([name, (await verifyDamaged(damage)).ok]).toEqual([name, false]);
    }
    expect((await verify()).ok).toBe(true);
  });

  it('does not compare ranges that the log got after its size was read', async () => {
    const putBack = await copyLog(app);
    await withLogTables(app, async (log) => {
      expect(await checkRanges(log, 600)).toBeUndefined();
      // Of the range that was read last, and of one behind it.
      const [last] = await listRangesAfter(log, -1, 1);
      await insertRange(log, { ...(last as LogRange), first_index: 650, first_id: 900, count: 5 });
      expect(await checkRanges(log, 600)).toBeUndefined();
      expect(await checkRanges(log, 655)).toContain('belong to no row');
    });
    await putBack();
  });

  it('finds changed facts, and does not trust runs that were not logged', async () => {
    const [fact] = (
      await sql<{ id: number; facts: string }>`select * from consent_log_records
      order by id limit 1`.execute(db())
    ).rows;
    const setFacts = (facts: string) =>
      sql`update consent_log_records set facts = ${facts} where id = ${fact?.id}`.execute(db());
    await setFacts('{}');
    expect((await verify()).problems[0]).toMatchObject({ kind: 'altered', subject: 'log_record' });
    await setFacts(fact?.facts ?? '');
    expect((await verify()).ok).toBe(true);
  });

  it('reports facts that Pavis does not write, and is not stopped by them', async () => {
    const putBack = await copyLog(app);
    const at = app.clock.now();
    const moment = new Date(at).toISOString();
    const foreign = [
      [2, 'no JSON'],
      [4, `{"scan":1,"created_at":"${moment}","pages":{"columns":["no_such_column"],"count":1}}`],
      [6, `{"logs":[{"log":"no_such_table","columns":[],"count":1}],"created_at":"${moment}"}`],
      [6, `{"consent_log":{"origin":1},"created_at":"${moment}"}`],
      [8, 'null'],
      // They explain nothing.
      [3, `{"action":"delete","ids":[[1,"2"]],"created_at":"${moment}"}`],
      [5, `{"table":"consent_records","ids":7,"created_at":"${moment}"}`],
    ] as const;
    const ids: number[] = [];
    for (const [kind, facts] of foreign) {
      const row = { kind, facts, created_at: at };
      const added = db().insertInto('consent_log_records').values(row).returning('id');
      ids.push((await added.executeTakeFirstOrThrow()).id);
    }
    await logAll(app);
    const { problems } = await verify();
    const notOurs = ids.slice(0, 5).filter((_, index) => index !== 1);
    expect(problems.map(({ message }) => message)).toEqual([
      `Log record ${ids[0]} states something that Pavis does not write: it was added outside of Pavis.`,
      'Scan 1 is missing: no logged run and no user of Pavis has deleted it.',
      ...notOurs
        .slice(1)
        .map(
          (id) =>
            `Log record ${id} states something that Pavis does not write: it was added outside of Pavis.`,
        ),
    ]);
    await sql`delete from consent_log_records where id >= ${ids[0]}`.execute(db());
    await putBack();
    expect((await verify()).ok).toBe(true);
  });

  it('finds banner versions and pictures that were changed or added', async () => {
    const { version } = await db()
      .selectFrom('consent_configs')
      .selectAll()
      .executeTakeFirstOrThrow();
    const name = `Banner version ${version}`;
    const setText = (from: string, to: string) =>
      sql`update consent_configs set config = replace(config, ${from}, ${to})`.execute(db());
    await setText('privacy', 'Privacy');
    for (const isDeep of [true, false]) {
      expect((await verify([], isDeep)).problems).toMatchObject([
        { kind: 'altered', message: expect.stringContaining(`${name} does not match the log`) },
      ]);
    }
    await setText('Privacy', 'privacy');
    await sql`insert into consent_configs (version, hash, config, created_at)
      values (77, 'x', '{}', 1)`.execute(db());
    expect((await verify()).problems).toMatchObject([
      { kind: 'unlogged', message: 'Banner version 77 has no entry in the log.' },
    ]);
    await sql`delete from consent_configs where version = 77`.execute(db());
    expect((await verify()).ok).toBe(true);

    const picture = { language: 'en', layer: 'banner', viewport: 'phone', scheme: 'light' };
    const png = Buffer.from('a picture');
    const sha256 = hash('sha256', png);
    const taken = { ...picture, shown_hash: 'x', build_hash: 'y', sha256, taken_at: 1 };
    await app.platform.datastore.transaction((trx) =>
      insertPictures(trx, version, [taken], { files: new Map([[sha256, png]]), at: 1 }),
    );
    await logAll(app);
    expect(await verify()).toMatchObject({ ok: true, problems: [] });
    await sql`update banner_picture_files set png = ${Buffer.from('another')}`.execute(db());
    expect((await verify()).problems).toMatchObject([{ kind: 'altered', subject: 'log_record' }]);
    await sql`update banner_picture_files set png = ${png}`.execute(db());
  });

  it('takes no record for pending that can get no entry', async () => {
    const now = app.clock.now();
    const insert = (id: number, created: number, anonymised: number | null) =>
      sql`insert into consent_records (id, visitor_id, categories_accepted, categories_rejected,
          consent_action, day, created_at, expires_at, anonymised_at, personal_hash)
        values (${id}, 'forged', '["analytics"]', '[]', 'accept_all', '2025-03-01', ${created},
          ${now}, ${anonymised}, ${Buffer.alloc(32)})`.execute(db());
    const headers = await basicAuth(app.platform);
    const readState = async (id: number) => {
      const path = `/wp-json/svc/v1/consent/records/${id}/log-state`;
      return (await app.http.get(path, { headers })).json.state;
    };
    const putBack = await copyLog(app);
    await insert(9_000, now, null);
    await logAll(app);
    const inFuture = Date.parse('3000-01-01');
    // Ids that Pavis does not give out, one that was passed over, and a time that has not come.
    await insert(-5, now - 600 * DAY_MS, inFuture);
    await insert(-4, now, null);
    await insert(700, now, null);
    await insert(9_001, inFuture, null);
    await insert(9_002, now, null);
    // On PostgreSQL, a row can be committed after others with higher ids.
    const isLate = engine === 'postgres';
    const unlogged = [-5, -4, ...(isLate ? [] : [700]), 9_001];
    for (const isDeep of [true, false]) {
      const { consent_records, problems } = await verify([], isDeep);
      expect(consent_records).toMatchObject({ pending: isLate ? 2 : 1, unlogged: unlogged.length });
      expect(
        problems
          .filter(({ kind }) => kind === 'unlogged')
          .flatMap(({ first_id, last_id }) => [...new Set([first_id, last_id])]),
      ).toEqual(unlogged);
    }
    expect(await Promise.all([700, 9_001, 9_002].map(readState))).toEqual([
      isLate ? 'pending' : 'unlogged',
      'unlogged',
      'pending',
    ]);
    await sql`delete from consent_records where id < 1 or id > ${RECORDS}`.execute(db());
    await putBack();
    expect((await verify()).ok).toBe(true);
  });

  it('takes a record for pending that was added minutes after the verification began', async () => {
    const now = systemClock.now();
    await sql`insert into consent_records (id, visitor_id, categories_accepted, categories_rejected,
        consent_action, day, created_at, expires_at)
      values (9000, 'late', '[]', '[]', 'reject_all', '2026-11-21', ${now}, ${now})`.execute(db());
    const clock = { ...systemClock, now: () => now - 6 * MINUTE_MS };
    const { config, platform } = app;
    const report = await verifyLogOf({ config, platform: { ...platform, clock } });
    expect(report).toMatchObject({ ok: true, consent_records: { pending: 1, unlogged: 0 } });
    await sql`delete from consent_records where id = 9000`.execute(db());
  });

  it('finds nothing wrong after retention', async () => {
    const headers = await basicAuth(app.platform);
    const run = await app.http.request('POST', '/wp-json/svc/v1/retention/run', {
      headers,
      body: { dry_run: false },
    });
    expect(run.json.total_affected).toBeGreaterThanOrEqual(EXPIRED);
    // Before and after the run is logged.
    const anonymised = { anonymised: EXPIRED, intact: RECORDS - EXPIRED };
    expect(await verify()).toMatchObject({ ok: true, consent_records: anonymised });
    await logAll(app);
    expect(await verify()).toMatchObject({ ok: true, consent_records: anonymised });
    expect(await verify([], false)).toMatchObject({
      ok: true,
      consent_records: { anonymised: EXPIRED },
    });

    await sql`update consent_records set page_url = 'https://www.example.com/' where id = 1`.execute(
      db(),
    );
    await sql`update consent_records set consent_action = 'accept_all' where id = 2`.execute(db());
    expect((await verify()).problems).toMatchObject([{ kind: 'altered', first_id: 1, last_id: 2 }]);
    await sql`update consent_records set page_url = null where id = 1`.execute(db());
    await sql`update consent_records set consent_action = 'manage' where id = 2`.execute(db());

    // What anonymising never leaves in a record.
    const day = DAY_MS;
    const changes: [id: number, column: string, value: RawBuilder<unknown>][] = [
      [3, 'visitor_id', sql`'visitor-7'`],
      [4, 'visitor_id', sql`'anonymised-visitor-7'`],
      [5, 'created_at', sql`created_at + 1`],
      [6, 'created_at', sql`created_at - ${3 * day}`],
      [7, 'created_at', sql`created_at + ${2 * day}`],
      [8, 'expires_at', sql`expires_at + 1000`],
      [9, 'anonymised_at', sql`null`],
    ];
    const set = (id: number, column: string, value: RawBuilder<unknown>) =>
      sql`update consent_records set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db());
    const { rows } = await sql<Record<string, unknown>>`select * from consent_records
      where id <= 9 order by id`.execute(db());
    for (const change of changes) await set(...change);
    expect((await verify()).problems).toMatchObject([{ kind: 'altered', first_id: 3, last_id: 9 }]);
    const state = await app.http.get('/wp-json/svc/v1/consent/records/3/log-state', { headers });
    expect(state.json.state).toBe('altered');
    for (const [id, column] of changes) await set(id, column, sql`${rows[id - 1]?.[column]}`);
    expect((await verify()).ok).toBe(true);
  });

  it('finds a log that was recomputed with the stolen key only with a kept or witnessed checkpoint', async () => {
    const kept = { name: 'mailed', note: await readCheckpoint() };
    const cosigner = createCosigner('witness.example.org', Buffer.alloc(32, 7));
    const { text } = splitNote(kept.note);
    const witnessed = {
      name: 'witness.example.org',
      note: `${text}\n${cosigner.cosign(text, 1_795_000_000)}`,
      witnessKey: cosigner.verifierKey,
    };
    expect(await verify([kept, witnessed])).toMatchObject({ ok: true });
    await sql`update consent_records set consent_action = 'accept_all' where id = 400`.execute(
      db(),
    );
    await withLogTables(app, deleteLog);
    await logAll(app);
    expect(await verify()).toMatchObject({ ok: true, problems: [] });
    expect((await verify([kept])).problems).toMatchObject([{ kind: 'checkpoint' }]);
    expect((await verify([witnessed])).problems).toMatchObject([{ kind: 'checkpoint' }]);
  });
});
