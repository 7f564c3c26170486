import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  copyLog,
  logAll,
  verifyLogOf,
  withLogTables,
} from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import type { LogDb } from '../log/tables.ts';

const RECORDS = 2_000;
/** Different records that are changed before each verification. */
const PER_ROUND = 150;
/** On each engine. Set it to 100000 for a long run. */
const MUTATIONS = Number(process.env.PAVIS_TEST_MUTATIONS ?? 300);
const LIMIT_MS = 90_000 + MUTATIONS * 15;

type Row = Record<string, unknown> & { id: number };
type Problem = 'altered' | 'missing' | 'unlogged';

const pick = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;
const flip = (text: string): string => {
  const at = randomInt(Math.max(1, text.length));
  return `${text.slice(0, at)}${text[at] === 'z' ? 'y' : 'z'}${text.slice(at + 1)}`;
};
const shift = (value: number): number => value + pick([-DAY_MS, -1, 1, 60_000, DAY_MS]);

/** A different value for a column. */
const CHANGES: Record<string, (row: Row) => unknown> = {
  visitor_id: ({ visitor_id }) => flip(String(visitor_id)),
  categories_accepted: () => pick(['["functional","analytics"]', '[]', 'no JSON', '{"a":1}']),
  categories_rejected: () => pick(['["marketing"]', '["analytics", "x"]', '[', 'null']),
  consent_action: ({ consent_action }) =>
    pick(['accept_all', 'reject_all', ''].filter((each) => each !== consent_action)),
  day: () => pick(['2025-01-01', '']),
  created_at: ({ created_at }) => shift(Number(created_at)),
  expires_at: ({ expires_at }) => pick([shift(Number(expires_at)), '9007199254740993']),
  config_version: ({ config_version }) => (config_version === 1 ? 2 : null),
  source: ({ source }) => pick([flip(String(source)), null]),
  language: () => pick(['xx', null]),
  page_url: ({ page_url }) => (page_url === null ? 'https://www.example.com/' : null),
  gpc: ({ gpc }) => (gpc === 1 ? 0 : 1),
  anonymised_at: () => 1_700_000_000_000,
};

/** Damages to the log of at least three bundles, each of a random part. */
const DAMAGES: ((log: LogDb) => Promise<unknown>)[] = [
  async (log) => {
    const bundles = await log.selectFrom('consent_log_bundles').selectAll().execute();
    const { number, entries } = pick(bundles);
    const changed = Buffer.from(entries);
    const at = randomInt(changed.length);
    changed.writeUInt8(changed.readUInt8(at) ^ (1 << randomInt(8)), at);
    await log
      .updateTable('consent_log_bundles')
      .set({ entries: changed })
      .where('number', '=', number)
      .execute();
  },
  (log) => log.deleteFrom('consent_log_bundles').where('number', '>=', randomInt(3)).execute(),
  (log) =>
    sql`update consent_log_ranges set first_id = first_id + ${1 + randomInt(9)}
    where source = 1`.execute(log),
  (log) => sql`update consent_log_head set size = size - ${1 + randomInt(500)}`.execute(log),
  (log) =>
    log.deleteFrom(pick(['consent_log_ranges', 'consent_log_head', 'consent_log_tiles'])).execute(),
];

