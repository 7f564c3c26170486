import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { logAll, verifyLogOf } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { PERSONAL_DATA } from '../../../modules/personal-data.ts';
import { erasePerson, type RetentionAction } from '../../../personal-data/index.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { consentRecords } from '../../consent/index.ts';
import { runRetention } from '../../retention/index.ts';
import { insertPolicy } from '../../retention/store.ts';
import { toEntryColumns } from '../entries/columns.ts';
import type { RawRow } from '../entries/encoding.ts';
import { createRecordEntries, toFactsEntry } from '../entries/entries.ts';
import { selectFacts, selectRecord } from '../entries/store.ts';
import { toRanges } from './rules.ts';

const ROOT = '/wp-json/svc/v1';
const SCOPE = { personalData: PERSONAL_DATA, timeZone: 'Europe/London' };
const columns = toEntryColumns(consentRecords);
const toEntry = createRecordEntries(columns, 0);

interface RemovalFacts {
  action: RetentionAction;
  cause: string;
  run?: number;
  policy?: number;
  ids: [number, number][];
  count: number;
}

describe.each(ENGINES)('Removing consent records on %s', (engine) => {
  const app = useTestApp(engine);
  const db = () => app.platform.datastore.db;

  const readRows = async () => {
    const { rows } = await sql<RawRow & { id: number; visitor_id: string; salt: Uint8Array }>`
      select ${selectRecord(db(), columns)} from consent_records order by id`.execute(db());
    return rows;
  };
  /** The entries of the records that there are, by id. */
  const readEntries = async () =>
    new Map((await readRows()).map((row) => [row.id, toEntry(row).entry.toString('hex')]));
  const listRemovals = async (): Promise<RemovalFacts[]> => {
    const rows = await db()
      .selectFrom('consent_log_records')
      .select('facts')
      .where('kind', '=', 3)
      .orderBy('id')
      .execute();
    return rows.map(({ facts }) => JSON.parse(facts));
  };
  const listIds = ({ ids }: RemovalFacts) =>
    ids.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));

  async function addRecords(visitors: readonly string[]): Promise<number[]> {
    const ids: number[] = [];
    for (const visitor_id of visitors) {
      const body = {
        visitor_id,
        consent_action: 'accept_all',
        page_url: `https://example.org/${visitor_id}`,
        language: 'en',
      };
      ids.push((await app.http.post(`${ROOT}/consent`, { body })).json.id);
    }
    return ids;
  }
  const erase = (visitor: string) => {
    const at = app.clock.now();
    return app.platform.datastore.transaction((trx) =>
      erasePerson(trx, consentRecords, 'visitor_id', visitor, { at, day: '2026-11-21' }),
    );
  };
  async function runPolicy(action: RetentionAction, days: number, now = () => app.clock.now()) {
    await db().deleteFrom('retention_policies').execute();
    const fields = { name: action, dataCategory: 'consent_records', periodUnit: 'days' as const };
    await app.platform.datastore.transaction((trx) =>
      insertPolicy(trx, { ...fields, action, periodValue: days, isActive: true }, 1),
    );
    const clock = { now, monotonic: () => app.clock.monotonic() };
    const platform = { ...app.platform, clock };
    return runRetention(platform, SCOPE, { dryRun: false, startedBy: 'a test' });
  }

  it('gives each record a salt of its own', async () => {
    await addRecords(['one', 'two', 'three']);
    const salts = (await readRows()).map(({ salt }) => Buffer.from(salt).toString('hex'));
    expect(salts.every((salt) => salt.length === 32)).toBe(true);
    expect(new Set(salts).size).toBe(salts.length);
  });

  it('shows salts and hashes of personal data to nobody', async () => {
    const headers = await basicAuth(app.platform);
    const path = `${ROOT}/consent/records`;
    const texts = [
      JSON.stringify((await app.http.get(path, { headers })).json),
      ...(await Promise.all(
        ['csv', 'json'].map(async (format) => {
          const { text } = await app.http.get(`${path}/export?format=${format}`, { headers });
          return text;
        }),
      )),
    ];
    for (const text of texts) {
      expect(text).toContain('visitor_id');
      expect(text).not.toMatch(/salt|personal_hash/);
    }
    // What a person receives about themselves.
    expect(consentRecords.shown?.join()).not.toMatch(/salt|personal_hash/);
  });

  it('keeps the entry of each record that an erasure anonymises, and logs which', async () => {
    const ids = await addRecords(['erased-a', 'other', 'erased-a']);
    const before = await readEntries();
    const salts = (await readRows()).flatMap(({ visitor_id, salt }) =>
      visitor_id === 'erased-a' ? [Buffer.from(salt).toString('latin1')] : [],
    );
    const logged = (await listRemovals()).length;
    await erase('erased-a');
    const after = await readEntries();
    for (const [id, entry] of before) expect(after.get(id)).toBe(entry);

    const removals = (await listRemovals()).slice(logged);
    expect(removals).toMatchObject([{ action: 'anonymise', cause: 'erasure', count: 3 }]);
    // The withdrawal that an erasure adds is a record of the same person.
    const withdrawal = Math.max(...after.keys());
    expect(removals.flatMap(listIds)).toEqual([ids[0], ids[2], withdrawal]);
    const rows = await readRows();
    expect(rows.filter(({ salt }) => salt === null).map(({ id }) => id)).toEqual([
      ids[0],
      ids[2],
      withdrawal,
    ]);

    await app.platform.datastore.purge(['consent_records']);
    expect(await found(['erased-a', ...salts])).toEqual([]);
    expect(await found(['other'])).toEqual(['other']);
  });

  /** Which texts, of bytes as Latin-1, are in the files or, on PostgreSQL, in the rows. */
  async function found(texts: readonly string[]): Promise<string[]> {
    const path = app.config.databaseUrl.slice('sqlite:'.length);
    const bytes =
      engine === 'sqlite'
        ? ['', '-wal'].map((suffix) => readFileSync(path + suffix).toString('latin1'))
        : (await readRows()).flatMap((row) =>
            Object.values(row).map((value) =>
              value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value),
            ),
          );
    return texts.filter((text) => bytes.some((each) => each.includes(text)));
  }

  it('logs each batch of a retention run with its policy, for anonymising and for deleting', async () => {
    const ids = await addRecords(Array.from({ length: 40 }, (_, at) => `old-${at}`));
    const before = await readEntries();
    app.clock.advance(1_000 * DAY_MS);
    const [young = 0] = await addRecords(['young']);
    let logged = (await listRemovals()).length;

    const anonymised = await runPolicy('anonymise', 30);
    let removals = (await listRemovals()).slice(logged);
    expect(removals[0]).toMatchObject({
      action: 'anonymise',
      cause: 'retention',
      run: anonymised.runId,
      policy: anonymised.outcomes[0]?.policyId,
    });
    const changed = removals.flatMap(listIds);
    expect(changed).toEqual(expect.arrayContaining(ids));
    expect(changed).not.toContain(young);
    expect(removals.reduce((sum, { count }) => sum + count, 0)).toBe(
      anonymised.outcomes[0]?.recordsAffected,
    );
    const after = await readEntries();
    for (const [id, entry] of before) expect(after.get(id)).toBe(entry);

    logged = (await listRemovals()).length;
    await runPolicy('delete', 30);
    removals = (await listRemovals()).slice(logged);
    expect(new Set(removals.map(({ action }) => action))).toEqual(new Set(['delete']));
    expect(removals.flatMap(listIds).toSorted((a, b) => a - b)).toEqual([...before.keys()]);
    expect([...(await readEntries()).keys()]).toEqual([young]);
  });

  it('is found right by a verification at any time', async () => {
    const readState = async () => {
      const headers = await basicAuth(app.platform);
      return (await app.http.get(`${ROOT}/consent/log`, { headers })).json;
    };
    /** Before the removals are logged. */
    async function expectNoProblem(): Promise<void> {
      for (const isDeep of [true, false]) {
        const { problems } = await verifyLogOf(app, { isDeep });
        expect(problems).toEqual([]);
      }
      const { not_logged: count, not_logged_since: since } = await readState();
      expect(count).toBeGreaterThan(0);
      expect(app.clock.now() - Date.parse(since)).toBeLessThan(MINUTE_MS);
    }

    await addRecords(Array.from({ length: 50 }, (_, at) => `aged-${at}`));
    await logAll(app);
    app.clock.advance(1_000 * DAY_MS);
    // The run began an hour ago.
    const moments = [app.clock.now() - HOUR_MS];
    await runPolicy('anonymise', 30, () => moments.shift() ?? app.clock.now());
    await expectNoProblem();
    await logAll(app);

    await addRecords(['withdrawn']);
    await logAll(app);
    await erase('withdrawn');
    await expectNoProblem();
  });

  it('logs an erasure of many records in several entries', async () => {
    const [id = 0] = await addRecords(['frequent']);
    const names = ['visitor_id', 'categories_accepted', 'categories_rejected', 'consent_action'];
    const copied = sql.join(
      [...names, 'day', 'created_at', 'expires_at'].map((name) => sql.ref(name)),
    );
    const numbers = sql`with recursive numbers(n) as (
      select 1 union all select n + 1 from numbers where n < 2500)`;
    await sql`insert into consent_records (${copied}, salt) ${numbers}
      select ${copied}, salt from consent_records, numbers where id = ${id}`.execute(db());
    const before = await readEntries();
    const logged = (await listRemovals()).length;
    const { anonymised } = await erase('frequent');
    expect(anonymised).toBeGreaterThan(2_500);
    const removals = (await listRemovals()).slice(logged);
    expect(removals.map(({ count }) => count)).toEqual([1_000, 1_000, anonymised - 2_000]);
    const after = await readEntries();
    for (const [key, entry] of before) expect(after.get(key)).toBe(entry);
    expect((await readRows()).some(({ visitor_id }) => visitor_id === 'frequent')).toBe(false);
  });

  it('logs nothing for a person without records', async () => {
    const logged = (await listRemovals()).length;
    await erase('nobody');
    expect(await listRemovals()).toHaveLength(logged);
  });

  it('logs each banner version with the hash of its configuration', async () => {
    const rows = await sql<RawRow>`select ${selectFacts(db())} from consent_log_records
      where kind = 2`.execute(db());
    const versions = await db().selectFrom('consent_configs').select(['version', 'hash']).execute();
    expect(rows.rows.map(({ facts }) => JSON.parse(String(facts)))).toMatchObject(
      versions.map(({ version, hash }) => ({ version, config_hash: hash })),
    );
    for (const row of rows.rows) expect(toFactsEntry(row)).toMatchObject({ kind: 2 });
  });

  if (engine === 'sqlite') {
    it('reads values that SQLite can store in any column, and gives each another entry', async () => {
      const [id] = await addRecords(['target']);
      const [row] = (await readRows()).filter((each) => each.id === id);
      const original = toEntry(row as RawRow).entry;
      const names = [...columns.personal, ...columns.facts].map(({ name }) => name);
      const values = ['9223372036854775807', '-1.5', '9e999', "x'00ff'", "'{'", "''"];
      // In a transaction, which waits for other writers.
      await app.platform.datastore.transaction(async (trx) => {
        for (const name of [...names, 'salt', 'personal_hash'].filter((each) => each !== 'id')) {
          for (const value of values) {
            await sql`savepoint change`.execute(trx);
            await sql`update consent_records set ${sql.ref(name)} = ${sql.raw(value)}
              where id = ${id}`.execute(trx);
            const { rows } = await sql<RawRow>`select ${selectRecord(db(), columns)}
              from consent_records where id = ${id}`.execute(trx);
            expect([name, value, toEntry(rows[0] as RawRow).entry]).not.toEqual([
              name,
              value,
              original,
            ]);
            await sql`rollback to change`.execute(trx);
            await sql`release change`.execute(trx);
          }
        }
      });
    });
  }
});

describe('Ranges of ids', () => {
  it('join ids that follow each other', () => {
    expect(toRanges([1, 2, 3, 7, 9, 10])).toEqual([
      [1, 3],
      [7, 7],
      [9, 10],
    ]);
    expect(toRanges([])).toEqual([]);
  });
});
