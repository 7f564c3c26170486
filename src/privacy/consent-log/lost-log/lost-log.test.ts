import { existsSync, rmSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addForeignFacts,
  copyLog,
  logAll,
  openTestAppender,
  verifyLogOf,
  withLogTables,
} from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { deleteFact } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { createCosigner, splitNote } from '../../../platform/transparency-log/index.ts';
import { logAuditHeads } from '../audit-heads/service.ts';
import {
  describeLogHealth,
  openLog,
  readNewestCheckpoint,
  recordRestore,
  restartLog,
} from '../index.ts';
import { toLogFile } from '../log/open.ts';
import { deleteLog } from '../log/store.ts';
import { NOTED_HEAD, noteHead } from '../noted-head/service.ts';
import { saveWitnessRow } from '../witnesses/store.ts';

const ORIGIN = 'www.example.com/pavis-consent';
describe.each(ENGINES)('A consent log that is lost on %s', (engine) => {
  const app = useTestApp(engine);
  const db = () => app.platform.datastore.db;
  const file = () => toLogFile(app.config.dataDir);

  /** Logs what there is, as the server does. */
  async function log(): Promise<void> {
    await logAll(app);
    const reader = openLog(app.platform, app.config);
    await noteHead(app.platform.datastore, reader).finally(() => reader.close());
  }
  const decide = async (count = 1): Promise<void> => {
    for (let at = 0; at < count; at++) {
      const body = { visitor_id: `visitor-${at}`, consent_action: 'accept_all' };
      const { status } = await app.http.post('/wp-json/svc/v1/consent', { body });
      expect(status).toBe(200);
    }
  };
  const readHead = async () => {
    const reader = openLog(app.platform, app.config);
    return reader.readHead().finally(() => reader.close());
  };

  async function removeLog(): Promise<void> {
    if (engine === 'sqlite') rmSync(file());
    else await withLogTables(app, deleteLog);
  }

  const write = async () => {
    const appender = await openTestAppender(app);
    await appender.append(app.clock.now()).finally(() => appender.close());
  };
  const REFUSED = /does not agree with what the database has noted of it: .*pavis log restart/;
  const readState = async () => {
    const headers = await basicAuth(app.platform);
    return (await app.http.get('/wp-json/svc/v1/consent/log', { headers })).json;
  };
  /** What is said about the log, and that nothing is written to it. */
  async function expectLost(why: RegExp): Promise<void> {
    const before = await readHead();
    await expect(write()).rejects.toThrow(why);
    await expect(write()).rejects.toThrow(REFUSED);
    await expect(describeLogHealth(app.platform, app.config)).rejects.toThrow(REFUSED);
    expect((await readState()).loss).toEqual({
      message: expect.stringMatching(/^The log does not agree with what the database has noted/),
      advice: expect.stringMatching(/^Stop the server .*pavis log restart/),
    });
    const { problems } = await verifyLogOf(app);
    expect(problems).toContainEqual(
      expect.objectContaining({
        kind: 'checkpoint',
        message: expect.stringMatching(/^The log does not agree with .* noted in the database: /),
        advice: expect.stringContaining('pavis log restart'),
      }),
    );
    expect(await recordRestore(app.platform, app.config)).toBe(0);
    expect(await readHead()).toEqual(before);
    if (engine === 'sqlite' && !before) expect(existsSync(file())).toBe(false);
  }

  beforeEach(async () => {
    await decide(3);
    await log();
  });

  it('is not continued without its entries, with fewer or with others, until they are back', async () => {
    const older = await copyLog(app);
    await decide(3);
    await log();
    const complete = await copyLog(app);

    await removeLog();
    await expectLost(/and there is no log/);
    await expect(readNewestCheckpoint(app.platform, app.config)).rejects.toThrow('log is lost');
    const day = new Date(app.clock.now()).toISOString().slice(0, 10);
    const path = `/wp-json/svc/v1/consent/log/bundle?date_from=${day}&date_to=${day}`;
    const bundle = await app.http.get(path, { headers: await basicAuth(app.platform) });
    expect([bundle.status, bundle.json.message]).toEqual([
      409,
      expect.stringMatching(/^The consent log is lost: /),
    ]);
    // Choices are recorded, and logged when the log is back.
    await decide();
    await older();
    await expectLost(/entries were removed, or the log was replaced by an older one/);
    await complete();
    await log();
    const { ok, consent_records, checkpoints } = await verifyLogOf(app);
    expect({ ok, ...consent_records }).toMatchObject({ ok: true, pending: 0, unlogged: 0 });
    expect(checkpoints).toContainEqual(
      expect.objectContaining({ name: 'noted in the database', consistent: true }),
    );
    await expect(restartLog(app.platform, app.config)).rejects.toThrow('is not lost');

    // Written again, with another content of a record.
    const setAction = (action: string) =>
      sql`update consent_records set consent_action = ${action} where id = 2`.execute(db());
    await setAction('reject_all');
    const last = await copyLog(app);
    const noted = await sql<{ value: string }>`select value from installation
      where name = ${NOTED_HEAD}`.execute(db());
    await deleteFact(db(), NOTED_HEAD);
    await removeLog();
    await log();
    await sql`update installation set value = ${noted.rows[0]?.value} where name = ${NOTED_HEAD}`.execute(
      db(),
    );
    await expectLost(/the entries were replaced/);
    await setAction('accept_all');
    await last();
    await log();
    expect((await verifyLogOf(app)).ok).toBe(true);
  });

  it('is not begun again under its name by a writer that has it open', async () => {
    const complete = await copyLog(app);
    const appender = await openTestAppender(app);
    try {
      await decide();
      await appender.append(app.clock.now());
      await decide();
      await withLogTables(app, deleteLog);
      for (let at = 0; at < 2; at++) {
        const appending = appender.append(app.clock.now()).then(({ hasMore }) => {
          if (hasMore) return appender.append(app.clock.now());
          return undefined;
        });
        await expect(appending).rejects.toThrow(/the log has 0 entries, and had \d+ before/);
      }
      expect(await readHead()).toBeUndefined();
    } finally {
      await appender.close();
    }
    await expect(write()).rejects.toThrow(REFUSED);
    await complete();
    await log();
    expect((await verifyLogOf(app)).ok).toBe(true);
  });

  it('contradicts the daily entries as well, if only the note was removed', async () => {
    app.clock.advance(DAY_MS);
    await logAuditHeads(app.platform, []);
    const { rows } = await sql<{ facts: string }>`select facts from consent_log_records
      where kind = 6 order by id desc limit 1`.execute(db());
    expect(JSON.parse(rows[0]?.facts ?? '').consent_log).toEqual({
      origin: ORIGIN,
      size: (await readHead())?.size,
      root: expect.stringMatching(/^.{44}$/),
    });
    await log();
    // The log has grown by this entry only.
    await logAuditHeads(app.platform, []);
    await log();
    const complete = await copyLog(app);
    expect((await verifyLogOf(app)).checkpoints).toMatchObject([
      { name: 'noted in the database' },
      { name: expect.stringMatching(/^stated by log record \d+$/), consistent: true },
    ]);

    await deleteFact(db(), NOTED_HEAD);
    await removeLog();
    await log();
    expect((await verifyLogOf(app)).problems).toMatchObject([
      {
        kind: 'checkpoint',
        message: expect.stringMatching(/stated by log record \d+: the entries were replaced/),
      },
    ]);
    await complete();
    await deleteFact(db(), NOTED_HEAD);
    await log();
    expect((await verifyLogOf(app)).ok).toBe(true);
  });

  /** What a witness says that has cosigned the log as it is. */
  async function cosign() {
    const cosigner = createCosigner('witness.example.org', Buffer.alloc(32, 7));
    const head = await readHead();
    const note = head?.checkpoint ?? '';
    const row = {
      verifier_key: cosigner.verifierKey,
      size: head?.size ?? 0,
      checkpoint: note,
      cosignature: cosigner.cosign(splitNote(note).text, 1_795_000_000),
      cosigned_at: 1,
      ...{ error: null, error_at: null, failures: 0, contradicts: 0 as const },
    };
    await saveWitnessRow(db(), row);
    return row;
  }

  it('contradicts what witnesses have cosigned, of which there are copies', async () => {
    const row = await cosign();
    const readWitness = async () => {
      const { checkpoints, problems } = await verifyLogOf(app, { isDeep: false });
      return {
        compared: checkpoints.filter(({ source }) => source === 'witness'),
        problems: problems.map(({ message }) => message),
      };
    };
    const compared = { name: 'of witness.example.org', source: 'witness', size: row.size };
    expect(await readWitness()).toEqual({
      compared: [{ ...compared, consistent: true }],
      problems: [],
    });
    await saveWitnessRow(db(), { ...row, contradicts: 1 });
    expect((await readWitness()).problems).toEqual([
      'The log does not agree with the checkpoint of witness.example.org: the witness has cosigned entries that are not in this log.',
    ]);
    await saveWitnessRow(db(), { ...row, cosignature: row.cosignature.replace('AA', 'AB') });
    expect((await readWitness()).problems).toHaveLength(1);
    await saveWitnessRow(db(), row);
  });

  it('is replaced by one with another name, which says so, and only if it is lost', async () => {
    const kept = { name: 'kept', note: (await readHead())?.checkpoint ?? '' };
    await expect(restartLog(app.platform, app.config)).rejects.toThrow('is not lost');
    const size = (await readHead())?.size;
    const older = await copyLog(app);
    await decide();
    await log();
    const { verifier_key: key, size: cosigned } = await cosign();
    const headers = await basicAuth(app.platform);
    const witness = { url: 'https://witness.example.org', key };
    const body = { consent_log: { witnesses: [witness] } };
    await app.http.request('PUT', '/wp-json/svc/v1/settings', { headers, body });
    const { verifier_key: lostKey, lost_logs: none, witnesses } = await readState();
    expect(none).toEqual([]);
    expect(witnesses).toMatchObject([{ size: cosigned, cosigned_at: expect.any(String) }]);
    await older();
    await decide();

    const { lost, origin, aside } = await restartLog(app.platform, app.config);
    expect(lost).toMatchObject({ origin: ORIGIN, size: (size ?? 0) + 1 });
    expect(origin).toMatch(/^www\.example\.com\/pavis-consent-20261122T\d{6}Z$/);
    expect(aside === undefined ? 'none' : existsSync(aside)).toBe(engine === 'sqlite' || 'none');
    await log();
    expect(await readHead()).toMatchObject({ origin });
    const state = await readState();
    expect(state).toMatchObject({ origin, loss: null, not_logged: 0, restores: [] });
    // That of the lost log is not one of this log.
    expect(state.cosigned_checkpoint).toBeNull();
    expect(state.witnesses).toMatchObject([{ size: null, cosigned_at: null, error: null }]);
    expect(state.lost_logs).toEqual([
      {
        ...{ origin: ORIGIN, size: lost.size, verifier_key: lostKey },
        replaced_at: new Date(app.clock.now()).toISOString(),
      },
    ]);
    const records = Number(
      (await sql<{ count: number }>`select count(*) as count from consent_records`.execute(db()))
        .rows[0]?.count,
    );
    const report = await verifyLogOf(app);
    expect(report).toMatchObject({
      ok: true,
      origin,
      lost_logs: [{ origin: ORIGIN, size: lost.size }],
      consent_records: { earlier: records, intact: 0 },
    });
    // Checkpoints of the lost log stay what they are.
    expect((await verifyLogOf(app, { against: [kept] })).problems).toMatchObject([
      {
        kind: 'checkpoint',
        message: expect.stringContaining(`It is of the log ${ORIGIN}`),
        advice: expect.stringContaining('was lost and replaced'),
      },
    ]);
    await decide();
    await log();
    expect((await verifyLogOf(app)).consent_records).toMatchObject({
      earlier: records,
      intact: 1,
    });
  });

  it('is no obstacle if someone has added a statement of a loss', async () => {
    const named = { lost: { origin: 'no name', size: 1, root: '' }, origin: 'no name' };
    for (const facts of ['no JSON', 'null', '7', JSON.stringify(named)])
      await addForeignFacts(app, 9, facts);
    const size = Number((await readHead())?.size);
    await log();
    expect((await readHead())?.size).toBe(size + 4);
    expect((await readState()).origin).toBe((await readHead())?.origin);
  });
});