describe.each(ENGINES)('verifying the consent log on %s', (engine) => {
  const app = useTestApp(engine);
  const db = () => app.platform.datastore.db;
  const verify = async () => {
    const report = await verifyLogOf(app);
    const found = report.problems
      .filter(({ subject }) => subject === 'consent_record')
      .flatMap(({ kind, first_id, last_id }) =>
        Array.from({ length: (last_id ?? 0) - (first_id ?? 0) + 1 }, (_, at): [number, string] => [
          (first_id ?? 0) + at,
          kind,
        ]),
      );
    return { report, found: new Map(found) };
  };
  const readRows = async () =>
    (await sql<Row>`select * from consent_records order by id`.execute(db())).rows;
  const deleteRow = (id: number) => sql`delete from consent_records where id = ${id}`.execute(db());
  const insertRow = (row: Row) =>
    db()
      .insertInto('consent_records')
      .values(row as never)
      .execute();
  const setColumn = (id: number, column: string, value: unknown) =>
    sql`update consent_records set ${sql.ref(column)} = ${value} where id = ${id}`.execute(db());

  /** The log as it was when it had half of the records. */
  let putHalfBack: () => Promise<void>;

  async function addRecords(from: number): Promise<void> {
    const at = app.clock.now();
    await sql`insert into consent_records
      (visitor_id, categories_accepted, categories_rejected, consent_action, day, created_at, config_version,
        expires_at, source, language, page_url, gpc, salt)
      values ${sql.join(
        Array.from(
          { length: RECORDS / 2 },
          (
            _,
            index,
            n = from + index,
          ) => sql`(${`visitor-${n}`}, '["functional"]', '["analytics"]', 'manage', '2026-11-20',
            ${at - DAY_MS - n}, 1, ${at + DAY_MS * n}, 'banner', 'en',
            ${n % 3 === 0 ? null : 'https://www.example.com/shop'}, ${n % 2}, ${Buffer.alloc(16, n)})`,
        ),
      )}`.execute(db());
    await logAll(app);
  }

  beforeAll(async () => {
    await addRecords(0);
    putHalfBack = await copyLog(app);
    await addRecords(RECORDS / 2);
  });

  it(`finds ${MUTATIONS} random changes, and nothing else`, { timeout: LIMIT_MS }, async () => {
    const putBack = await copyLog(app);
    const rows = new Map((await readRows()).map((row) => [row.id, row]));
    const ids = [...rows.keys()];
    let added = 1_000_000;

    /** Changes one or two records. @returns the problem of each, and whether the rows have to be put back */
    async function mutate(id: number, other: number): Promise<[id: number, problem: Problem][]> {
      const row = rows.get(id) as Row;
      switch (randomInt(8)) {
        case 0:
          await deleteRow(id);
          return [[id, 'missing']];
        case 1:
          added++;
          await insertRow({ ...row, id: added });
          return [[added, 'unlogged']];
        case 2: {
          const second = rows.get(other) as Row;
          await deleteRow(id);
          await deleteRow(other);
          await insertRow({ ...row, id: other });
          await insertRow({ ...second, id });
          return [id, other].map((each) => [each, 'altered']);
        }
        case 3:
          // As anonymising does, without the log.
          await sql`update consent_records set salt = null, anonymised_at = 1, source = null,
            visitor_id = 'anonymous' where id = ${id}`.execute(db());
          return [[id, 'altered']];
        default: {
          const column = pick(Object.keys(CHANGES));
          const value = CHANGES[column]?.(row);
          if (value === row[column]) return mutate(id, other);
          await setColumn(id, column, value);
          return [[id, 'altered']];
        }
      }
    }

    for (let done = 0; done < MUTATIONS; ) {
      const expected = new Map<number, Problem>();
      const shuffled = ids.toSorted(() => Math.random() - 0.5);
      const count = Math.min(PER_ROUND, MUTATIONS - done);
      for (let at = 0; at < count; at++) {
        const [id = 0, other = 0] = [shuffled.pop(), shuffled.pop()];
        for (const [changed, problem] of await mutate(id, other)) expected.set(changed, problem);
      }
      const { report, found } = await verify();
      expect(new Map([...found].sort(([a], [b]) => a - b))).toEqual(
        new Map([...expected].sort(([a], [b]) => a - b)),
      );
      expect(report.ok).toBe(false);
      for (const id of expected.keys()) {
        await deleteRow(id);
        const row = rows.get(id);
        if (row) await insertRow(row);
      }
      done += count;
      // The next round finds whether all of the log is back.
      await withLogTables(app, pick(DAMAGES));
      expect((await verifyLogOf(app)).ok).toBe(false);
      await putBack();
    }
    await putHalfBack();
    const half = [...ids].slice(RECORDS / 2).map((id) => [id, 'unlogged']);
    expect([...(await verify()).found]).toEqual(half);
    await putBack();
    const { report } = await verify();
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ ok: true, consent_records: { intact: RECORDS } });
  });
});
