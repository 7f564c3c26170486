import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { copyLog, logAll, withLogTables } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { unzip } from '../../../../test/support/unzip.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import {
  createCosigner,
  parseCheckpoint,
  parseProof,
  splitNote,
} from '../../../platform/transparency-log/index.ts';
import { openLog, readNewestCheckpoint } from '../index.ts';
import { saveWitnessRow, type WitnessRow } from '../witnesses/store.ts';

const ROOT = '/wp-json/svc/v1/consent';
const DAY = '2026-11-21';

describe.each(ENGINES)('The checkpoint of a proof on %s', (engine) => {
  const app = useTestApp(engine);
  const visitor = randomUUID();
  let headers: Record<string, string>;
  let record: number;
  let witnessed: WitnessRow;
  let repair: () => Promise<void>;

  const db = () => app.platform.datastore.db;
  const getProof = () => fetch(`${app.url}${ROOT}/records/${record}/proof`, { headers });
  const getBundle = () =>
    fetch(`${app.url}${ROOT}/log/bundle?date_from=${DAY}&date_to=${DAY}`, { headers });
  const readSize = (note: string) => parseCheckpoint(splitNote(note).text).size;
  const readProof = async () => parseProof(await (await getProof()).text());
  const readState = async () => (await app.http.get(`${ROOT}/log`, { headers })).json;

  async function logRecords(count: number): Promise<void> {
    const now = app.clock.now();
    const rows = Array.from({ length: count }, (_, at) => ({
      visitor_id: `visitor-${at}`,
      categories_accepted: '["functional"]',
      categories_rejected: '[]',
      consent_action: 'manage',
      day: DAY,
      created_at: now,
      expires_at: now + DAY_MS,
      salt: randomBytes(16),
    }));
    await db().insertInto('consent_records').values(rows).execute();
    await logAll(app);
  }

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    const body = { visitor_id: visitor, consent_action: 'accept_all' };
    record = (await app.http.post(ROOT, { body })).json.id;
    await logRecords(300);
    const log = openLog(app.platform, app.config);
    const head = await log.readHead().finally(() => log.close());
    const note = head?.checkpoint ?? '';
    const cosigner = createCosigner('witness.example.org', Buffer.alloc(32, 7));
    witnessed = {
      verifier_key: cosigner.verifierKey,
      size: head?.size ?? 0,
      checkpoint: note,
      cosignature: cosigner.cosign(splitNote(note).text, 1_795_000_000),
      cosigned_at: 1,
      ...{ error: null, error_at: null, failures: 0, contradicts: 0 },
    };
    await saveWitnessRow(db(), witnessed);
    await logRecords(300);
    repair = await copyLog(app);
  });
  afterEach(async () => {
    await repair();
    await saveWitnessRow(db(), witnessed);
  });

  it('is the newest that a witness has cosigned', async () => {
    const { checkpoint } = await readProof();
    expect(readSize(checkpoint)).toBe(witnessed.size);
    expect(checkpoint).toContain(witnessed.cosignature);
  });

  it('is the newest of the log if entries at the end of the cosigned one are missing', async () => {
    await withLogTables(app, async (log) => {
      await log.deleteFrom('consent_log_bundles').where('number', '=', 1).execute();
    });
    const { size } = await readState();
    expect(readSize((await readProof()).checkpoint)).toBe(size);
    expect((await app.http.get(`${ROOT}/receipt?visitor_id=${visitor}`)).status).toBe(200);
    const files = unzip(Buffer.from(await (await getBundle()).arrayBuffer()));
    const { total, proven, unproven } = JSON.parse(String(files.get('manifest.json'))).records;
    expect([total, proven + unproven]).toEqual([601, 601]);
    expect(unproven).toBeGreaterThan(250);
    expect(unproven).toBeLessThanOrEqual(256);
  });

  it('is the newest of the log if someone has changed the cosigned one', async () => {
    const { size } = await readState();
    const changed = witnessed.checkpoint?.replace('\n\n', '\nmore\n') ?? '';
    await saveWitnessRow(db(), { ...witnessed, checkpoint: changed });
    expect(await readState()).toMatchObject({ size, cosigned_checkpoint: null });
    expect(readSize((await readProof()).checkpoint)).toBe(size);
    expect((await getBundle()).status).toBe(200);
  });

  it.each([
    ['is no checkpoint', () => 'no note'],
    ['is of fewer entries', () => witnessed.checkpoint ?? ''],
  ])('is damaged if that of the log %s', async (_, toNote) => {
    await saveWitnessRow(db(), { ...witnessed, checkpoint: 'no note' });
    await withLogTables(app, async (log) => {
      await log.updateTable('consent_log_head').set({ checkpoint: toNote() }).execute();
    });
    for (const path of [
      `/records/${record}/proof`,
      `/receipt?visitor_id=${visitor}`,
      `/log/bundle?date_from=${DAY}&date_to=${DAY}`,
      '/log/checkpoint',
    ]) {
      const { status, json } = await app.http.get(`${ROOT}${path}`, { headers });
      expect([path, status, json?.code]).toEqual([path, 503, 'log_damaged']);
    }
    expect((await readState()).cosigned_checkpoint).toBeNull();
    await expect(readNewestCheckpoint(app.platform, app.config)).rejects.toThrow(
      /its checkpoint was changed.*pavis log verify/,
    );
  });
});
