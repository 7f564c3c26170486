import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  changeEntry,
  copyLog,
  logAll,
  toAppenderOrder,
  verifyLogOf,
  withLogTables,
} from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { unzip } from '../../../../test/support/unzip.ts';
import { verifyBundle } from '../../../../web/receipt-verifier/bundle.ts';
import { deleteFact, recordFact } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { computeRoot, parseProof } from '../../../platform/transparency-log/index.ts';
import { describeLogHealth, openLog, proveRecord, restartLog } from '../index.ts';
import { LogLossError } from '../lost-log/service.ts';
import { toNotedFacts } from '../noted-head/rules.ts';
import { NOTED_HEAD, noteHead } from '../noted-head/service.ts';
import { openAppender } from '../sequencer/open.ts';
import { Sequencer } from '../sequencer/sequencer.ts';
import { toLogFile } from './open.ts';

const ROOT = '/wp-json/svc/v1/consent';
/** With the entries of the banner version and of a choice, more than two bundles. */
const RECORDS = 600;

describe.each(ENGINES)('A damaged consent log on %s', (engine) => {
  const app = useTestApp(engine);
  const visitor = randomUUID();
  let headers: Record<string, string>;
  let repair: () => Promise<void>;
  /** Of the choice of the visitor. */
  let record: number;
  let index: number;

  const get = (path: string, more: Record<string, string> = headers) =>
    app.http.get(`${ROOT}${path}`, { headers: more });
  const removeBundle = () =>
    withLogTables(app, async (log) => {
      await log.deleteFrom('consent_log_bundles').where('number', '=', 0).execute();
    });
  async function readBundle() {
    const query = 'date_from=2026-11-21&date_to=2026-11-21';
    const answer = await fetch(`${app.url}${ROOT}/log/bundle?${query}`, { headers });
    const archive = Buffer.from(await answer.arrayBuffer());
    const manifest = JSON.parse(String(unzip(archive).get('manifest.json')));
    const { notLogged } = await verifyBundle(new Blob([new Uint8Array(archive)]), []);
    return { ...manifest.records, notLogged };
  }

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    const body = { visitor_id: visitor, consent_action: 'accept_all' };
    record = (await app.http.post(ROOT, { body })).json.id;
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
    const proof = await fetch(`${app.url}${ROOT}/records/${record}/proof`, { headers });
    ({ index } = parseProof(await proof.text()));
  });
  afterEach(() => repair());

  it.each([['/records/50/log-state'], ['/log/tile/0/000'], ['/log/tile/entries/000']])(
    'that lacks a bundle is named by %s, with what to do',
    async (path) => {
      await removeBundle();
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
    },
  );

  it.each([
    ['lacks a bundle', removeBundle, 256],
    ['has another entry in place of theirs', () => changeEntry(app, index), 255],
    ['has another entry in their path', () => changeEntry(app, index + (index % 2 ? -1 : 1)), 255],
  ])('that %s proves none of these records', async (_, damage, most) => {
    await damage();
    for (const path of [`/records/${record}/proof`, `/receipt?visitor_id=${visitor}`]) {
      const { status, json } = await get(path);
      expect([path, status, json?.code]).toEqual([path, 503, 'log_damaged']);
    }
    const page = await get(`/receipt?visitor_id=${visitor}`, {
      accept: 'text/html',
      'accept-language': 'de',
    });
    expect([page.status, page.text]).toEqual([
      503,
      expect.stringContaining('Das Protokoll, in dem Ihre Entscheidung steht, ist beschädigt.'),
    ]);
    const proving = proveRecord(app.platform, app.config, record);
    await expect(proving).rejects.toThrow(/log is damaged.*pavis log verify/);
    const { total, proven, unproven, altered, notLogged } = await readBundle();
    expect({ total, altered, notLogged }).toEqual({
      total: RECORDS + 1,
      altered: 0,
      notLogged: unproven,
    });
    expect(proven + unproven).toBe(total);
    expect(unproven).toBeGreaterThan(most - 5);
    expect(unproven).toBeLessThanOrEqual(256);
  });

  it.runIf(engine === 'sqlite')('is one with texts in place of bytes', async () => {
    await noteFullBundles();
    await withLogTables(app, async (log) => {
      await sql`update consent_log_bundles set entries = 'text'`.execute(log);
      await sql`update consent_log_head set root = 'text'`.execute(log);
    });
    expect((await get('/log/tile/0/000')).json).toMatchObject({ code: 'log_damaged' });
    expect((await get('/log')).status).toBe(200);
    expect((await verifyLogOf(app)).ok).toBe(false);
    await expect(describeLogHealth(app.platform, app.config)).rejects.toThrow('pavis log restart');
  });

  it('proves the entries of its other bundles', async () => {
    await removeBundle();
    expect((await get('/records/400/log-state')).json).toMatchObject({ state: 'intact' });
    expect((await get('/records/590/log-state')).json).toMatchObject({ state: 'intact' });
    expect((await get('/log/tile/0/001')).status).toBe(200);
    await expect(proveRecord(app.platform, app.config, 400)).resolves.toMatchObject({ size: 602 });
  });

  it('is verified as far as its entries can be read', async () => {
    await removeBundle();
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
    expect((await get('/records/50/log-state')).json).toMatchObject({ state: 'intact' });
  });

  /** Has the database note a state of the log for which no bundle is read: that of full ones. */
  async function noteFullBundles(): Promise<void> {
    const log = openLog(app.platform, app.config);
    const size = 512;
    const root = await computeRoot(log.readTile, size).finally(() => log.close());
    const noted = JSON.stringify(toNotedFacts({ origin: toAppenderOrder(app).origin, size, root }));
    await app.platform.datastore.transaction((trx) => recordFact(trx, NOTED_HEAD, noted));
  }

  const rename = (from: string, to: string) =>
    withLogTables(app, (log) =>
      sql`alter table consent_log_bundles rename ${sql.ref(from)} to ${sql.ref(to)}`.execute(log),
    );

  it('is not what a log is called that cannot be read for another reason', async () => {
    const { platform, config } = app;
    await noteFullBundles();
    await rename('entries', 'moved');
    try {
      const refused = /no such column|does not exist/;
      await expect(restartLog(platform, config)).rejects.toThrow(refused);
      await expect(describeLogHealth(platform, config)).rejects.toThrow(refused);
      const order = { ...toAppenderOrder(app), checksEntries: true };
      await expect(openAppender(order)).rejects.not.toBeInstanceOf(LogLossError);
      expect((await get('/log')).json).toMatchObject({ size: 602, loss: null });
      expect((await verifyLogOf(app)).problems).toContainEqual(
        expect.objectContaining({ message: expect.stringMatching(/cannot be read as a whole: /) }),
      );
    } finally {
      await rename('moved', 'entries');
    }
    await expect(restartLog(platform, config)).rejects.toThrow('is not lost');
  });

  it('that was changed inside is not written after the start, and can be replaced', async () => {
    const { platform, config } = app;
    const log = openLog(platform, config);
    await noteHead(platform.datastore, log);
    const sequencer = new Sequencer(platform, log, () => toAppenderOrder(app));
    try {
      await expect(restartLog(platform, config)).rejects.toThrow('is not lost');
      await changeEntry(app, index);
      const head = await log.readHead();
      await app.http.post(ROOT, { body: { visitor_id: 'later', consent_action: 'accept_all' } });
      sequencer.start();
      await vi.waitFor(() => expect(sequencer.loss).toBeDefined(), { timeout: 20_000 });
      expect(sequencer.loss?.message).toMatch(/^The log does not agree .* not match /);
      expect(sequencer.failure?.message).toContain('pavis log restart');
      expect(await log.readHead()).toEqual(head);
      await expect(describeLogHealth(platform, config)).rejects.toThrow('pavis log restart');
      // A later failure says nothing about the entries.
      await rename('entries', 'moved');
      app.clock.advance(60_000);
      const refused = /no such column|does not exist/;
      await vi.waitFor(() => expect(sequencer.failure?.message).toMatch(refused), 20_000);
      await rename('moved', 'entries');
      expect(sequencer.loss).toBeDefined();
      const { origin } = await restartLog(platform, config);
      app.clock.advance(10_000);
      await vi.waitFor(async () => expect(await log.readHead()).toMatchObject({ origin }), {
        timeout: 20_000,
      });
      await vi.waitFor(() =>
        expect([sequencer.loss, sequencer.failure]).toEqual([undefined, undefined]),
      );
    } finally {
      await sequencer.stop();
      await sequencer.close();
      await log.close();
    }
  });

  it('that has got a name that no log can have is reported', async () => {
    const { platform, config } = app;
    await noteFullBundles();
    await withLogTables(app, (log) =>
      log.updateTable('consent_log_head').set({ origin: 'no name' }).execute().then(),
    );
    const read = async () => (await get('/log')).json;
    const { origin } = toAppenderOrder(app);
    expect(await read()).toMatchObject({
      origin,
      loss: { message: expect.stringContaining('this one is no name') },
    });
    const verify = async () => (await verifyLogOf(app)).problems.map(({ message }) => message);
    const named = 'The log has a name that no log can have: no name.';
    expect(await verify()).toContain(named);
    // Without the note, the thread that writes the log says so.
    await deleteFact(platform.datastore.db, NOTED_HEAD);
    expect(await read()).toMatchObject({ size: 602, loss: null });
    expect(await verify()).toContain(named);
    await expect(describeLogHealth(platform, config)).rejects.toThrow('no valid signature');
  });

  it.runIf(engine === 'sqlite')('can be replaced if a part of its file is unreadable', async () => {
    await noteFullBundles();
    await withLogTables(app, async (log) => {
      const { rows } = await sql<{ rootpage: number; page_size: number }>`select rootpage, page_size
        from sqlite_schema, pragma_page_size where name = 'consent_log_bundles'`.execute(log);
      await sql`pragma wal_checkpoint(truncate)`.execute(log);
      const { rootpage = 0, page_size: size = 0 } = rows[0] ?? {};
      const file = openSync(toLogFile(app.config.dataDir), 'r+');
      writeSync(file, Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size);
      closeSync(file);
    });
    await expect(describeLogHealth(app.platform, app.config)).rejects.toThrow('malformed');
    const { aside } = await restartLog(app.platform, app.config);
    expect(existsSync(aside ?? '')).toBe(true);
  });
});
