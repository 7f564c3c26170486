import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth, makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { PERSONAL_DATA } from '../../modules/personal-data.ts';
import {
  lockRecords,
  PERIOD_UNITS,
  processInBatches,
  RETENTION_ACTIONS,
  type RetentionAction,
} from '../../personal-data/index.ts';
import { openDatastore } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { createLogger } from '../../platform/log.ts';
import { consentRecords } from '../consent/index.ts';
import { runRetention } from './index.ts';
import { listDatedTypes, placeHold } from './service.ts';
import { insertPolicy } from './store.ts';

const ROOT = '/wp-json/svc/v1';
const SCOPE = { personalData: PERSONAL_DATA, timeZone: 'Europe/London' };
const CATEGORIES = ['consent_records', 'activation_history', 'dsar_packages'] as const;

const policy = fc.record({
  dataCategory: fc.constantFrom(...CATEGORIES),
  periodUnit: fc.constantFrom(...PERIOD_UNITS),
  periodValue: fc.integer({ min: 1, max: 20 }),
  action: fc.constantFrom<RetentionAction>(...RETENTION_ACTIONS),
  isActive: fc.boolean(),
});
/** Ages in days, many equal to a period. */
const age = fc.oneof(fc.integer({ min: 0, max: 21 }), fc.integer({ min: 0, max: 900 }));
const ages = fc.array(age, { maxLength: 40 });
/** Null while a site is active, or a request open. */
const endAges = fc.array(fc.option(age), { maxLength: 20 });
const situation = fc.record({
  policies: fc.array(policy, { maxLength: 6 }),
  consents: ages,
  sites: endAges,
  packages: endAges,
  heldConsents: fc.array(fc.nat({ max: 39 }), { maxLength: 5 }),
  heldCategory: fc.option(fc.constantFrom(...CATEGORIES), { freq: 6 }),
});
type Situation = typeof situation extends fc.Arbitrary<infer T> ? T : never;

/** Every row of every table, as text. */
async function dump({ datastore }: Pick<Platform, 'datastore'>): Promise<string> {
  // biome-ignore lint/suspicious/noExplicitAny: any table
  const db = datastore.db as Kysely<any>;
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  const contents = [];
  for (const { name } of tables) {
    const rows = await db.selectFrom(name).selectAll().execute();
    contents.push([name, rows.map((row) => JSON.stringify(row)).sort()]);
  }
  return JSON.stringify(contents);
}

