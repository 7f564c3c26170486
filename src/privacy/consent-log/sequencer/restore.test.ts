import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { logAll, openTestAppender, verifyLogOf } from '../../../../test/support/consent-log.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { openPlatform } from '../../../modules/platform.ts';
import { Secret } from '../../../platform/crypto/secret.ts';
import { backupSqlite, restoreSqlite } from '../../../platform/db/index.ts';
import type { Platform } from '../../../platform/deps.ts';
import { readSettings, renewVersion } from '../../settings/service.ts';
import { openLog, recordRestore, restartLog } from '../index.ts';
import { toLogFile } from '../log/open.ts';
import { listPastLosses } from '../lost-log/history.ts';
import { noteHead, readNotedHead } from '../noted-head/service.ts';

/** An application, and what happens before and after a restore of its database. */
function useRestorableApp() {
  const app = useTestApp('sqlite');
  const file = () => app.config.databaseUrl.slice('sqlite:'.length);
  const decide = async (visitor_id: string): Promise<number> => {
    const body = { visitor_id, consent_action: 'accept_all' };
    return (await app.http.post('/wp-json/svc/v1/consent', { body })).json.id;
  };

  /** Another process that works on the restored file, with the log of this one. */
  async function restore(backup: string) {
    const database = `${backup}.restored`;
    restoreSqlite({
      file: backup,
      database,
      assertFits: () => {},
      changes: [],
      evenIfBroken: false,
    });
    const config = { ...app.config, databaseUrl: `sqlite:${database}` };
    const { log, clock, secret } = app.platform;
    const opened = await openPlatform(config, { secret: Buffer.alloc(32), log, clock });
    return { config, platform: { ...opened, secret } };
  }
  /** Saves a change for which visitors are not asked again. @returns the version */
  async function saveVersion(platform: Platform, title: string) {
    const siteUrl = () => 'https://www.example.com';
    const readAsked = async () => ({ vendors: [], purposes: [] });
    const scope = { platform, siteUrl, restRoot: siteUrl, timeZone: 'UTC', readAsked };
    await platform.datastore.transaction((trx, announce) =>
      renewVersion(trx, announce, scope, { title, ask_again_on: [] }),
    );
    return readSettings(platform.datastore.db, siteUrl());
  }

  return { app, file, decide, restore, saveVersion };
}

describe('a restored database', () => {
  const { app, file, decide, restore } = useRestorableApp();

  it('is logged with the choices that it does not have, whose ids are not given out again', async () => {
    await decide('before');
    await logAll(app);
    expect(await recordRestore(app.platform, app.config)).toBe(0);
    const backup = join(app.config.dataDir, 'backup.db');
    backupSqlite(file(), backup);
    const lost = [await decide('lost-1'), await decide('lost-2')];
    await logAll(app);

    const { config, platform } = await restore(backup);
    const { clock } = platform;
    try {
      expect(await recordRestore(platform, config)).toBe(2);
      expect(await recordRestore(platform, config)).toBe(0);
      const { db } = platform.datastore;
      const rows = await db
        .selectFrom('consent_log_records')
        .select(['kind', 'facts'])
        .where('kind', '=', 5)
        .execute();
      expect(rows.map(({ facts }) => JSON.parse(facts))).toEqual([
        {
          table: 'consent_records',
          ids: [lost],
          count: 2,
          created_at: expect.stringContaining('2026-'),
        },
      ]);
      expect(await listPastLosses(db, Buffer.alloc(32))).toEqual({
        lost_logs: [],
        restores: [
          {
            restored_at: new Date(clock.now()).toISOString(),
            ...{ consent_records: 2, log_records: 0 },
          },
        ],
      });
      const fields = {
        categories_accepted: '[]',
        categories_rejected: '[]',
        consent_action: 'manage',
        day: '2026-11-21',
        created_at: 1,
        expires_at: 2,
      };
      const { id } = await db
        .insertInto('consent_records')
        .values({ ...fields, visitor_id: 'after' })
        .returning('id')
        .executeTakeFirstOrThrow();
      expect(id).toBe((lost[1] ?? 0) + 1);

      const appender = await openTestAppender({ config, platform });
      expect((await appender.append(clock.now())).logged).toBe(2);
      await appender.close();
      const log = openLog(platform, config);
      for (const each of [...lost, id]) expect(await log.findIndex(1, each)).toBeDefined();
      await log.close();
    } finally {
      await platform.datastore.close();
    }
  });

  it('without a log is not logged', async () => {
    const empty = join(app.config.dataDir, 'elsewhere');
    expect(await recordRestore(app.platform, { dataDir: empty })).toBe(0);
  });
});

