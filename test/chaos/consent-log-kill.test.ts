import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openDatastore } from '../../src/platform/db/index.ts';
import { createLogger } from '../../src/platform/log.ts';
import {
  computeRoot,
  isConsistent,
  parseCheckpoint,
  proveConsistency,
  splitNote,
} from '../../src/platform/transparency-log/index.ts';
import { consentRecords } from '../../src/privacy/consent/index.ts';
import type { RawRow } from '../../src/privacy/consent-log/entries/encoding.ts';
import { createRecordEntries } from '../../src/privacy/consent-log/entries/entries.ts';
import { selectRecord } from '../../src/privacy/consent-log/entries/store.ts';
import { openLog, toEntryColumns } from '../../src/privacy/consent-log/index.ts';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { dataFolder, startServer } from '../support/process.ts';

const CONSENT = '/wp-json/svc/v1/consent';
const CALLERS = 16;
const ENTRY_BYTES = 34;
/** In all. Set it to 1000 for a long run. */
const KILLS = Number(process.env.CONSENT_LOG_KILLS ?? 20);
const LIFE_MS = 1_000;
/** How long the thread that writes the log may take to write. */
const START_MS = 20_000;

describe.concurrent.each(ENGINES)('the consent log on %s', (engine) => {
  const folder = dataFolder();
  const rounds = Math.ceil(KILLS / ENGINES.length);
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    database = await createDatabase(engine);
    env = {
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: database.url,
      PAVIS_CHROMIUM: 'off',
      PAVIS_RATE_LIMIT_CONSENT: 'off',
    };
  });
  afterAll(async () => {
    await database?.drop();
    folder.remove();
  });

  it(
    'contains every acknowledged choice, and never contradicts itself, whenever the server is killed',
    async ({ expect }) => {
      const datastore = await openDatastore(database.url, await createLogger('silent'));
      const log = openLog({ datastore }, { dataDir: folder.path });
      const acknowledged: number[] = [];
      let sent = 0;
      const seen: { size: number; root: Uint8Array }[] = [];
      async function noteCheckpoint() {
        const head = await log.readHead();
        if (!head) return undefined;
        const { size, root } = parseCheckpoint(splitNote(head.checkpoint).text);
        if (seen.at(-1)?.size !== size) seen.push({ size, root });
        return head;
      }

      async function watch(isOver: () => boolean) {
        while (!isOver()) {
          await noteCheckpoint();
          await wait(50);
        }
      }

      for (let round = 0; round < rounds; round++) {
        const server = await startServer(env);
        let isOver = false;
        async function caller(): Promise<void> {
          while (!isOver) {
            const body = { visitor_id: `v-${++sent}`, consent_action: 'accept_all' };
            const { status, json } = await server.http.post(CONSENT, { body });
            if (status === 200) acknowledged.push(json.id);
          }
        }
        const callers = Array.from({ length: CALLERS }, () => caller().catch(() => {}));
        // Half of the servers are killed before they have logged anything, the others while they do.
        const known = seen.length;
        const begunAt = Date.now();
        if (round % 2 === 1) {
          await watch(() => seen.length > known || Date.now() > begunAt + START_MS);
        }
        const endsAt = Date.now() + Math.random() * LIFE_MS;
        await watch(() => Date.now() > endsAt);
        server.child.kill('SIGKILL');
        isOver = true;
        await Promise.all(callers);
        await server.stop('SIGKILL');
        await noteCheckpoint();
      }

      expect(seen.length).toBeGreaterThanOrEqual(Math.floor(rounds / 2));
      const last = await startServer(env);
      expect(await last.stop()).toBe(0);
      const head = await noteCheckpoint();
      if (!head) throw new Error('nothing was logged');
      // Everything is logged before the server exits.
      const { rows: counts } = await sql<{ rows: number }>`
        select (select count(*) from consent_records)
          + (select count(*) from consent_log_records) as rows`.execute(datastore.db);
      expect(head.size).toBe(Number(counts[0]?.rows));
      expect(acknowledged.length).toBeGreaterThan(rounds);
      expect(await computeRoot(log.readTile, head.size)).toEqual(head.root);
      for (const [at, from] of seen.entries()) {
        const to = seen[at + 1];
        if (!to) continue;
        expect(to.size).toBeGreaterThan(from.size);
        const proof = await proveConsistency(log.readTile, from.size, to.size);
        const [fromSize, toSize] = [from.size, to.size];
        const isSame = { fromSize, fromRoot: from.root, toSize, toRoot: to.root, proof };
        expect([fromSize, toSize, isConsistent(isSame)]).toEqual([fromSize, toSize, true]);
      }

      const columns = toEntryColumns(consentRecords);
      const toEntry = createRecordEntries(columns, 0);
      const { rows } = await sql<RawRow & { id: number }>`
        select ${selectRecord(datastore.db, columns)} from consent_records`.execute(datastore.db);
      const entries = await log.readEntries(0, head.size);
      const indices = new Map<number, number>();
      for (const row of rows) {
        const index = await log.findIndex(1, row.id);
        if (index === undefined) continue;
        indices.set(row.id, index);
        const entry = entries.subarray(index * ENTRY_BYTES, (index + 1) * ENTRY_BYTES);
        expect([row.id, entry]).toEqual([row.id, toEntry(row).entry]);
      }
      expect(acknowledged.filter((id) => !indices.has(id))).toEqual([]);
      expect(new Set(indices.values()).size).toBe(rows.length);
      await log.close();
      await datastore.close();
    },
    60_000 + KILLS * 5_000,
  );
});