describe.each(ENGINES)('A retention run on %s', (engine) => {
  const app = useTestApp(engine);
  const run = (dryRun: boolean) =>
    runRetention(app.platform, SCOPE, { dryRun, startedBy: 'a test' });
  let licenceId = 0;
  beforeAll(async () => {
    await makeLicence(app.platform);
    const { db } = app.platform.datastore;
    ({ id: licenceId } = await db.selectFrom('licences').select('id').executeTakeFirstOrThrow());
  });

  async function empty(): Promise<void> {
    const { db } = app.platform.datastore;
    await db.deleteFrom('retention_policies').execute();
    await db.deleteFrom('record_holds').execute();
    await db.deleteFrom('consent_records').execute();
    await db.deleteFrom('activations').execute();
    await db.deleteFrom('dsar_packages').execute();
    await db.deleteFrom('dsar_events').execute();
    await db.deleteFrom('dsar_cases').execute();
  }

  const consentRow = (expiresAt: number, at: number) => ({
    visitor_id: `visitor-${at}`,
    categories_accepted: '[]',
    categories_rejected: '[]',
    consent_action: 'manage',
    day: '2024-01-01',
    created_at: expiresAt - 365 * DAY_MS,
    config_version: 0,
    expires_at: expiresAt,
    source: null,
    language: 'en',
    page_url: `https://example.org/${at}`,
    gpc: null,
  });

  /** One for each request, open or closed so many days ago. */
  async function fillPackages(ages: Situation['packages'], now: number): Promise<void> {
    if (ages.length === 0) return;
    const { db } = app.platform.datastore;
    const endOf = (days: number | null) => (days === null ? null : now - days * DAY_MS);
    const cases = ages.map((days, at) => ({
      reference: `DSR-20240101-${at}`,
      request_type: 'access' as const,
      status: days === null ? ('in_progress' as const) : ('completed' as const),
      language: 'en',
      regime: 'gdpr' as const,
      received_at: now - 1_000 * DAY_MS,
      received_on: '2024-01-01',
      deadline: '2024-02-01',
      closed_at: endOf(days),
    }));
    await db.insertInto('dsar_cases').values(cases).execute();
    const rows = await db.selectFrom('dsar_cases').select(['id', 'closed_at']).execute();
    const packages = rows.map(({ id, closed_at }) => ({
      case_id: id,
      file_name: `${id}.zip`,
      sha256: 'x',
      bytes: 1,
      created_at: now - 1_000 * DAY_MS,
      case_closed_at: closed_at,
    }));
    await db.insertInto('dsar_packages').values(packages).execute();
  }

  async function fill(given: Situation) {
    const { policies, consents, sites, packages, heldConsents, heldCategory } = given;
    await empty();
    const { datastore, clock } = app.platform;
    const now = clock.now();
    const { db } = datastore;
    for (const each of policies) {
      await datastore.transaction((trx) => insertPolicy(trx, { name: 'any', ...each }, now));
    }
    if (consents.length > 0) {
      const rows = consents.map((days, at) => consentRow(now - days * DAY_MS, at));
      await db.insertInto('consent_records').values(rows).execute();
    }
    if (sites.length > 0) {
      const rows = sites.map((days, at) => ({
        licence_id: licenceId,
        site_key: `site-${at}.example.org`,
        site_url: `https://site-${at}.example.org`,
        takes_slot: 1 as const,
        activated_at: now - 1_000 * DAY_MS,
        deactivated_at: days === null ? null : now - days * DAY_MS,
      }));
      await db.insertInto('activations').values(rows).execute();
    }
    await fillPackages(packages, now);
    const ids = await db.selectFrom('consent_records').select('id').orderBy('id').execute();
    const held = [...new Set(heldConsents.flatMap((at) => ids[at]?.id ?? []))];
    const holds = [
      ...held.map((record_id) => ({ data_category: 'consent_records', record_id })),
      ...(heldCategory === null ? [] : [{ data_category: heldCategory, record_id: null }]),
    ].map((hold) => ({ ...hold, reason: 'x', placed_by: 'x', created_at: now }));
    if (holds.length > 0) await db.insertInto('record_holds').values(holds).execute();
  }

  it('changes what the dry run counted, once; the dry run writes nothing, and statistics stay', async () => {
    const headers = await basicAuth(app.platform);
    const statistics = async () => (await app.http.get(`${ROOT}/consent/stats`, { headers })).json;
    const decision = { categories_accepted: [], categories_rejected: [], visitor_id: 'one' };
    await app.http.post(`${ROOT}/consent`, { body: { ...decision, consent_action: 'reject_all' } });
    await fc.assert(
      fc.asyncProperty(situation, async (given) => {
        await fill(given);
        const stats = await statistics();
        const before = await dump(app.platform);
        const dry = await run(true);
        expect(await dump(app.platform)).toBe(before);

        const real = await run(false);
        expect(real.outcomes).toEqual(dry.outcomes);
        expect(real.outcomes).toHaveLength(given.policies.filter((each) => each.isActive).length);
        const { db } = app.platform.datastore;
        const of = (table: 'consent_records' | 'activations' | 'dsar_packages') =>
          db
            .selectFrom(table)
            .select(({ fn }) => [
              fn.countAll<number>().as('all'),
              fn.count<number>('anonymised_at').as('done'),
            ])
            .executeTakeFirstOrThrow();
        let changed = 0;
        for (const [table, before] of [
          ['consent_records', given.consents.length],
          ['activations', given.sites.length],
          ['dsar_packages', given.packages.length],
        ] as const) {
          const { all, done } = await of(table);
          changed += before - Number(all) + Number(done);
        }
        const total = real.outcomes.reduce((sum, each) => sum + each.recordsAffected, 0);
        expect(changed).toBe(total);

        const again = await run(false);
        expect(again.outcomes.map((each) => each.recordsAffected)).toEqual(
          real.outcomes.map(() => 0),
        );
        expect(await statistics()).toEqual(stats);
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it.each(RETENTION_ACTIONS)(
    'counts records that are parts of others by their own policy, as the dry run does (%s)',
    async (action) => {
      await fill({
        ...{ policies: [], consents: [900], sites: [900, 900] },
        ...{ packages: [900, 900, null], heldConsents: [], heldCategory: null },
      });
      const { datastore, clock } = app.platform;
      const { db } = datastore;
      const now = clock.now();
      const ended = { active_until: now - 900 * DAY_MS };
      const { id: customerId } = await db
        .insertInto('customers')
        .values({ email: `${action}@example.com`, created_at: 0, ...ended })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.updateTable('activations').set({ customer_id: customerId }).execute();
      const cases = await db.selectFrom('dsar_cases').select(['id', 'closed_at']).execute();
      const events = cases.map(({ id, closed_at }) => ({
        ...{ case_id: id, at: 0, actor: 'ada', actor_id: null, action: 'note' },
        ...{ details: '{"note":"x"}', case_closed_at: closed_at },
      }));
      await db.insertInto('dsar_events').values(events).execute();
      // Whole before its parts, in the order in which policies are listed.
      const types = listDatedTypes(PERSONAL_DATA).toSorted(
        (a, b) => (b.parts?.length ?? 0) - (a.parts?.length ?? 0),
      );
      for (const { category: dataCategory, anonymisedOnly } of types) {
        const fields = { name: dataCategory, dataCategory, periodUnit: 'days' as const };
        const done = anonymisedOnly ? 'anonymise' : action;
        await datastore.transaction((trx) =>
          insertPolicy(trx, { ...fields, action: done, periodValue: 1, isActive: true }, now),
        );
      }
      const dry = await run(true);
      const counts = dry.outcomes.map((each) => [each.dataCategory, each.recordsAffected]);
      expect(Object.fromEntries(counts)).toMatchObject({
        ...{ dsar_cases: 2, dsar_packages: 2, dsar_events: 2 },
        ...{ customers: 1, activation_history: 2, consent_records: 1 },
      });
      expect((await run(false)).outcomes).toEqual(dry.outcomes);
      const again = await run(false);
      expect(again.outcomes.map((each) => each.recordsAffected)).toEqual(types.map(() => 0));
    },
  );

  it('counts each record once in two concurrent runs on two nodes', async () => {
    await empty();
    const { datastore, clock, hooks } = app.platform;
    const now = clock.now();
    for (const [action, periodValue] of [
      ['anonymise', 10],
      ['delete', 100],
    ] as const) {
      const fields = { name: action, dataCategory: 'consent_records', periodUnit: 'days' as const };
      await datastore.transaction((trx) =>
        insertPolicy(trx, { ...fields, action, periodValue, isActive: true }, now),
      );
    }
    const rows = Array.from({ length: 4_000 }, (_, at) =>
      consentRow(now - (at % 200) * DAY_MS, at),
    );
    for (let at = 0; at < rows.length; at += 1_000) {
      await datastore.db
        .insertInto('consent_records')
        .values(rows.slice(at, at + 1_000))
        .execute();
    }
    const log = await createLogger('silent');
    const other = await openDatastore(app.config.databaseUrl, log);
    try {
      const request = { dryRun: false, startedBy: 'a test' };
      const results = await Promise.all([
        run(false),
        runRetention({ datastore: other, clock, hooks, log }, SCOPE, request),
        run(false),
      ]);
      const totals = [0, 1].map((at) =>
        results.reduce((sum, { outcomes }) => sum + (outcomes[at]?.recordsAffected ?? 0), 0),
      );
      // Ages 11 to 100 days, and 101 to 199: a record is due when it is older than the period.
      expect(totals).toEqual([20 * 90, 20 * 99]);
      expect(
        results.filter(({ outcomes }) => outcomes.some((each) => each.recordsAffected > 0)).length,
      ).toBeGreaterThan(1);
    } finally {
      await other.close();
    }
  });

  it('counts the records under a legal hold exactly while a run changes others', async () => {
    await fill({
      policies: [
        {
          ...{ dataCategory: 'consent_records', periodUnit: 'days', periodValue: 1 },
          ...{ action: 'anonymise', isActive: true },
        },
      ],
      ...{ consents: Array.from({ length: 900 }, () => 9), sites: [], packages: [] },
      ...{ heldConsents: [5], heldCategory: null },
    });
    let isOver = false;
    const running = run(false).finally(() => {
      isOver = true;
    });
    const counted = new Set<number | undefined>();
    while (!isOver) {
      counted.add((await run(true)).outcomes[0]?.recordsHeld);
      // SQLite answers within the same turn of the event loop, in which the run cannot go on.
      await nextTurn();
    }
    expect((await running).outcomes).toMatchObject([{ recordsAffected: 899, recordsHeld: 1 }]);
    expect([...counted]).toEqual([1]);
  });

  it('lets a legal hold take effect between batches only', async () => {
    await empty();
    const { datastore } = app.platform;
    const countWaiting = async () => {
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_locks
        where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(
        datastore.db,
      );
      return Number(rows[0]?.count);
    };
    const order: string[] = [];
    const hold = { recordId: null, reason: 'A lawsuit.', placedBy: 'ada' };
    let placing: Promise<unknown> | undefined;
    await datastore.transaction(async (trx) => {
      await lockRecords(trx, consentRecords);
      placing = placeHold(app.platform, consentRecords, hold).then(() => order.push('hold'));
      // SQLite has one transaction at a time.
      if (engine === 'postgres')
        await vi.waitFor(async () => expect(order.length + (await countWaiting())).toBe(1));
      order.push('batch');
    });
    await placing;
    expect(order).toEqual(['batch', 'hold']);
  });

  it('does not block recording consent', async () => {
    await empty();
    const { datastore, clock } = app.platform;
    const now = clock.now();
    const fields = { name: 'all', dataCategory: 'consent_records', periodUnit: 'days' as const };
    await datastore.transaction((trx) =>
      insertPolicy(trx, { ...fields, action: 'anonymise', periodValue: 1, isActive: true }, now),
    );
    for (let at = 0; at < 10; at++) {
      const rows = Array.from({ length: 1_000 }, (_, n) =>
        consentRow(now - 9 * DAY_MS, at * 1_000 + n),
      );
      await datastore.db.insertInto('consent_records').values(rows).execute();
    }
    let isOver = false;
    const running = run(false).finally(() => {
      isOver = true;
    });
    let answered = 0;
    while (!isOver) {
      const body = {
        visitor_id: `v-${answered}`,
        categories_accepted: [],
        categories_rejected: [],
        consent_action: 'reject_all',
      };
      const { status } = await app.http.post(`${ROOT}/consent`, { body });
      expect(status).toBe(200);
      answered++;
    }
    expect((await running).outcomes).toMatchObject([{ recordsAffected: 10_000 }]);
    expect(answered).toBeGreaterThan(10);
  });

  it.runIf(engine === 'postgres').each(RETENTION_ACTIONS)(
    'reads few records besides those that it changes (%s)',
    async (action) => {
      await empty();
      const { datastore, clock } = app.platform;
      const { db } = datastore;
      const now = clock.now();
      // In a small table the database rather reads all records than those of a batch by an index.
      const RECORDS = 100_000;
      await sql`insert into consent_records (visitor_id, categories_accepted, categories_rejected,
          consent_action, day, created_at, config_version, expires_at)
        select 'visitor-' || n, '[]', '[]', 'manage', '2024-01-01', 0, 0,
          ${now - RECORDS}::bigint + n from generate_series(1, ${RECORDS}::int) n`.execute(db);
      // As autovacuum does within a minute: without it, the plan depends on when it last ran.
      await sql`analyze consent_records`.execute(db);
      const type = { ...consentRecords, due: 'expires_at' };
      const due = { type, action, from: 0, before: now - RECORDS + 10_000 };
      let changed = 0;
      let read = 0;
      await processInBatches(datastore, due, {
        now: () => now,
        cause: { cause: 'retention', run: 1, policy: 1 },
        async record(trx, records) {
          changed += records;
          const { rows } = await sql<{ read: number }>`
            select seq_tup_read + idx_tup_fetch as read, pg_stat_force_next_flush()
            from pg_stat_xact_user_tables where relname = 'consent_records'`.execute(trx);
          read += Number(rows[0]?.read);
        },
      });
      expect(changed).toBe(9_999);
      expect(read / changed).toBeLessThan(10);
    },
  );
});
