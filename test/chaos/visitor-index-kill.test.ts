import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../support/engines.ts';
import { dataFolder, startServer } from '../support/process.ts';

const SEGMENTS = 160;
const RECORDS_PER_SEGMENT = 400;
const SEGMENT_IDS = 16_384;
/** Numbers from here on are those of merged segments. */
const MERGED = 2 ** 40;
/** From so many segments on, the lowest are merged. */
const MERGED_FROM = 64;
const KILLS = 4;

it('has one entry for each record in the index of visitors after kills during merges', async () => {
  const database = await createDatabase('sqlite');
  const folder = dataFolder();
  onTestFinished(async () => {
    await database.drop();
    folder.remove();
  });
  const file = new DatabaseSync(database.url.slice('sqlite:'.length), { timeout: 5_000 });
  onTestFinished(() => file.close());
  file.exec(`with recursive numbers (n) as (
      select 0 union all select n + 1 from numbers where n + 1 < ${SEGMENTS * RECORDS_PER_SEGMENT})
    insert into consent_records (id, visitor_id, categories_accepted, categories_rejected,
      consent_action, day, created_at, config_version, expires_at)
    select n / ${RECORDS_PER_SEGMENT} * ${SEGMENT_IDS} + n % ${RECORDS_PER_SEGMENT} + 1,
      lower(hex(randomblob(8))), '[]', '[]', 'manage', '2026-11-21', 0, 0, 0 from numbers;
    insert into consent_records (id, visitor_id, categories_accepted, categories_rejected,
      consent_action, day, created_at, config_version, expires_at)
    values (${SEGMENTS * SEGMENT_IDS}, 'last', '[]', '[]', 'manage', '2026-11-21', 0, 0, 0)`);
  const records = `select id, visitor_id from consent_records order by id`;
  const entries = `select id, visitor_id from index_consent_records_visitor_id order by id`;
  const countMerged = (): number =>
    Number(
      file
        .prepare(
          `select count(*) as merged from index_consent_records_visitor_id where segment >= ${MERGED}`,
        )
        .get()?.merged,
    );
  const countSmall = (): number =>
    Number(
      file
        .prepare(
          `select count(distinct segment) as small from index_consent_records_visitor_id where segment < ${MERGED}`,
        )
        .get()?.small,
    );
  const all = file.prepare(records).all();
  expect(file.prepare(entries).all()).toEqual(all);

  const start = () =>
    startServer({ PAVIS_DATA_DIR: folder.path, PAVIS_DATABASE_URL: database.url });
  for (let kills = 0; kills < KILLS; kills++) {
    const before = countMerged();
    const server = await start();
    while (countMerged() < before + 2_000) await wait(5);
    await server.stop('SIGKILL');
    expect(countSmall()).toBeGreaterThanOrEqual(MERGED_FROM);
    expect(file.prepare(entries).all()).toEqual(all);
  }
  const server = await start();
  await expect.poll(countSmall).toBeLessThan(MERGED_FROM);
  await server.stop();
  expect(file.prepare(entries).all()).toEqual(all);
  expect(file.prepare(records).all()).toEqual(all);
});
