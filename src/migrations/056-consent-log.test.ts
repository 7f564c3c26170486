import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { openOldDatabase } from '../../test/support/old-database.ts';
import { findFact } from '../platform/db/index.ts';

describe.each(ENGINES)('A database from before the consent log on %s', (engine) => {
  it('gets a salt for each record, and entries for its banner versions and pictures', async () => {
    const { db, upgrade, close } = await openOldDatabase(engine, '056-consent-log');
    for (const visitor of ['a', 'b', 'c']) {
      await sql`insert into consent_records (visitor_id, categories_accepted, categories_rejected,
          consent_action, day, created_at, expires_at)
        values (${visitor}, '[]', '[]', 'reject_all', '2026-01-01', 1, 2)`.execute(db);
    }
    await sql`insert into consent_configs (hash, config, created_at)
      values ('h', '{}', 1000)`.execute(db);
    await sql`insert into banner_picture_files (sha256, png) values ('s', ${Buffer.of(1)})`.execute(
      db,
    );
    for (const layer of ['first', 'second']) {
      await sql`insert into banner_pictures (version, language, layer, viewport, scheme,
          shown_hash, build_hash, sha256, taken_at)
        values (1, 'en', ${layer}, 'wide', 'light', 'x', 'b', 's', 2000)`.execute(db);
    }

    await upgrade();
    const records = await db.selectFrom('consent_records').select(['id', 'salt']).execute();
    const salts = records.map(({ salt }) => Buffer.from(salt ?? []).toString('hex'));
    expect(salts.every((salt) => salt.length === 32)).toBe(true);
    expect(new Set(salts).size).toBe(3);
    expect(await findFact(db, 'consent records before the log')).toBe('3');
    const picture = (layer: string) =>
      `{"build_hash":"b","language":"en","layer":"${layer}","scheme":"light","sha256":"s","viewport":"wide"}`;
    expect(
      await db
        .selectFrom('consent_log_records')
        .select(['kind', 'facts', 'created_at'])
        .orderBy('id')
        .execute(),
    ).toEqual([
      {
        kind: 2,
        facts: '{"config_hash":"h","created_at":"1970-01-01T00:00:01.000Z","version":1}',
        created_at: 1000,
      },
      {
        kind: 8,
        facts: `{"created_at":"1970-01-01T00:00:02.000Z","pictures":[${picture('first')},${picture('second')}],"version":1}`,
        created_at: 2000,
      },
    ]);
    await close();
  });
});