describe('a database restored from before the log was replaced', () => {
  const { app, file, decide, restore } = useRestorableApp();
  const log = async ({ config, platform }: Pick<typeof app, 'config' | 'platform'>) => {
    await logAll({ ...app, config, platform });
    const reader = openLog(platform, config);
    await noteHead(platform.datastore, reader).finally(() => reader.close());
  };

  it('continues the new log, which states the loss of the old one again', async () => {
    const seed = app.platform.secret.key('consent log');
    await decide('before');
    await log(app);
    const { origin: lost } = (await readNotedHead(app.platform.datastore.db)) ?? {};
    const backup = join(app.config.dataDir, 'before-restart.db');
    backupSqlite(file(), backup);
    await decide('between');
    await log(app);
    rmSync(toLogFile(app.config.dataDir));
    const { origin } = await restartLog(app.platform, app.config);
    await log(app);
    const last = [await decide('after-1'), await decide('after-2')][1] ?? 0;
    await log(app);

    const { config, platform } = await restore(backup);
    const { db } = platform.datastore;
    try {
      // Only a log with our signature is the one that followed.
      const foreign = { ...platform, secret: new Secret(Buffer.alloc(32, 9)) };
      expect(await recordRestore(foreign, config)).toBe(0);
      // Three choices, and the statement of the loss.
      expect(await recordRestore(platform, config)).toBe(4);
      expect(await recordRestore(platform, config)).toBe(0);
      expect(await readNotedHead(db)).toMatchObject({ origin });
      const at = new Date(app.clock.now()).toISOString();
      expect(await listPastLosses(db, seed)).toMatchObject({
        lost_logs: [{ origin: lost, replaced_at: at }],
        restores: [{ restored_at: at, consent_records: 3, log_records: 1 }],
      });
      await sql`insert into consent_records (visitor_id, categories_accepted, categories_rejected,
          consent_action, day, created_at, expires_at, salt)
        values ('new', '[]', '[]', 'manage', '2026-11-21', 1, 2, ${Buffer.alloc(16)})`.execute(db);
      await log({ config, platform });
      expect(await verifyLogOf({ config, platform })).toMatchObject({
        ...{ ok: true, problems: [], origin, lost_logs: [{ origin: lost }] },
        consent_records: { earlier: 1, intact: 1, lost: 3 },
      });
      const { rows } = await sql<{ id: number }>`select max(id) as id from consent_records`.execute(
        db,
      );
      expect(rows[0]?.id).toBe(last + 1);
    } finally {
      await platform.datastore.close();
    }
  });
});

describe('a restored database that has lost banner versions', () => {
  const { app, file, decide, restore, saveVersion } = useRestorableApp();

  it('gives new ones other numbers, asks again once, and is explained to a verification', async () => {
    const { version: first } = await saveVersion(app.platform, 'First');
    await logAll(app);
    const backup = join(app.config.dataDir, 'versions.db');
    backupSqlite(file(), backup);
    await saveVersion(app.platform, 'Second');
    await decide('between');
    const { version: lost, askedSince } = await saveVersion(app.platform, 'Third');
    expect([lost, askedSince]).toEqual([first + 2, expect.toSatisfy((since) => since <= first)]);
    await logAll(app);
    const { config, platform } = await restore(backup);
    try {
      const moments = Array.from({ length: 9 }, (_, ms) => app.clock.now() + ms);
      const now = () => moments.shift() ?? app.clock.now();
      const clock = { now, monotonic: () => app.clock.monotonic() };
      await recordRestore({ ...platform, clock }, config);
      expect(
        (await listPastLosses(platform.datastore.db, Buffer.alloc(32))).restores,
      ).toMatchObject([{ consent_records: 1, log_records: 2 }]);
      const next = lost + 1;
      expect(await saveVersion(platform, 'Fourth')).toMatchObject({
        version: next,
        askedSince: next,
      });
      expect(await saveVersion(platform, 'Fifth')).toMatchObject({ askedSince: next });
      await logAll({ ...app, config, platform });
      expect(await verifyLogOf({ config, platform })).toMatchObject({
        problems: [],
        consent_records: { lost: 1 },
        log_records: { lost: 2 },
      });
    } finally {
      await platform.datastore.close();
    }
  });
});
