import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { logAll, verifyLogOf } from '../../../../test/support/consent-log.ts';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { dumpDatabase } from '../../../../test/support/dump.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { dataFolder } from '../../../../test/support/process.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { createDelivery, sendDueMails } from '../../../mail/index.ts';
import { PERSONAL_DATA } from '../../../modules/personal-data.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { eraseCompletedRequests } from '../../dsar/erasures/erase-request.ts';
import { purgeIfRequested } from '../../dsar/erasures/purger.ts';
import { runRetention } from '../../retention/index.ts';
import { insertPolicy } from '../../retention/store.ts';

const ROOT = '/wp-json/svc/v1';
/** On each engine. Set it to 1000 for a long run. */
const ERASURES = Number(process.env.PAVIS_TEST_ERASURES ?? 50);
const RETAINED = 40;
const AT_ONCE = 4;

describe.each(ENGINES)('A consent log that forgets, on %s', (engine) => {
  const folder = dataFolder();
  const app = useTestApp(engine, { PAVIS_DATA_DIR: folder.path });
  const dsarClient = createDsarClient(app);
  const db = () => app.platform.datastore.db;
  afterAll(() => folder.remove());

  /** A text that is in the records of a group of visitors, and nowhere else. */
  const toMarker = (group: string) => `zq7-${engine}-${group}-x9f`;
  const GONE = ['erased', 'anonymised', 'deleted'];
  /** The salts of records that are removed, as bytes in Latin-1. */
  let salts: string[] = [];

  const decide = async (group: string, n: number): Promise<void> => {
    const marker = `${toMarker(group)}-${n}`;
    const page_url = `https://shop.example/${marker}?from=${marker}`;
    const body = { visitor_id: marker, consent_action: 'accept_all', page_url, language: 'en' };
    expect((await app.http.post(`${ROOT}/consent`, { body })).status).toBe(200);
  };
  const decideAll = async (group: string, count: number): Promise<void> => {
    for (let n = 0; n < count; n++) await decide(group, n);
    await logAll(app);
  };

  /** Erases a visitor as an administrator does, from the request to its last email. */
  async function erase(n: number): Promise<void> {
    const marker = `${toMarker('erased')}-${n}`;
    const body = { request_type: 'deletion', email: `${marker}@example.com`, first_name: marker };
    const { id } = (await dsarClient.intake(body)).json;
    // As in the visitor's own cookie.
    await db().updateTable('dsar_cases').set({ visitor_id: marker }).where('id', '=', id).execute();
    const put = (change: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, change);
    await put({ status: 'in_progress' });
    await dsarClient.approve(id);
    await dsarClient.work();
    expect((await put({ status: 'completed', reason: 'It is done.' })).status).toBe(200);
  }
  async function finishErasures(): Promise<void> {
    const delivery = createDelivery({
      smtpUrl: undefined,
      from: { name: '', address: 'privacy@example.com' },
      folder: join(folder.path, 'mail'),
    });
    while (await sendDueMails(app.platform, delivery)) {}
    await eraseCompletedRequests(dsarClient.dsar());
    while (await purgeIfRequested(dsarClient.dsar())) {}
  }

  async function retain(): Promise<void> {
    await db().deleteFrom('retention_policies').execute();
    const fields = { dataCategory: 'consent_records', periodUnit: 'days', isActive: true } as const;
    await app.platform.datastore.transaction(async (trx) => {
      for (const [action, periodValue] of [
        ['anonymise', 30],
        ['delete', 800],
      ] as const) {
        await insertPolicy(trx, { ...fields, name: action, action, periodValue }, 1);
      }
    });
    const scope = { personalData: PERSONAL_DATA, timeZone: 'UTC' };
    await runRetention(app.platform, scope, { dryRun: false, startedBy: 'a test' });
  }

  const listFiles = (path: string): string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
      const name = join(path, entry.name);
      return entry.isDirectory() ? listFiles(name) : [name];
    });
  /** Which texts, of bytes as Latin-1, are in a file of the installation, or on PostgreSQL in a row. */
  async function found(texts: readonly string[]): Promise<string[]> {
    const folders = [folder.path];
    if (engine === 'sqlite') folders.push(dirname(app.config.databaseUrl.slice('sqlite:'.length)));
    const bytes = folders.flatMap(listFiles).map((file) => readFileSync(file, 'latin1'));
    if (engine === 'postgres') bytes.push(await dumpDatabase(app.platform), await dumpBytes());
    return texts.filter((text) => bytes.some((each) => each.includes(text)));
  }
  const readSalts = async () =>
    (
      await sql<{ salt: Uint8Array | null; personal_hash: Uint8Array | null }>`
      select salt, personal_hash from consent_records order by id`.execute(db())
    ).rows;
  const dumpBytes = async () =>
    (await readSalts())
      .flatMap(({ salt, personal_hash: kept }) => [salt, kept])
      .map((bytes) => Buffer.from(bytes ?? []).toString('latin1'))
      .join('\n');

  beforeAll(async () => {
    await decideAll('deleted', RETAINED);
    app.clock.advance(800 * DAY_MS);
    await decideAll('anonymised', RETAINED);
    app.clock.advance(800 * DAY_MS);
    await decideAll('erased', ERASURES);
    salts = (await readSalts()).map(({ salt }) => Buffer.from(salt ?? []).toString('latin1'));
    await decideAll('kept', 3);
    expect(await found([...GONE.map(toMarker), ...salts])).toHaveLength(3 + salts.length);
  });

  it(
    `verifies after retention and ${ERASURES} erasures, of which no byte is left`,
    async () => {
      await retain();
      await logAll(app);
      let next = 0;
      const eraseOthers = async () => {
        while (next < ERASURES) await erase(next++);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, eraseOthers));
      await finishErasures();
      await logAll(app);

      const { ok, problems, consent_records } = await verifyLogOf(app);
      expect(problems).toEqual([]);
      expect({ ok, ...consent_records }).toMatchObject({
        ok: true,
        deleted: RETAINED,
        // The withdrawal that an erasure adds is a record of the same person.
        anonymised: RETAINED + 2 * ERASURES,
        intact: 3,
      });
      expect(await found([...GONE.map(toMarker), ...salts])).toEqual([]);
      expect(await found([toMarker('kept')])).toHaveLength(1);
    },
    60_000 + ERASURES * 2_000,
  );

  it('reports only the records that SQL removes', async () => {
    const { rows } = await sql<{ id: number }>`select id from consent_records
      where visitor_id like ${`${toMarker('kept')}%`} order by id`.execute(db());
    const [first, second] = rows;
    await sql`delete from consent_records where id = ${first?.id}`.execute(db());
    await sql`update consent_records set salt = null, visitor_id = 'anonymised-x', source = null,
      language = null, page_url = null, gpc = null, anonymised_at = 1 where id = ${second?.id}`.execute(
      db(),
    );
    const { problems } = await verifyLogOf(app);
    expect(problems).toMatchObject([
      { kind: 'missing', first_id: first?.id, last_id: first?.id },
      { kind: 'altered', first_id: second?.id, last_id: second?.id },
    ]);
  });
});
