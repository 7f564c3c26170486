import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { openDatastore } from '../../../platform/db/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { type ConsentAction, NO_VENDORS } from '../rules.ts';
import type { IncomingConsent } from './store.ts';
import { ConsentWriter } from './writer.ts';

const ACTIONS: ConsentAction[] = ['accept_all', 'reject_all', 'manage'];

describe.each(ENGINES)('the writer of consent choices on %s', (engine) => {
  const app = useTestApp(engine);
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });
  const createWriter = ({ datastore, webhooks, clock } = app.platform) =>
    new ConsentWriter({ datastore: datastore.bulkhead('hot'), webhooks, clock });
  /** As another node has it; SQLite has one node. */
  async function createOtherWriter() {
    if (engine === 'sqlite') return createWriter();
    const datastore = await openDatastore(app.config.databaseUrl, app.platform.log);
    open.push(datastore);
    return createWriter({ ...app.platform, datastore });
  }

  function choice(visitor_id: string, at: number, repeatKey?: string): IncomingConsent {
    const action = ACTIONS[at % ACTIONS.length] as ConsentAction;
    return {
      repeatKey,
      consent: {
        visitor_id,
        categories_accepted: action === 'reject_all' ? ['functional'] : ['functional', 'analytics'],
        categories_rejected: action === 'reject_all' ? ['analytics'] : [],
        ...NO_VENDORS,
        consent_action: action,
        day: '2026-11-21',
        created_at: app.clock.now(),
        config_version: null,
        expires_at: app.clock.now() + DAY_MS,
        source: null,
        language: null,
        page_url: null,
        gpc: null,
      },
    };
  }
  const list = (prefix: string) =>
    app.platform.datastore.db
      .selectFrom('consent_records')
      .select(['id', 'visitor_id', 'consent_action', 'categories_rejected'])
      .where('visitor_id', 'like', `${prefix}%`)
      .orderBy('id')
      .execute();
  async function count() {
    const { db } = app.platform.datastore;
    const { total } = await db
      .selectFrom('consent_daily')
      .select(sql<number>`coalesce(sum(total), 0)`.as('total'))
      .executeTakeFirstOrThrow();
    const { rejected } = await db
      .selectFrom('consent_category_daily')
      .select(sql<number>`coalesce(sum(rejected), 0)`.as('rejected'))
      .where('day', '=', '')
      .executeTakeFirstOrThrow();
    return { total: Number(total), rejected: Number(rejected) };
  }
  /** The visitors and ids that the writer gave, in the order of the choices. */
  const write = async (writer: ConsentWriter, choices: readonly IncomingConsent[]) => {
    const recorded = await Promise.all(choices.map((each) => writer.write(each)));
    return recorded.map(({ id, isRepeat }, at) => ({
      id,
      isRepeat,
      visitor_id: choices[at]?.consent.visitor_id,
    }));
  };

  it('gives each choice of a batch the id of its own record, in the order of the choices', async () => {
    const choices = Array.from({ length: 700 }, (_, at) =>
      choice(`batch-${at}`, at, at % 3 === 0 ? undefined : `batch key ${at}`),
    );
    const given = await write(createWriter(), choices);
    const stored = await list('batch-');
    expect(given.map(({ id, visitor_id }) => ({ id, visitor_id }))).toEqual(
      stored.map(({ id, visitor_id }) => ({ id, visitor_id })),
    );
    expect(stored.map(({ consent_action }) => consent_action)).toEqual(
      choices.map(({ consent }) => consent.consent_action),
    );
    expect(given.some(({ isRepeat }) => isRepeat)).toBe(false);
  });

  it.runIf(engine === 'postgres')('sends a batch with keys as one statement', async () => {
    await write(createWriter(), [choice('one-1', 0), choice('one-2', 1, 'one key')]);
    const { rows } = await sql<{ query: string }>`select query from pg_stat_activity
      where application_name = 'pavis-hot' and datname = current_database()`.execute(
      app.platform.datastore.db,
    );
    expect(rows.map(({ query }) => query)).toContainEqual(
      expect.stringContaining('with recorded as'),
    );
  });

  it('records the other choices of a batch when one is a repetition', async () => {
    const writer = createWriter();
    const [first] = await write(writer, [choice('again-1', 1, 'again')]);
    const before = await count();
    const given = await write(writer, [
      choice('fresh-1', 0),
      choice('again-1', 1, 'again'),
      choice('fresh-2', 1, 'other'),
      choice('fresh-2', 1, 'other'),
    ]);
    expect(given.map(({ isRepeat }) => isRepeat)).toEqual([false, true, false, true]);
    expect(given[1]?.id).toBe(first?.id);
    expect(given[3]?.id).toBe(given[2]?.id);
    expect(await list('again-1')).toHaveLength(1);
    expect(await list('fresh-')).toHaveLength(2);
    expect((await count()).total - before.total).toBe(2);
    app.clock.advance(10_001);
    const [late] = await write(writer, [choice('again-1', 1, 'again')]);
    expect(late).toMatchObject({ isRepeat: false });
    expect(await list('again-1')).toHaveLength(2);
  });

  it('deletes the keys of more than ten seconds ago', async () => {
    const writer = createWriter();
    await write(writer, [choice('key-1', 0, 'key 1')]);
    app.clock.advance(10_001);
    await write(writer, [choice('key-2', 0, 'key 2')]);
    const { db } = app.platform.datastore;
    const keys = await db.selectFrom('consent_repeats').select('key').execute();
    expect(keys).toEqual([{ key: 'key 2' }]);
  });

  it.runIf(engine === 'postgres')(
    'records the other choices of a batch when the database rejects one',
    async () => {
      const before = await count();
      const writer = createWriter();
      const results = await Promise.allSettled(
        ['sound-1', 'sound-2 \0', 'sound-3'].map((visitor, at) =>
          writer.write(choice(visitor, at, `sound ${at}`)),
        ),
      );
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await list('sound-')).map(({ visitor_id }) => visitor_id)).toEqual([
        'sound-1',
        'sound-3',
      ]);
      expect((await count()).total - before.total).toBe(2);
    },
  );

  it('records choices that two nodes receive at the same time once, and counts each', async () => {
    const before = await count();
    const writers = [createWriter(), await createOtherWriter()];
    const given: { id: number; visitor_id: string | undefined }[] = [];
    // Every fourth choice reaches both, as a request that is repeated after a lost response.
    await Promise.all(
      writers.map(async (writer, node) => {
        for (let round = 0; round < 40; round++) {
          const choices = Array.from({ length: 25 }, (_, at) =>
            at % 4 === 0
              ? choice(`both-${round}-${at}`, at, `both ${round} ${at}`)
              : choice(`node-${node}-${round}-${at}`, at),
          );
          given.push(...(await write(writer, choices)));
        }
      }),
    );
    const stored = [...(await list('both-')), ...(await list('node-'))];
    const ids = new Map(stored.map(({ id, visitor_id }) => [visitor_id, id]));
    expect(given.every(({ id, visitor_id }) => ids.get(visitor_id as string) === id)).toBe(true);
    expect([stored.length, ids.size]).toEqual([40 * (7 + 2 * 18), stored.length]);
    const after = await count();
    expect(after.total - before.total).toBe(stored.length);
    expect(after.rejected - before.rejected).toBe(
      stored.filter(({ categories_rejected }) => categories_rejected !== '[]').length,
    );
    if (engine === 'sqlite') return;
    const { rows } = await sql<{ deadlocks: number }>`select deadlocks from pg_stat_database
      where datname = current_database()`.execute(app.platform.datastore.db);
    expect(rows).toEqual([{ deadlocks: 0 }]);
  });
});
