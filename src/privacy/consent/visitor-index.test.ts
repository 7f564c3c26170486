import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../../../test/support/engines.ts';
import { processInBatches } from '../../personal-data/index.ts';
import {
  type Datastore,
  findSegmentMerge,
  moveEntries,
  openDatastore,
} from '../../platform/db/index.ts';
import { createLogger } from '../../platform/log.ts';
import { consentRecords } from './retention.ts';
import { listConsents } from './store.ts';
import { visitorIndexMerger } from './visitor-index.ts';

const KEY = { table: 'consent_records', column: 'visitor_id' };
/** The distance between two ids, so that a few hundred records have many segments of all levels. */
const STEP = 16_384 * 3 + 1;
/** Less than 64 of each of two levels, and what a few hundred records have of the third. */
const FEW = 2 * 63 + 4;
const STARTS = ['a', 'ab', 'b', 'ba', 'é', '%', 'anonymised-', 'nobody'];

const visitorId = fc.string({
  minLength: 1,
  maxLength: 4,
  unit: fc.constantFrom('a', 'b', 'é', '%'),
});

describe('The index of visitors on SQLite, while segments are merged', () => {
  let database: TestDatabase;
  let datastore: Datastore;

  beforeEach(async () => {
    database = await createDatabase('sqlite');
    datastore = await openDatastore(database.url, await createLogger('silent'));
  });
  afterEach(async () => {
    await datastore.close();
    await database.drop();
  });

  async function add(records: readonly { id: number; visitor_id: string }[]): Promise<void> {
    await datastore.transaction(async (trx) => {
      for (const { id, visitor_id } of records) {
        await sql`insert into consent_records (id, visitor_id, categories_accepted,
          categories_rejected, consent_action, day, created_at, config_version, expires_at)
          values (${id}, ${visitor_id}, '[]', '[]', 'manage', '2026-11-21', 0, 0, 0)`.execute(trx);
      }
    });
  }
  const numbered = (visitors: readonly string[], first = 1) =>
    visitors.map((visitor_id, at) => ({ id: (first + at) * STEP, visitor_id }));
  const sample = (count: number) => fc.sample(visitorId, count);

  const listRecords = () =>
    datastore.db.selectFrom('consent_records').select(['id', 'visitor_id']).orderBy('id').execute();
  const listEntries = async () =>
    (
      await sql<{ segment: number; id: number; visitor_id: string }>`
        select segment, id, visitor_id from index_consent_records_visitor_id order by id`.execute(
        datastore.db,
      )
    ).rows;

  /** Also that each record has one entry, and no other entry is left. */
  async function assertFound(): Promise<void> {
    const all = await listRecords();
    const entries = await listEntries();
    expect(entries.map(({ id, visitor_id }) => ({ id, visitor_id }))).toEqual(all);
    for (const search of STARTS) {
      const { rows, total } = await listConsents(
        datastore.reader,
        { search },
        { offset: 0, limit: 9_000 },
      );
      const ids = all.filter((each) => each.visitor_id.startsWith(search)).map(({ id }) => id);
      expect(rows.map(({ id }) => id)).toEqual(ids.toReversed());
      expect(total).toBe(ids.length);
    }
  }

  /** @returns whether there was one */
  async function doStep(atOnce: number): Promise<boolean> {
    const merge = await findSegmentMerge(datastore.db, KEY);
    if (merge) await datastore.transaction((trx) => moveEntries(trx, KEY, merge, atOnce));
    return merge !== undefined;
  }

  const countSegments = async () =>
    new Set((await listEntries()).map(({ segment }) => segment)).size;

  it('finds each record once between all steps, and looks into few segments afterwards', async () => {
    await add(numbered(sample(700)));
    const before = await countSegments();
    let steps = 0;
    while (await doStep(5)) if (++steps % 4 === 0) await assertFound();
    await assertFound();
    expect(steps).toBeGreaterThan(30);
    expect(before).toBe(700);
    expect(await countSegments()).toBeLessThan(FEW);
    expect(await doStep(5)).toBe(false);
  });

  it('finds records that are added, changed and deleted between the steps', async () => {
    await add(numbered(sample(300)));
    const pick = fc.nat(10 ** 9);
    for (const [n, at] of fc.sample(pick, 60).entries()) {
      await doStep(7);
      const { db } = datastore;
      const all = await listRecords();
      const { id } = all[at % all.length] ?? { id: 0 };
      const unused = Math.floor(id / STEP) * STEP + 1 + n;
      if (n % 4 === 0) await add(numbered(sample(5), 301 + n * 5));
      // An id that is smaller than some that are merged.
      else if (n % 4 === 1) await add([{ id: unused, visitor_id: 'ab' }]);
      else if (n % 4 === 2) await db.deleteFrom('consent_records').where('id', '=', id).execute();
      else {
        const anyId = sql<boolean>`id between ${id} and ${id + 20 * STEP}`;
        await sql`update consent_records set visitor_id = 'b' || visitor_id where ${anyId}`.execute(
          db,
        );
        await sql`update consent_records set id = ${unused} where id = ${id}`.execute(db);
      }
      if (n % 6 === 0) await assertFound();
    }
    while (await doStep(100));
    await assertFound();
    expect(await countSegments()).toBeLessThan(FEW);
  });

  it('finds visitors with more records than a step moves', async () => {
    await add(numbered(Array.from({ length: 200 }, () => 'ab')));
    await add(Array.from({ length: 500 }, (_, at) => ({ id: STEP + 1 + at, visitor_id: 'ab' })));
    while (await doStep(3));
    await assertFound();
    expect(await countSegments()).toBeLessThan(FEW);
  });

  it('moves no more entries in a step than it may, however different the segments are', async () => {
    const visitors = Array.from({ length: 2_000 }, (_, at) => ({
      id: STEP + at,
      visitor_id: `anonymised-${at}`,
    }));
    await add([
      ...visitors,
      ...numbered(
        Array.from({ length: 30 }, () => 'b'),
        2,
      ),
    ]);
    for (let steps = 0; steps < 40; steps++) {
      const before = new Map((await listEntries()).map(({ id, segment }) => [id, segment]));
      await doStep(10);
      const moved = (await listEntries()).filter(({ id, segment }) => before.get(id) !== segment);
      expect(moved.length).toBeLessThanOrEqual(10 * 32);
    }
    await assertFound();
  });

  it('loses nothing when a step fails', async () => {
    await add(numbered(sample(400)));
    await doStep(4);
    const before = await listEntries();
    const merge = await findSegmentMerge(datastore.db, KEY);
    if (!merge) throw new Error('no merge was left');
    const failing = datastore.transaction(async (trx) => {
      await moveEntries(trx, KEY, merge, 4);
      throw new Error('the process ends');
    });
    await expect(failing).rejects.toThrow('the process ends');
    expect(await listEntries()).toEqual(before);
    // As another process finds it.
    await datastore.close();
    datastore = await openDatastore(database.url, await createLogger('silent'));
    while (await doStep(50));
    await assertFound();
  });

  it('leaves no visitor of a record that retention has anonymised or deleted meanwhile', async () => {
    const { due } = consentRecords;
    if (due === undefined) throw new Error('consent records have no due date');
    await add(numbered(sample(900)));
    await sql`update consent_records set expires_at = id % 3`.execute(datastore.db);
    const kept = (await listRecords()).filter(({ id }) => id % 3 === 2);
    const retain = (action: 'anonymise' | 'delete', before: number) =>
      processInBatches(
        datastore,
        { type: { ...consentRecords, due }, action, from: 0, before },
        { now: () => 1, cause: { cause: 'erasure' }, record: async () => {} },
      );
    async function merge(): Promise<void> {
      while (await doStep(2)) await nextTurn();
    }
    const [segments] = await Promise.all([
      countSegments(),
      merge(),
      retain('delete', 1).then(() => retain('anonymise', 2)),
    ]);
    expect(segments).toBe(900);
    await merge();
    await assertFound();
    expect(await countSegments()).toBeLessThan(FEW);
    const left = await listRecords();
    expect(left.filter(({ visitor_id }) => !visitor_id.startsWith('anonymised-'))).toEqual(kept);
    expect(left).toHaveLength(600);
  });

  it('is merged by the server in the background', async () => {
    await add(numbered(sample(300)));
    expect(await countSegments()).toBe(300);
    const merger = visitorIndexMerger({ datastore, log: await createLogger('silent') });
    merger.start();
    // Searches read beside it through a connection of their own.
    await expect
      .poll(async () => {
        await assertFound();
        return countSegments();
      })
      .toBeLessThan(FEW);
    await merger.stop();
  });
});
