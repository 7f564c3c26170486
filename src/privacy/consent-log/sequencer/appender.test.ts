import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { logAll, openTestAppender } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { toIsoMoment } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import {
  computeRoot,
  createSigner,
  formatCheckpoint,
  isConsistent,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  proveConsistency,
} from '../../../platform/transparency-log/index.ts';
import { openLog } from '../index.ts';

const ORIGIN = 'www.example.com/pavis-consent';

let made = 0;

describe.each(ENGINES)('the writer of the consent log on %s', (engine) => {
  const app = useTestApp(engine);
  const db = () => app.platform.datastore.db;
  const open: { close(): Promise<void> }[] = [];
  const openReader = () => {
    const log = openLog(app.platform, app.config);
    open.push(log);
    return log;
  };
  const openWriter = async () => {
    const writer = await openTestAppender(app);
    open.push(writer);
    return writer;
  };
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close();
  });

  /** Inserts decisions with the given ids, or the next ones. */
  async function decide(count: number, ids: number[] = []): Promise<void> {
    const rows = Array.from({ length: ids.length || count }, (_, at) => ({
      ...(ids[at] !== undefined && { id: ids[at] }),
      visitor_id: `visitor-${++made}`,
      categories_accepted: '["functional"]',
      categories_rejected: '[]',
      consent_action: 'manage',
      day: '2026-11-21',
      created_at: app.clock.now(),
      config_version: null,
      expires_at: app.clock.now() + DAY_MS,
      source: null,
      language: null,
      page_url: null,
      gpc: null,
    }));
    await db().insertInto('consent_records').values(rows).execute();
  }

  const listIds = async () =>
    (await db().selectFrom('consent_records').select('id').orderBy('id').execute()).map(
      ({ id }) => id,
    );

  /** Checks signature and root, and that every decision has one entry. */
  async function verify() {
    const log = openReader();
    const head = await log.readHead();
    if (!head) throw new Error('there is no head');
    const { verifierKey } = createSigner(ORIGIN, app.platform.secret.key('consent log'));
    const { text } = openNote(head.checkpoint, [parseVerifierKey(verifierKey)]);
    expect(parseCheckpoint(text)).toEqual({ origin: ORIGIN, size: head.size, root: head.root });
    expect(await computeRoot(log.readTile, head.size)).toEqual(head.root);
    expect(await log.readEntries(0, head.size)).toHaveLength(head.size * 34);
    const ranges = await log.listRanges(0, 10_000);
    const covered = ranges.flatMap(({ first_index: first, count }) =>
      Array.from({ length: count }, (_, at) => first + at),
    );
    expect(covered).toEqual(Array.from({ length: head.size }, (_, at) => at));
    const indices = new Set<number>();
    for (const id of await listIds()) {
      const index = await log.findIndex(1, id);
      expect([id, index]).toEqual([id, expect.any(Number)]);
      indices.add(index as number);
    }
    expect(indices.size).toBe((await listIds()).length);
    return head;
  }

  it('has nothing to read before something is logged', async () => {
    const log = openReader();
    expect(await log.readHead()).toBeUndefined();
    expect(await log.findIndex(1, 1)).toBeUndefined();
    expect(await log.listRanges(0, 10)).toEqual([]);
    expect(await log.readLastIds()).toEqual({ 1: 0, 2: 0 });
    await expect(log.readEntries(0, 1)).rejects.toThrow('does not have entry 0');
    const writer = await openWriter();
    expect(await writer.append(app.clock.now())).toEqual({ logged: 0, hasMore: false });
    expect(await log.readHead()).toBeUndefined();
  });

  it('appends every row once, and each checkpoint contains the earlier ones', async () => {
    const log = openReader();
    let before: Awaited<ReturnType<typeof verify>> | undefined;
    for (const count of [1, 254, 1, 1, 300, 70_000]) {
      for (let left = count; left > 0; left -= 1_000) await decide(Math.min(left, 1_000));
      await logAll(app);
      if (count === 70_000) break;
      const head = await verify();
      if (before) {
        const proof = await proveConsistency(log.readTile, before.size, head.size);
        const [from, to] = [before, head];
        expect(
          isConsistent({
            fromSize: from.size,
            fromRoot: from.root,
            toSize: to.size,
            toRoot: to.root,
            proof,
          }),
        ).toBe(true);
      }
      before = head;
    }
    const head = await log.readHead();
    expect(head?.size).toBe(70_557);
    expect(await computeRoot(log.readTile, 70_557)).toEqual(head?.root);
    expect(await log.readTile(2, 0, 1)).toHaveLength(32);
    expect(await log.listRanges(0, 10)).toHaveLength(1);
    await db().deleteFrom('consent_records').where('id', '>', 600).execute();
  });

  it('lets one of two writers begin again, so that no row is logged twice', async () => {
    const [one, other] = [await openWriter(), await openWriter()];
    await one.append(app.clock.now());
    await other.append(app.clock.now());
    const { size } = await verify();
    for (let round = 0; round < 5; round++) {
      await decide(3);
      const results = await Promise.allSettled([
        one.append(app.clock.now()),
        other.append(app.clock.now()),
      ]);
      const logged = results.map((each) => (each.status === 'fulfilled' ? each.value.logged : 0));
      expect(logged.sort()).toEqual([0, 3]);
    }
    expect((await verify()).size).toBe(size + 15);
  });

  if (engine === 'postgres') {
    it('finds a row whose transaction was open for more than ten minutes within ten minutes', async () => {
      const writer = await openWriter();
      await decide(1);
      while ((await writer.append(app.clock.now())).hasMore) {}
      const last = (await listIds()).at(-1) ?? 0;
      const [late, next] = [last + 1, last + 2];
      await decide(0, [next]);
      await db().executeQuery(
        sql`select setval(pg_get_serial_sequence('consent_records', 'id'), ${next}::bigint)`.compile(
          db(),
        ),
      );
      await writer.append(app.clock.now());
      const log = openReader();
      for (let minute = 1; (await log.findIndex(1, late)) === undefined; minute++) {
        expect(minute).toBeLessThan(22);
        if (minute === 12) await decide(0, [late]);
        app.clock.advance(MINUTE_MS);
        await decide(1);
        await writer.append(app.clock.now());
      }
    });
  }

  it('signs a new checkpoint of the same size when the last one is a day old', async () => {
    const before = await verify();
    app.clock.advance(DAY_MS - 1);
    await logAll(app);
    expect(await verify()).toEqual(before);
    app.clock.advance(1);
    await logAll(app);
    expect(await verify()).toEqual({ ...before, signedAt: before.signedAt + DAY_MS });
  });

  it('signs a new checkpoint when the clock was set back, and the next after a day', async () => {
    const before = await verify();
    const now = app.clock.now() - 3 * DAY_MS;
    app.clock.set(toIsoMoment(now));
    await logAll(app);
    expect(await verify()).toEqual({ ...before, signedAt: now });
    app.clock.advance(DAY_MS - 1);
    await logAll(app);
    expect(await verify()).toEqual({ ...before, signedAt: now });
  });

  it('keeps the name of the log', async () => {
    const { origin } = await verify();
    expect(origin).toBe(ORIGIN);
    expect(formatCheckpoint({ origin, size: 0, root: Buffer.alloc(32) })).toContain(ORIGIN);
  });

  it.runIf(engine === 'postgres')(
    'looks again for ids that were passed over when the clock was set back',
    async () => {
      const last = (await listIds()).at(-1) ?? 0;
      const writer = await openWriter();
      await decide(0, [last + 2]);
      await writer.append(app.clock.now());
      // No longer looked for in each run.
      app.clock.advance(11 * MINUTE_MS);
      await decide(0, [last + 3]);
      await writer.append(app.clock.now());
      app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
      await decide(0, [last + 1]);
      expect((await writer.append(app.clock.now())).logged).toBe(1);
      await sql`select setval(pg_get_serial_sequence('consent_records', 'id'), ${last + 3})`.execute(
        db(),
      );
    },
  );

  it.runIf(engine === 'postgres')('logs ids that are committed after higher ones', async () => {
    const last = (await listIds()).at(-1) ?? 0;
    const writer = await openWriter();
    await decide(0, [last + 2, last + 5, last + 9]);
    expect((await writer.append(app.clock.now())).logged).toBe(3);
    await decide(0, [last + 1, last + 4, last + 7]);
    expect((await writer.append(app.clock.now())).logged).toBe(3);
    await decide(0, [last + 8, last + 12]);
    expect((await writer.append(app.clock.now())).logged).toBe(2);
    expect((await writer.append(app.clock.now())).logged).toBe(0);
    // Later than ids that were passed over are looked for, they are found after a start.
    app.clock.advance(11 * 60_000);
    await decide(0, [last + 13]);
    await writer.append(app.clock.now());
    await decide(0, [last + 3, last + 10]);
    expect((await writer.append(app.clock.now())).logged).toBe(0);
    await logAll(app);
    await verify();
    await sql`select setval(pg_get_serial_sequence('consent_records', 'id'), ${last + 13})`.execute(
      db(),
    );
  });
});
