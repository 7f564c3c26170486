import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { dumpDatabase } from '../../../../test/support/dump.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { dataFolder } from '../../../../test/support/process.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { makeUser } from '../../../../test/support/users.ts';
import { createDelivery, queueMail, sendDueMails } from '../../../mail/index.ts';
import { DAY_MS } from '../../../platform/durations.ts';
import { runDueTask } from '../fulfilment/index.ts';
import { eraseCompletedRequests } from './erase-request.ts';
import { ERASURES, readErasures } from './erasure-list.ts';
import { pruneOldErasures, purgeIfRequested } from './purger.ts';
import { reapplyErasures } from './reapply.ts';
import { recordErasure } from './record-erasure.ts';
import { listErasureIds } from './store.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('An erasure on %s', (engine) => {
  const folder = dataFolder();
  const app = useTestApp(engine, { PAVIS_DATA_DIR: folder.path });
  const dsarClient = createDsarClient(app);
  afterAll(() => folder.remove());

  const database = () => app.config.databaseUrl.slice('sqlite:'.length);
  const put = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
  const mailDelivery = () =>
    createDelivery({
      smtpUrl: undefined,
      from: { name: '', address: 'privacy@example.com' },
      folder: join(folder.path, 'mail'),
    });
  const sendMails = async () => {
    while (await sendDueMails(app.platform, mailDelivery())) {}
  };
  const mailFiles = () =>
    readdirSync(join(folder.path, 'mail')).map((name) =>
      readFileSync(join(folder.path, 'mail', name), 'latin1'),
    );

  /** The texts that are found in a file of the installation or by a query. */
  async function found(texts: readonly string[]): Promise<string[]> {
    const folders = ['mail', 'packages', '.'].map((name) => join(folder.path, name));
    const files = folders.filter(existsSync).flatMap((path) =>
      readdirSync(path, { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => join(path, name)),
    );
    if (engine === 'sqlite') files.push(...['', '-wal', '-shm'].map((each) => database() + each));
    const bytes = files.map((file) => readFileSync(file).toString('latin1'));
    if (engine === 'postgres') bytes.push(await dumpDatabase(app.platform));
    return texts.filter((text) => bytes.some((each) => each.includes(text)));
  }

  let made = 0;
  /** A person with a consent record, a package and a completed deletion request. */
  async function erasedPerson() {
    const n = ++made;
    const visitorId = `visitor-of-${engine}-${n}-x7f3`;
    const person = {
      email: `zerlina.${n}@erased.example`,
      first_name: `Zerlina${n}`,
      last_name: `Quastenflosser${n}`,
    };
    await app.http.post(`${ROOT}/consent`, {
      body: { visitor_id: visitorId, consent_action: 'accept_all' },
    });
    const access = (await dsarClient.intake({ ...person, request_type: 'access' })).json;
    await put(access.id, { status: 'in_progress' });
    await dsarClient.work();
    await put(access.id, { status: 'completed' });
    const info = `Call me, ${person.first_name}.`;
    const body = { ...person, request_type: 'deletion', additional_info: info };
    const { id, reference } = (await dsarClient.intake(body)).json;
    // As in the visitor's own cookie.
    await app.platform.datastore.db
      .updateTable('dsar_cases')
      .set({ visitor_id: visitorId })
      .where('id', '=', id)
      .execute();
    await dsarClient.admin('POST', `/dsar/cases/${id}/events`, {
      note: `${person.email} has called.`,
    });
    await sendMails();
    const texts = [person.email, person.first_name, person.last_name, visitorId];
    return { ...person, id, reference, visitorId, texts };
  }
  async function complete(id: number) {
    await put(id, { status: 'in_progress' });
    await dsarClient.approve(id);
    await dsarClient.work();
    const { status, text } = await put(id, { status: 'completed', reason: 'It is done.' });
    if (status !== 200) throw new Error(text);
    await sendMails();
  }
  /** Completes a request whose erasure in one source is refused. */
  async function completeWithout(id: number, refused: string) {
    await put(id, { status: 'in_progress' });
    const tasks = (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json;
    const decisions = tasks
      .filter(({ kind }: { kind: string }) => kind === 'erase')
      .map(({ source }: { source: string }) =>
        source === refused
          ? { source, decision: 'refuse', ground: 'legal_claims', reason: 'A claim is pending.' }
          : { source, decision: 'approve' },
      );
    const approved = await dsarClient.admin('POST', `/dsar/cases/${id}/approve`, { decisions });
    expect(approved.status).toBe(200);
    await dsarClient.work();
    await put(id, { status: 'completed', reason: 'It is done.' });
    await sendMails();
  }
  async function inTheBackground() {
    await eraseCompletedRequests(dsarClient.dsar());
    while (await purgeIfRequested(dsarClient.dsar())) {}
  }

  it('removes every byte of the person from the database, its log, emails, packages and the erasure list', async () => {
    const { id, texts } = await erasedPerson();
    expect(await found(texts)).toEqual(texts);
    await complete(id);
    await inTheBackground();
    expect(await found(texts)).toEqual([]);
    expect(readdirSync(join(folder.path, 'packages'))).toEqual([]);
  });

  it('keeps the activity of the request, and its status for the requester', async () => {
    const { id, email, reference } = await erasedPerson();
    await complete(id);
    expect(await dsarClient.status(reference, email)).toMatchObject({ status: 200 });
    await inTheBackground();
    const { status, json } = await dsarClient.status(reference, email);
    expect([status, json.status]).toEqual([200, 'completed']);
    expect((await dsarClient.status(reference, 'other@erased.example')).status).toBe(404);
    const shown = (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json;
    expect(shown).toMatchObject({ reference, email: null, first_name: null, visitor_id: null });
    const events = (await dsarClient.admin('GET', `/dsar/cases/${id}/events`)).json;
    expect(events.at(-1).action).toBe('requester_erased');
    const note = events.find(({ action }: { action: string }) => action === 'note');
    expect(note.details).toEqual({ note: '[erased] has called.' });
    const again = await put(id, { status: 'in_progress', reason: 'Once more.' });
    expect([again.status, again.json.code]).toEqual([409, 'invalid_transition']);
  });

  it('keeps how and when an earlier request of the person was received', async () => {
    const { id, email } = await erasedPerson();
    const letter = { request_type: 'access', channel: 'letter', received_on: '2026-11-20', email };
    const { json: earlier } = await dsarClient.admin('POST', '/dsar/cases', letter);
    await put(earlier.id, { status: 'rejected', ground: 'excessive', reason: 'Again.' });
    await complete(id);
    await inTheBackground();
    const { json: events } = await dsarClient.admin('GET', `/dsar/cases/${earlier.id}/events`);
    expect(events[0]).toMatchObject({
      action: 'entered',
      details: { channel: 'letter', received_on: '2026-11-20' },
    });
  });

  it('leaves requests that get no changes of assignee and tasks, and no notes', async () => {
    const { id, email } = await erasedPerson();
    const withdrawn = (await dsarClient.intake({ email, request_type: 'access' })).json.id;
    await put(withdrawn, { status: 'in_progress' });
    await put(withdrawn, { status: 'withdrawn' });
    await complete(id);
    await inTheBackground();
    const [task] = (await dsarClient.admin('GET', `/dsar/cases/${withdrawn}/tasks`)).json;
    expect(task.status).toBe('pending');
    const reason = `${email} does not want it any more.`;
    const { login } = await makeUser(app.platform);
    for (const refused of [
      await dsarClient.admin('PUT', `/dsar/tasks/${task.id}`, { status: 'skipped', reason }),
      await put(withdrawn, { assignee: login }),
      await put(id, { assignee: login }),
      await dsarClient.admin('POST', `/dsar/cases/${id}/events`, { note: `${email} has called.` }),
    ]) {
      expect([refused.status, refused.json.code, refused.json.message]).toEqual([
        409,
        'invalid_transition',
        'The request is anonymised and cannot be changed.',
      ]);
    }
    expect(await found([email])).toEqual([]);
  });

  it('removes mentions of the person in notes and in the results of tasks', async () => {
    const { id, email, first_name, last_name } = await erasedPerson();
    const note = `${first_name}s Konto, ${email.toUpperCase()}, ${last_name.toLowerCase()}`;
    await dsarClient.admin('POST', `/dsar/cases/${id}/events`, { note });
    await put(id, { status: 'in_progress' });
    const [task] = (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json;
    const reason = `${last_name.toUpperCase()} still has an order.`;
    await dsarClient.admin('PUT', `/dsar/tasks/${task.id}`, { status: 'skipped', reason });
    await complete(id);
    await inTheBackground();
    const { json: events } = await dsarClient.admin('GET', `/dsar/cases/${id}/events`);
    const notes = events.flatMap(
      ({ details }: { details: { note?: string } }) => details.note ?? [],
    );
    expect(notes).toContain('[erased]s Konto, [erased], [erased]');
    const { json: tasks } = await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`);
    expect(tasks[0]).toMatchObject({ status: 'skipped', reason: '[erased] still has an order.' });
    const names = new RegExp([first_name, last_name, email].join('|'), 'i');
    expect(JSON.stringify([events, tasks])).not.toMatch(names);
  });

  it('keeps only the last email to the person', async () => {
    const { id, reference } = await erasedPerson();
    await complete(id);
    await inTheBackground();
    const left = mailFiles().filter((each) => each.includes(reference));
    expect(left).toHaveLength(1);
    expect(left[0]).toMatch(/^Subject: .*completed/m);
    expect(left[0]).not.toMatch(/^To:/m);
  });

  it('does not erase a request under a legal hold', async () => {
    const { id, email } = await erasedPerson();
    const hold = { data_category: 'dsar_cases', record_id: id, reason: 'A lawsuit.' };
    const { json } = await dsarClient.admin('POST', '/retention/holds', hold);
    await complete(id);
    await inTheBackground();
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).json.email).toBe(email);
    await dsarClient.admin('DELETE', `/retention/holds/${json.id}`, { reason: 'It is over.' });
    await inTheBackground();
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).json.email).toBeNull();
  });

  it('does not erase a request under a legal hold after a restore either', async () => {
    const { id, email } = await erasedPerson();
    const { db } = app.platform.datastore;
    const selectRequest = db.selectFrom('dsar_cases').selectAll().where('id', '=', id);
    const { id: _id, ...open } = await selectRequest.executeTakeFirstOrThrow();
    await complete(id);
    await inTheBackground();
    await db.deleteFrom('erasures').execute();
    await db.updateTable('dsar_cases').set(open).where('id', '=', id).execute();
    const hold = { data_category: 'dsar_cases', record_id: id, reason: 'A lawsuit.' };
    const { json } = await dsarClient.admin('POST', '/retention/holds', hold);
    expect(await reapplyErasures(dsarClient.dsar())).toMatchObject({ requests: 0 });
    await inTheBackground();
    const read = async () => (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json;
    expect(await read()).toMatchObject({ status: 'completed', email });
    await dsarClient.admin('DELETE', `/retention/holds/${json.id}`, { reason: 'It is over.' });
    await inTheBackground();
    expect((await read()).email).toBeNull();
  });

  it('does not erase a request that an administrator decided to keep', async () => {
    const { id, email } = await erasedPerson();
    await completeWithout(id, 'dsar_cases');
    await inTheBackground();
    expect((await dsarClient.admin('GET', `/dsar/cases/${id}`)).json.email).toBe(email);
  });

  it('is listed by hashes, which are deleted after three years', async () => {
    const { id, texts } = await erasedPerson();
    await complete(id);
    await inTheBackground();
    const listed = await readErasures(dsarClient.dsar());
    expect(listed.map(({ source }) => source)).toEqual(
      expect.arrayContaining(['consent_records', 'dsar_cases', 'request']),
    );
    expect(texts.filter((text) => JSON.stringify(listed).includes(text))).toEqual([]);
    const known = await listErasureIds(app.platform.datastore.db);
    expect(listed.filter((each) => !known.has(each.id))).toEqual([]);
    app.clock.advance(3 * 366 * DAY_MS - 1);
    await pruneOldErasures(dsarClient.dsar());
    expect(await readErasures(dsarClient.dsar())).toHaveLength(listed.length);
    app.clock.advance(2);
    await pruneOldErasures(dsarClient.dsar());
    expect(await readErasures(dsarClient.dsar())).toEqual([]);
    expect((await listErasureIds(app.platform.datastore.db)).size).toBe(0);
  });

  it('keeps the address of a request without an email address for 30 days after it is completed', async () => {
    const letter = { request_type: 'deletion', channel: 'letter', received_on: '2026-11-20' };
    const address = { last_name: 'Quastenflosser', postal_address: '1 High Street' };
    const identity = { verified: true, identity_proof: 'Known signature' };
    const entry = { ...letter, ...address, ...identity };
    const { id } = (await dsarClient.admin('POST', '/dsar/cases', entry)).json;
    expect((await put(id, { status: 'completed', reason: 'It is done.' })).status).toBe(200);
    const read = async () => (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json;
    app.clock.advance(30 * DAY_MS - 1);
    await inTheBackground();
    expect(await read()).toMatchObject({ ...address, identity_proof: 'Known signature' });
    app.clock.advance(1);
    await inTheBackground();
    expect(await read()).toMatchObject({ postal_address: null, identity_proof: null });
  });

  it('is listed completely after a line that a crash or a full disk has cut off', async () => {
    appendFileSync(join(folder.path, ERASURES), '{"id":"cut","at":"2026-');
    const { id } = await erasedPerson();
    await complete(id);
    await inTheBackground();
    const listed = new Set((await readErasures(dsarClient.dsar())).map((each) => each.id));
    const known = await listErasureIds(app.platform.datastore.db);
    expect([...known].filter((each) => !listed.has(each))).toEqual([]);
  });

  it('is read from a line that begins with another one that was cut off', async () => {
    const own = dataFolder();
    const file = join(own.path, ERASURES);
    const site = { dataDir: own.path };
    await recordErasure({ platform: app.platform, site }, 'a@b.example', ['mail', 'customers']);
    const listed = await readErasures({ site });
    const [first, second] = readFileSync(file, 'utf8').trim().split('\n');
    writeFileSync(file, `{"id":"cut","at":"2026-${first}\n\n{"i\0\0\n${second}\r\n{"id":"cut`);
    expect(await readErasures({ site })).toEqual(listed);
    own.remove();
  });

  it.each([
    'null',
    '[]',
    '{"id":"x"}',
    '{"id":"x","at":"soon","reference":"","source":"mail","email":null,"visitor_id":null}',
    'removed by mistake',
    '{"id":"x","at":}',
  ])('is not lost to a line %s, which is named and stays in the list', async (line) => {
    const own = dataFolder();
    const file = join(own.path, ERASURES);
    const site = { dataDir: own.path };
    const { withdraw } = await recordErasure({ platform: app.platform, site }, 'a@b.example', [
      'x',
    ]);
    appendFileSync(file, `${line}\n`);
    const text = readFileSync(file, 'utf8');
    await expect(readErasures({ site })).rejects.toThrow(`line 3 of ${file} is not an erasure`);
    await withdraw();
    expect(readFileSync(file, 'utf8')).toBe(text);
    own.remove();
  });

  it('is listed while others are withdrawn at the same moment', async () => {
    const own = dataFolder();
    const site = { dataDir: own.path };
    const record = () => recordErasure({ platform: app.platform, site }, 'a@b.example', ['mail']);
    for (let round = 0; round < 10; round++) {
      const withdrawn = await record();
      await Promise.all([withdrawn.withdraw(), record(), record(), record()]);
    }
    expect(await readErasures({ site })).toHaveLength(30);
    own.remove();
  });

  it('is refused with the reason if it cannot be listed', async () => {
    const full = dataFolder();
    // The device accepts no byte, like a full disk.
    symlinkSync('/dev/full', join(full.path, ERASURES));
    const site = { dataDir: full.path };
    const recording = recordErasure({ platform: app.platform, site }, 'a@b.example', ['mail']);
    await expect(recording).rejects.toMatchObject({
      kind: 'unavailable',
      message:
        'The disk of the data folder is full, so the erasure cannot be listed in erasures.jsonl. Nothing was erased. Free space on the server, then try again.',
    });
    full.remove();
  });

  it('is not done at the next start if it has failed and was refused then', async () => {
    const { id, reference, visitorId } = await erasedPerson();
    await put(id, { status: 'in_progress' });
    await dsarClient.approve(id);
    const opened = dsarClient.dsar();
    const retentionRules = () => Promise.reject(new Error('The database is gone.'));
    const failing = { ...opened, site: { ...opened.site, retentionRules } };
    while (await runDueTask(failing, id)) {}
    const { status } = await put(id, { status: 'completed', reason: 'We have to keep it.' });
    expect(status).toBe(200);
    await sendMails();
    await reapplyErasures(dsarClient.dsar());
    const { json } = await dsarClient.admin('GET', `/consent/records?search=${visitorId}`);
    expect(json).toHaveLength(1);
    const listed = await readErasures({ site: { dataDir: folder.path } });
    expect(listed.filter((each) => each.reference === reference)).toEqual([]);
  });

  it.each([
    ['stays in the list if its commit succeeds after all', 1],
    ['is removed from the list if its commit fails later', 0],
  ] as const)('%s', async (_title, entries) => {
    const own = dataFolder();
    const site = { dataDir: own.path };
    const { insert, withdraw } = await recordErasure({ platform: app.platform, site }, 'a@b.c', [
      'mail',
      'customers',
    ]);
    const inserted = Promise.withResolvers<void>();
    const committing = Promise.withResolvers<void>();
    const erasing = app.platform.datastore.transaction(async (trx) => {
      await insert(trx);
      inserted.resolve();
      await committing.promise;
    });
    await inserted.promise;
    const withdrawing = withdraw();
    // Longer than a query takes that does not wait.
    await Promise.race([withdrawing, wait(500)]);
    if (entries > 0) committing.resolve();
    else committing.reject(new Error('The server has failed.'));
    await Promise.allSettled([erasing, withdrawing]);
    expect(await readErasures({ site })).toHaveLength(2 * entries);
    own.remove();
  });

  it('is not repeated for what came back, if it failed first and was done again', async () => {
    const { platform } = app;
    const email = `back.${engine}@erased.example`;
    const record = () => recordErasure(dsarClient.dsar(), email, ['mail']);
    const failed = await record();
    const { insert } = await record();
    await platform.datastore.transaction(insert);
    const mail = { to: email, kind: 'test', subject: 'Back', text: 'Back', html: 'Back' };
    const id = await platform.datastore.transaction((trx, announce) =>
      queueMail(trx, announce, mail, platform.clock.now()),
    );
    expect((await reapplyErasures(dsarClient.dsar())).erasures).toBe(0);
    const kept = platform.datastore.db.selectFrom('outbox_mails').select('recipient');
    expect(await kept.where('id', '=', id as number).executeTakeFirst()).toEqual({
      recipient: email,
    });
    await failed.withdraw();
  });

  it('is repeated in a database restored from an earlier backup, and in no other', async () => {
    const { id, email, reference, visitorId, texts } = await erasedPerson();
    const { db } = app.platform.datastore;
    const before = {
      consents: await db
        .selectFrom('consent_records')
        .selectAll()
        .where('visitor_id', '=', visitorId)
        .execute(),
      requests: await db.selectFrom('dsar_cases').selectAll().where('email', '=', email).execute(),
    };
    await complete(id);
    await inTheBackground();
    expect(await reapplyErasures(dsarClient.dsar())).toEqual({
      erasures: 0,
      records: 0,
      requests: 0,
    });
    // A restored backup has the earlier rows and no trace of the erasure.
    await db.deleteFrom('erasures').execute();
    for (const { id: rowId, ...row } of before.consents) {
      await db.updateTable('consent_records').set(row).where('id', '=', rowId).execute();
    }
    for (const { id: rowId, ...row } of before.requests) {
      await db.updateTable('dsar_cases').set(row).where('id', '=', rowId).execute();
    }
    expect(await found(texts)).toEqual(texts);
    const result = await reapplyErasures(dsarClient.dsar());
    expect(result.records).toBeGreaterThanOrEqual(before.consents.length);
    expect(result).toMatchObject({ requests: 1 });
    await inTheBackground();
    expect(await found(texts)).toEqual([]);
    expect((await dsarClient.status(reference, email)).json.status).toBe('completed');
    expect(await reapplyErasures(dsarClient.dsar())).toEqual({
      erasures: 0,
      records: 0,
      requests: 0,
    });
  });

  it('is not repeated after a restore for emails that an administrator decided to keep', async () => {
    const { id, email } = await erasedPerson();
    const { db } = app.platform.datastore;
    const selectRequest = db.selectFrom('dsar_cases').selectAll().where('id', '=', id);
    const selectMails = db.selectFrom('outbox_mails').select('id').where('recipient', '=', email);
    const { id: _id, ...open } = await selectRequest.executeTakeFirstOrThrow();
    await completeWithout(id, 'outbox_mail');
    const kept = await selectMails.execute();
    expect(kept).not.toEqual([]);
    await inTheBackground();
    expect(await selectMails.execute()).toEqual(kept);
    expect((await selectRequest.executeTakeFirstOrThrow()).email).toBeNull();
    // The backup is from before the decision.
    await db.deleteFrom('erasures').execute();
    await db.deleteFrom('dsar_tasks').where('case_id', '=', id).execute();
    await db.updateTable('dsar_cases').set(open).where('id', '=', id).execute();
    expect(await reapplyErasures(dsarClient.dsar())).toMatchObject({ requests: 1 });
    expect(await selectMails.execute()).toEqual(kept);
    expect((await selectRequest.executeTakeFirstOrThrow()).email).toBeNull();
  });

  it('does not erase a request for 30 days whose last email could not be sent', async () => {
    const { id, email } = await erasedPerson();
    await put(id, { status: 'in_progress' });
    await dsarClient.approve(id);
    await dsarClient.work();
    await sendMails();
    await put(id, { status: 'completed', reason: 'It is done.' });
    const { db } = app.platform.datastore;
    await db
      .updateTable('outbox_mails')
      .set({ status: 'dead', ended_at: app.clock.now() })
      .where('about', '=', `dsar/cases/${id}`)
      .where('status', '=', 'pending')
      .execute();
    const address = async () => (await dsarClient.admin('GET', `/dsar/cases/${id}`)).json.email;
    app.clock.advance(29 * DAY_MS);
    await inTheBackground();
    expect(await address()).toBe(email);
    app.clock.advance(2 * DAY_MS);
    await inTheBackground();
    expect(await address()).toBeNull();
  });

  it('purges the disk after retention runs and deleted requests as well', async () => {
    const { id, texts, email } = await erasedPerson();
    await dsarClient.admin('DELETE', `/dsar/cases/${id}`, { reason: 'A test.' });
    const { json } = await dsarClient.admin('GET', `/dsar/cases?search=${email}`);
    app.clock.advance(800 * DAY_MS);
    await dsarClient.admin('POST', '/retention/run', { dry_run: false });
    expect(json).toHaveLength(1);
    await inTheBackground();
    expect(await found(texts)).toEqual([]);
  });
});
