import { hash, randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { addForeignFacts, logAll } from '../../../../test/support/consent-log.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { unzip } from '../../../../test/support/unzip.ts';
import { verifyBundle } from '../../../../web/receipt-verifier/bundle.ts';
import { recordFact } from '../../../platform/db/index.ts';
import { noteWritten, toChecksums, type WrittenFile, zipFiles } from '../../../platform/zip.ts';
import { consentRecords } from '../../consent/index.ts';
import { insertPictures } from '../../consent/pictures/store.ts';
import { toEntryColumns } from '../entries/columns.ts';
import { encodeRow } from '../entries/encoding.ts';
import { hashPersonal } from '../entries/hashing.ts';
import { LAST_ID_BEFORE_LOG } from '../entries/kinds.ts';
import { listRecordsOf } from './store.ts';

const ROOT = '/wp-json/svc/v1/consent';
/** More than one file of records. */
const RECORDS = 502;

describe.each(ENGINES)('GET /consent/log/bundle on %s', (engine) => {
  const app = useTestApp(engine);
  let headers: Record<string, string>;
  let day: string;
  let bundle: Buffer;

  const ask = (query: Record<string, string>) =>
    app.http.get(`${ROOT}/log/bundle?${new URLSearchParams(query)}`, { headers });

  async function choose(language = 'en'): Promise<number> {
    const { version } = (await app.http.get(`${ROOT}/status`)).json;
    const body = { visitor_id: randomUUID(), consent_action: 'reject_all', language };
    return (await app.http.post(ROOT, { body: { ...body, config_version: version } })).json.id;
  }

  async function download(): Promise<Buffer> {
    const query = new URLSearchParams({ date_from: day, date_to: day });
    const answer = await fetch(`${app.url}${ROOT}/log/bundle?${query}`, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
    return Buffer.from(await answer.arrayBuffer());
  }

  const verify = (archive: Buffer, keys: string[] = []) =>
    verifyBundle(new Blob([new Uint8Array(archive)]), keys);

  /** The bundle with other contents of one file. */
  async function change(path: string, edit: (content: string) => string): Promise<Buffer> {
    const files = unzip(bundle);
    const changed = [...files].map(([name, content]) => ({
      path: name,
      chunks: () => [name === path ? edit(String(content)) : content],
    }));
    return buffer(zipFiles(changed, 0));
  }

  /** The bundle with other contents of one file, and with the checksums of what it then has. */
  function forge(path: string, edit: (content: string) => string): Promise<Buffer> {
    const files = new Map<string, Buffer | string>(unzip(bundle));
    files.delete('SHA256SUMS');
    files.set(path, edit(String(files.get(path) ?? '')));
    const written: WrittenFile[] = [];
    const listed = [...files].map(([name, content]) =>
      noteWritten({ path: name, chunks: () => [content] }, written),
    );
    const sums = { path: 'SHA256SUMS', chunks: () => toChecksums(written).chunks() };
    return buffer(zipFiles([...listed, sums], 0));
  }

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    day = new Date(app.clock.now()).toISOString().slice(0, 10);
  });

  it('refuses periods that are no period, or have no records, and callers without rights', async () => {
    const reversed = await ask({ date_from: '2026-02-01', date_to: '2026-01-01' });
    expect([reversed.status, reversed.json.data.params]).toEqual([
      400,
      { date_to: expect.stringContaining('before it begins on 2026-02-01') },
    ]);
    expect((await ask({ date_from: '2026-02-31', date_to: '2026-03-01' })).status).toBe(400);
    expect((await ask({ date_from: '2026-02-01' })).status).toBe(400);
    const empty = await ask({ date_from: '2020-01-01', date_to: '2020-01-31' });
    expect([empty.status, empty.json.message]).toEqual([
      404,
      'There are no consent records from 2020-01-01 to 2020-01-31. Choose another period.',
    ]);
    const path = `${ROOT}/log/bundle?date_from=2020-01-01&date_to=2020-01-31`;
    expect((await app.http.get(path)).status).toBe(401);
  });

  it('has every record of the period, and every one verifies', async () => {
    const first = await choose('de');
    await choose();
    const { db } = app.platform.datastore;
    const like = await db
      .selectFrom('consent_records')
      .selectAll()
      .where('id', '=', first)
      .executeTakeFirstOrThrow();
    const { id, salt, ...row } = like;
    const rows = Array.from({ length: RECORDS - 2 }, () => ({
      ...row,
      visitor_id: randomUUID(),
      salt: crypto.getRandomValues(new Uint8Array(16)),
    }));
    for (let at = 0; at < rows.length; at += 100)
      await db
        .insertInto('consent_records')
        .values(rows.slice(at, at + 100))
        .execute();
    await recordFact(db, LAST_ID_BEFORE_LOG, '1');
    await logAll(app);
    bundle = await download();
    const { key } = await verify(bundle);
    expect(await verify(bundle, [key])).toMatchObject({
      ...{ from: day, to: day, records: RECORDS, anonymised: 0, earlier: 1, notLogged: 0 },
      ...{ versions: 1, isKeyKnown: true, problems: [] },
    });
    const files = unzip(bundle);
    const records = [...files.keys()].filter((path) => path.startsWith('records/'));
    expect(records).toEqual(['records/000001.jsonl', 'records/000002.jsonl']);
    const manifest = JSON.parse(String(files.get('manifest.json')));
    expect(manifest.records).toEqual({
      total: RECORDS,
      proven: RECORDS,
      not_logged: 0,
      altered: 0,
      unproven: 0,
    });
    expect(manifest.time_zone).toBe('UTC');
    expect(String(files.get('README.txt'))).toContain('days are those of the time zone UTC');
    expect(String(files.get('versions/1.json'))).toContain('"categories"');
  });

  it('is found to be changed, whatever byte of it was changed', async () => {
    const swap = (from: string, to: string) => (content: string) => {
      expect(content).toContain(from);
      return content.replace(from, to);
    };
    const record = 'records/000001.jsonl';
    const changed = await change(record, swap('reject_all', 'accept_all'));
    expect((await verify(changed)).problems).toEqual([
      { path: record, fault: 'checksum' },
      { path: record, line: 1, fault: 'entry' },
    ]);
    const text = await change('versions/1.json', swap('"categories"', '"kategories"'));
    expect((await verify(text)).problems).toEqual([
      { path: 'versions/1.json', fault: 'checksum' },
      { path: 'versions/1.json', fault: 'entry' },
    ]);
    const readme = await change('README.txt', swap('proofs', 'Proofs'));
    expect((await verify(readme)).problems).toEqual([{ path: 'README.txt', fault: 'checksum' }]);
    const dropped = await change('records/000002.jsonl', (all) => all.slice(all.indexOf('\n') + 1));
    expect((await verify(dropped)).problems).toContainEqual({
      path: 'manifest.json',
      fault: 'count',
    });
    const other = await change('checkpoint.txt', (note) => note.replace(/^\d+$/m, '3'));
    await expect(verify(other)).rejects.toThrow('checkpoint');
    await expect(verify(Buffer.from('no archive'))).rejects.toThrow('no_bundle');
    // In the archive itself: at most its times and the like are not contents.
    const at = bundle.indexOf('records/000001.jsonl') + 200;
    const flipped = Buffer.from(bundle);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    expect((await verify(flipped)).problems.length).toBeGreaterThan(0);
  });

  it('is found to be changed if a line has no end, also with the right checksums', async () => {
    const path = 'records/000002.jsonl';
    const added = await forge(path, (all) => all + all.slice(0, all.indexOf('\n')));
    expect((await verify(added)).problems).toEqual([{ path, line: 3, fault: 'line' }]);
    const facts = await forge('versions.jsonl', (all) => all.trimEnd());
    expect((await verify(facts)).problems).toContainEqual({
      ...{ path: 'versions.jsonl', line: 1, fault: 'line' },
    });
    const sums = await change('SHA256SUMS', (all) => `${all}${'0'.repeat(64)}  gone.txt`);
    const line = String(unzip(bundle).get('SHA256SUMS')).split('\n').length;
    expect((await verify(sums)).problems).toEqual([{ path: 'SHA256SUMS', line, fault: 'line' }]);
  });

  it('is found to be changed if a line has members beside those that prove it', async () => {
    const path = 'records/000001.jsonl';
    const edit = (to: (line: Record<string, string>) => object) => (all: string) => {
      const end = all.indexOf('\n');
      return JSON.stringify(to(JSON.parse(all.slice(0, end)))) + all.slice(end);
    };
    const changes: Parameters<typeof edit>[0][] = [
      ({ salt = '', personal = '', ...line }) => ({
        ...{ ...line, personal: personal.replace('"de"', '"en"') },
        personal_hash: hashPersonal(Buffer.from(salt, 'base64'), personal).toString('base64'),
      }),
      (line) => ({ ...line, note: 'Verified by the supervisory authority.' }),
    ];
    const twice = (all: string) => all.replace('{', '{"facts":"{}",');
    for (const each of [...changes.map(edit), twice]) {
      const { problems } = await verify(await forge(path, each));
      expect(problems).toEqual([{ path, line: 1, fault: 'line' }]);
    }
  });

  it('is found to be changed if it has versions or pictures that were not logged', async () => {
    for (const path of ['versions/2.json', `pictures/${'0'.repeat(64)}.png`]) {
      const { problems } = await verify(await forge(path, () => '{}'));
      expect(problems).toEqual([{ path, fault: 'unlogged' }]);
    }
  });

  it('is found to be changed if an entry about a banner has no place in the log', async () => {
    const path = 'versions.jsonl';
    const added = await forge(path, (all) => `${all}{"facts":"{\\"version\\":1}"}\n`);
    expect((await verify(added)).problems).toEqual([{ path, line: 2, fault: 'unlogged' }]);
  });

  it('has the pictures of its banner versions once they are logged', async () => {
    const png = Buffer.from('a picture');
    const sha256 = hash('sha256', png);
    const picture = { language: 'en', layer: 'banner', viewport: 'phone', scheme: 'light' };
    const taken = { ...picture, shown_hash: 'x', build_hash: 'y', sha256, taken_at: 1 };
    await app.platform.datastore.transaction((trx) =>
      insertPictures(trx, 1, [taken], { files: new Map([[sha256, png]]), at: 1 }),
    );
    for (const pictures of [0, 1]) {
      const archive = await download();
      expect(await verify(archive)).toMatchObject({ pictures, problems: [] });
      const entries = String(unzip(archive).get('versions.jsonl')).split('\n').filter(Boolean);
      expect(entries).toHaveLength(1 + pictures);
      await logAll(app);
    }
  });

  it('keeps records provable that were anonymised, and says which are not logged or were altered', async () => {
    const { db } = app.platform.datastore;
    const columns = toEntryColumns(consentRecords);
    const page = { first: 2, last: 2, limit: 1 };
    const [row] = await listRecordsOf(db, columns, { from: day, to: day }, page);
    const personal = encodeRow(row ?? {}, columns.personal);
    const personal_hash = hashPersonal(row?.salt as Uint8Array, personal);
    const update = (id: number, set: object) =>
      db.updateTable('consent_records').set(set).where('id', '=', id).execute();
    const gone = { visitor_id: 'gone', language: null, salt: null, personal_hash };
    await update(2, { ...gone, anonymised_at: app.clock.now() });
    await update(3, { consent_action: 'accept_all' });
    await choose();
    bundle = await download();
    const { records, anonymised, notLogged, problems } = await verify(bundle);
    expect([records, anonymised, notLogged]).toEqual([RECORDS + 1, 1, 1]);
    expect(problems).toEqual([{ path: 'records/000001.jsonl', line: 3, fault: 'entry' }]);
    const manifest = JSON.parse(String(unzip(bundle).get('manifest.json')));
    expect(manifest.records).toMatchObject({ not_logged: 1, altered: 1 });
  });

  it('is in the security log, with the number of its records', async () => {
    await app.platform.securityLog.flush();
    const [event] = (
      await app.http.get('/wp-json/svc/v1/security-log?event=data_exported', { headers })
    ).json;
    expect(event.details).toMatchObject({ what: 'consent_bundle', records: RECORDS + 1 });
  });

  it('is intact while a banner version and the records that state it are not logged yet', async () => {
    await logAll(app);
    const body = { consent: { title: 'Another title' } };
    await app.http.request('PUT', '/wp-json/svc/v1/settings', { headers, body });
    await choose();
    const { problems, notLogged } = await verify(await download());
    expect(notLogged).toBe(1);
    expect(problems.map(({ path }) => path)).toEqual(['records/000001.jsonl']);
  });

  it('is made although someone has added facts about banners', async () => {
    const { version } = (await app.http.get(`${ROOT}/status`)).json;
    for (const facts of [
      'no JSON',
      'null',
      `{"version":${version},"pictures":[null,{"sha256":1}]}`,
    ])
      await addForeignFacts(app, 2, facts);
    await logAll(app);
    expect((await verify(await download())).records).toBeGreaterThanOrEqual(RECORDS);
  });
});
