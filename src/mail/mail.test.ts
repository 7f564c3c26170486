import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ENGINES } from '../../test/support/engines.ts';
import { type MailServer, mailServer } from '../../test/support/mail-server.ts';
import { basicAuth } from '../../test/support/makers.ts';
import { dataFolder } from '../../test/support/process.ts';
import { useTestApp } from '../../test/support/test-app.ts';
import { toIsoMoment } from '../platform/clock.ts';
import { Secret } from '../platform/crypto/secret.ts';
import { HOUR_MS, MINUTE_MS } from '../platform/durations.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { mailFolder, removeMailDrafts, removeMailFiles } from './files.ts';
import { type Mail, queueMail, SEALED_PLACE, sealForMail, sendDueMails } from './service.ts';
import { markSent } from './store.ts';
import { renderMail } from './template.ts';

const FROM = { name: 'Example Ltd', address: 'privacy@example.com' };
const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('the outbox on %s', (engine) => {
  const app = useTestApp(engine);
  const folder = dataFolder();
  let server: MailServer;
  let delivery: Delivery;
  let made = 0;

  beforeAll(async () => {
    server = await mailServer();
    delivery = createDelivery({
      smtpUrl: server.url,
      from: FROM,
      folder: folder.path,
      silenceMs: 1_000,
    });
  });
  beforeEach(() => {
    server.mood = 'takes';
    server.arrived.length = 0;
  });
  afterAll(async () => {
    await server.stop();
    folder.remove();
  });

  async function queue(more: Partial<Mail> = {}): Promise<string> {
    const to = `person-${++made}@example.com`;
    const rendered = renderMail({
      language: 'en',
      subject: `Subject ${made}`,
      parts: ['Hello', { link: 'https://example.com/?a=1&b=2', label: 'Open <it>' }],
    });
    const mail = { ...rendered, to, kind: 'test', ...more };
    await app.platform.datastore.transaction((trx, announce) =>
      queueMail(trx, announce, mail, app.clock.now()),
    );
    return mail.to;
  }
  async function sendAll(by = delivery): Promise<void> {
    while (await sendDueMails(app.platform, by)) {}
  }
  const outbox = async (query: string) =>
    (await app.http.get(`${ROOT}/mail?${query}`, { headers: await basicAuth(app.platform) })).json;
  const recipients = () => server.arrived.flatMap(({ to }) => to);

  it('lists the emails about one resource, newest first', async () => {
    const about = 'dsar/cases/7';
    const first = await queue({ about });
    await queue({ about: 'dsar/cases/77' });
    await queue();
    const second = await queue({ about });
    const found = await outbox(`about=${encodeURIComponent(about)}`);
    expect(found.map((mail: { recipient: string }) => mail.recipient)).toEqual([second, first]);
    await sendAll();
  });

  it('sends an email once, with matching text and HTML, and deletes its content', async () => {
    const to = await queue({ fromName: 'The Shop', replyTo: 'dpo@example.com' });
    await sendAll();
    await sendAll();
    expect(server.arrived).toHaveLength(1);
    const [{ from, mail }] = server.arrived as [(typeof server.arrived)[number]];
    expect([from, recipients()]).toEqual(['privacy@example.com', [to]]);
    expect(mail).toMatchObject({
      from: { name: 'The Shop', address: 'privacy@example.com' },
      to: [{ name: '', address: to }],
      replyTo: [{ name: '', address: 'dpo@example.com' }],
      subject: `Subject ${made}`,
      messageId: expect.stringMatching(/^<[\w-]{36}@example\.com>$/),
    });
    expect(mail.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    expect(mail.text?.trim()).toBe('Hello\n\nOpen <it>:\nhttps://example.com/?a=1&b=2');
    expect(mail.html).toContain('href="https://example.com/?a=1&#38;b=2"');
    expect(mail.html).toContain('Open &#60;it&#62;');
    expect(mail.html).not.toMatch(/<img|<script|<link/);
    const row = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .selectAll()
      .where('recipient', '=', to)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: 'sent', subject: null, body_text: null, body_html: null });
  });

  it('stores sealed text encrypted, sends it in plain text, and deletes it afterwards', async () => {
    const told = `pv_live_$&${engine}`;
    const sealed = sealForMail(app.platform.secret, told);
    const body = `Your key: ${SEALED_PLACE}`;
    const to = await queue({ text: body, html: `<p>${body}</p>`, sealed });
    const stored = () =>
      app.platform.datastore.db
        .selectFrom('outbox_mails')
        .selectAll()
        .where('recipient', '=', to)
        .executeTakeFirstOrThrow();
    expect(JSON.stringify(await stored())).not.toContain(told);
    expect((await stored()).sealed).not.toBe(sealForMail(app.platform.secret, told));
    await sendAll();
    const [arrived] = server.arrived;
    expect(arrived?.mail.text?.trim()).toBe(`Your key: ${told}`);
    expect(arrived?.mail.html).toContain(`Your key: ${told}`);
    expect(await stored()).toMatchObject({ status: 'sent', sealed: null });
  });

  it('sends nothing in place of text that cannot be unsealed', async () => {
    const sealed = sealForMail(new Secret(Buffer.alloc(32, 1)), 'x');
    const to = await queue({ sealed });
    await sendAll();
    expect(recipients()).toEqual([]);
    const [waiting] = await outbox('status=pending');
    expect(waiting).toMatchObject({ recipient: to, attempts: 1 });
    const { db } = app.platform.datastore;
    await db.deleteFrom('outbox_mails').where('id', '=', waiting.id).execute();
  });

  it('stays sent when another node sends it during an attempt that fails', async () => {
    const to = await queue();
    const { db } = app.platform.datastore;
    const find = () =>
      db
        .selectFrom('outbox_mails')
        .select(['status', 'body_text'])
        .where('recipient', '=', to)
        .executeTakeFirstOrThrow();
    await sendAll({
      verify: delivery.verify,
      async deliver({ id }) {
        await app.platform.datastore.transaction((trx) => markSent(trx, id, app.clock.now()));
        throw new Error('the connection was lost');
      },
    });
    expect(await find()).toEqual({ status: 'sent', body_text: null });
    app.clock.advance(HOUR_MS);
    await sendAll();
    expect(recipients()).toEqual([]);
  });

  it('discards an email whose transaction is rolled back', async () => {
    const failing = app.platform.datastore.transaction(async (trx, announce) => {
      const mail = renderMail({ language: 'en', subject: 'x', parts: [] });
      await queueMail(trx, announce, { ...mail, to: 'a@example.com', kind: 'test' }, 0);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await sendAll();
    expect(recipients()).toEqual([]);
  });

  it('sends one of the emails that share a key', async () => {
    const to = await queue({ onceKey: `once-${engine}` });
    await queue({ onceKey: `once-${engine}` });
    await sendAll();
    expect(recipients()).toEqual([to]);
  });

  it('retries after 451 with growing delays, and delivers under the same Message-ID', async () => {
    server.mood = 451;
    const to = await queue();
    await sendAll();
    await sendAll();
    expect((await outbox('status=pending'))[0]).toMatchObject({ recipient: to, attempts: 1 });
    app.clock.advance(73_000);
    await sendAll();
    const [waiting] = await outbox('status=pending');
    expect(waiting).toMatchObject({ recipient: to, attempts: 2, last_error: expect.any(String) });
    expect(waiting.last_error).not.toContain('@');
    server.mood = 'takes';
    app.clock.advance(73_000);
    await sendAll();
    expect(recipients()).toEqual([]);
    app.clock.advance(400_000);
    await sendAll();
    expect(recipients()).toEqual([to]);
  });

  it('gives up at once after 550, shows the email as dead, and sends it when an administrator retries it', async () => {
    server.mood = 550;
    const to = await queue();
    await sendAll();
    const [dead] = await outbox('status=dead');
    expect(dead).toMatchObject({ recipient: to, attempts: 1, status: 'dead' });
    server.mood = 'takes';
    app.clock.advance(86_400_000);
    await sendAll();
    expect(recipients()).toEqual([]);
    const headers = await basicAuth(app.platform);
    const retry = () => app.http.post(`${ROOT}/mail/${dead.id}/retry`, { headers });
    expect((await retry()).json.status).toBe('pending');
    await sendAll();
    expect(recipients()).toEqual([to]);
    expect((await retry()).status).toBe(404);
  });

  it.each(['drops', 'hangs', 'is away', 530] as const)(
    'waits for a server that fails (%s), and delivers when it is back',
    async (how) => {
      if (how === 'is away') await server.stop();
      else server.mood = how;
      const to = [await queue(), await queue(), await queue()];
      for (let round = 0; round < 4; round++) {
        await sendAll();
        app.clock.advance(10_000);
      }
      expect(recipients()).toEqual([]);
      expect(await outbox('status=dead')).toHaveLength(0);
      if (how === 'is away') await server.start();
      server.mood = 'takes';
      app.clock.advance(80_000);
      await sendAll();
      expect(recipients().toSorted()).toEqual(to.toSorted());
    },
  );

  it('sends no password and no email in clear text to another machine', async () => {
    // Reaches this machine, and is not one of its own addresses.
    const other = new URL(server.url.replace('127.0.0.1', '0.0.0.0'));
    const open = createDelivery({ smtpUrl: other.href, from: FROM, folder: '' });
    other.username = 'ada';
    other.password = 'secret';
    const signedIn = createDelivery({ smtpUrl: other.href, from: FROM, folder: '' });
    const to = await queue();
    await sendAll(signedIn);
    expect(recipients()).toEqual([]);
    const [waiting] = await outbox('status=pending');
    expect(waiting).toMatchObject({ recipient: to, attempts: 1 });
    const advice =
      /^the mail server does not encrypt the connection \(STARTTLS: 5.*\), .* use smtps:\/\/, or leave user and password out of PAVIS_SMTP_URL$/;
    expect(waiting.last_error).toMatch(advice);
    await expect(signedIn.verify()).rejects.toThrow(advice);
    app.clock.advance(MINUTE_MS);
    await sendAll(open);
    expect(recipients()).toEqual([to]);
  });

  it('takes an email over from a crashed sender after its lease has expired', async () => {
    const to = await queue();
    const dying: Delivery = { ...delivery, deliver: () => new Promise(() => {}) };
    void sendDueMails(app.platform, dying);
    await expect.poll(async () => (await outbox('status=sending')).length).toBe(1);
    await sendAll();
    expect(recipients()).toEqual([]);
    app.clock.advance(20_000);
    await sendAll();
    expect(recipients()).toEqual([to]);
  });

  it.each(['queued', 'tried in vain', 'deferred', 'left by a crashed sender'])(
    'sends an email that was %s before the clock was set back',
    async (state) => {
      const to = await queue();
      if (state === 'tried in vain') {
        const away = createDelivery({ smtpUrl: 'smtp://127.0.0.1:9', from: FROM, folder: '' });
        await sendDueMails(app.platform, away);
      } else if (state === 'deferred') {
        server.mood = 451;
        await sendAll();
        server.mood = 'takes';
      } else if (state === 'left by a crashed sender') {
        const dying: Delivery = { ...delivery, deliver: () => new Promise(() => {}) };
        void sendDueMails(app.platform, dying);
        await expect.poll(async () => (await outbox('status=sending')).length).toBe(1);
      }
      app.clock.set(toIsoMoment(app.clock.now() - HOUR_MS));
      await sendAll();
      expect(recipients()).toEqual([to]);
    },
  );

  it('shares the work of two senders without duplicates', async () => {
    const to = await Promise.all(Array.from({ length: 30 }, () => queue()));
    await Promise.all([sendAll(), sendAll(), sendAll()]);
    expect(recipients().toSorted()).toEqual(to.toSorted());
  });

  it('prevents injection of headers and recipients by subject, names and addresses', async () => {
    const evil = 'x\r\nBcc: evil@example.com\r\n\r\nbody';
    const to = await queue({ subject: evil, fromName: evil });
    await sendAll();
    const [arrived] = server.arrived;
    expect(recipients()).toEqual([to]);
    expect(arrived?.mail.bcc).toBeUndefined();
    expect(arrived?.mail.headers.map(({ key }) => key)).not.toContain('bcc');
    await queue({ to: 'a@example.com, evil@example.com' });
    await sendAll();
    expect(recipients()).toEqual([to]);
    expect((await outbox('status=dead'))[0]).toMatchObject({ attempts: 1 });
  });

  it('writes each email as a private file if there is no mail server', async () => {
    const files = createDelivery({
      smtpUrl: undefined,
      from: FROM,
      folder: join(folder.path, 'mail'),
    });
    const to = [await queue(), await queue()];
    await sendAll(files);
    const names = readdirSync(join(folder.path, 'mail')).toSorted();
    expect(names).toHaveLength(2);
    const read = await Promise.all(
      names.map(async (name) => {
        const file = join(folder.path, 'mail', name);
        expect(name).toMatch(/\.eml$/);
        expect(statSync(file).mode & 0o777).toBe(0o600);
        return (await PostalMime.parse(readFileSync(file))).to?.[0]?.address;
      }),
    );
    expect(read.toSorted()).toEqual(to.toSorted());
    expect(recipients()).toEqual([]);
  });

  it('counts the age of an email from when it is sent or given up', async () => {
    const ended = async (to: string) =>
      app.platform.datastore.db
        .selectFrom('outbox_mails')
        .select(['status', 'ended_at'])
        .where('recipient', '=', to)
        .executeTakeFirstOrThrow();
    const sent = await queue();
    await sendAll();
    server.mood = 550;
    const dead = await queue();
    await sendAll();
    const now = app.clock.now();
    expect(await ended(sent)).toEqual({ status: 'sent', ended_at: now });
    expect(await ended(dead)).toEqual({ status: 'dead', ended_at: now });
    const pending = await queue();
    expect(await ended(pending)).toEqual({ status: 'pending', ended_at: null });
    const [{ id }] = await outbox('status=dead');
    const headers = await basicAuth(app.platform);
    await app.http.post(`${ROOT}/mail/${id}/retry`, { headers });
    expect(await ended(dead)).toEqual({ status: 'pending', ended_at: null });
  });

  it('anonymises an email and its file, whether it was sent or given up', async () => {
    const { db } = app.platform.datastore;
    const data = dataFolder();
    const files = mailFolder(data.path);
    const toFiles = createDelivery({ smtpUrl: undefined, from: FROM, folder: files });
    server.mood = 550;
    const dead = await queue();
    await sendAll();
    const sent = await queue();
    const impersonal = await queue({ kind: 'last' });
    await sendAll(toFiles);
    writeFileSync(join(files, 'notes.txt'), sent);
    const clean = () => removeMailFiles(db, { dataDir: data.path, impersonalKinds: ['last'] });
    const texts = () => readdirSync(files).map((name) => readFileSync(join(files, name), 'utf8'));
    await clean();
    expect(texts().filter((text) => text.includes('Subject:'))).toHaveLength(2);

    app.clock.advance(91 * 86_400_000);
    const headers = await basicAuth(app.platform);
    await app.http.post(`${ROOT}/retention/run`, { headers, body: { dry_run: false } });
    await clean();
    const left = await db.selectFrom('outbox_mails').selectAll().execute();
    for (const row of left.filter(({ recipient }) => recipient === null)) {
      expect([row.subject, row.body_text, row.last_error]).toEqual([null, null, null]);
    }
    const addresses = left.map(({ recipient }) => recipient);
    for (const each of [dead, sent, impersonal]) expect(addresses).not.toContain(each);
    const mails = texts().filter((text) => text.includes('Subject:'));
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('Hello');
    expect(mails[0]).not.toContain(impersonal);

    // Modification times use the clock of the machine.
    const old = new Date(Date.now() - 31 * 86_400_000);
    for (const name of readdirSync(files)) utimesSync(join(files, name), old, old);
    await clean();
    expect(readdirSync(files)).toEqual(['notes.txt']);
    data.remove();
  });

  it('removes partial files of a killed process, and nothing else', async () => {
    const data = dataFolder();
    const files = mailFolder(data.path);
    mkdirSync(files);
    const name = (pid: number) => `00000001-${randomUUID()}.eml.${pid}.part`;
    const ended = spawnSync(process.execPath, ['--version']).pid;
    const [own, dead, running, stale] = [process.pid, ended, process.ppid, process.ppid].map(name);
    const mail = `00000001-${randomUUID()}.eml`;
    const kept = [mail, running, 'notes.eml.1.part', 'notes.txt'];
    for (const each of [own, dead, stale, ...kept]) writeFileSync(join(files, String(each)), 'x');
    const old = new Date(Date.now() - 11 * 60_000);
    utimesSync(join(files, String(stale)), old, old);
    await removeMailDrafts(files);
    expect(readdirSync(files).sort()).toEqual(kept.sort());
    await removeMailDrafts(join(files, 'nowhere'));
    data.remove();
  });

  it('notes of an email that is saved as a file that it was not sent', async () => {
    const data = dataFolder();
    const to = await queue();
    await sendAll(createDelivery({ smtpUrl: undefined, from: FROM, folder: data.path }));
    const sent = await queue();
    await sendAll();
    const [second, first] = await outbox('status=sent&per_page=2');
    expect(first).toMatchObject({
      recipient: to,
      last_error: 'Saved as a file, not sent: no mail server is set.',
    });
    expect(second).toMatchObject({ recipient: sent, last_error: null });
    data.remove();
  });

  it('removes files without an email after one day', async () => {
    const data = dataFolder();
    const files = mailFolder(data.path);
    const test = { id: 0, messageId: randomUUID(), recipient: 'test@example.com' };
    const rendered = renderMail({ language: 'en', subject: 'A test', parts: ['Hello'] });
    const toFiles = createDelivery({ smtpUrl: undefined, from: FROM, folder: files });
    await toFiles.deliver({ ...rendered, ...test, fromName: null, replyTo: null });
    const { db } = app.platform.datastore;
    const clean = () => removeMailFiles(db, { dataDir: data.path, impersonalKinds: [] });
    await clean();
    const [name = ''] = readdirSync(files);
    const old = new Date(Date.now() - 86_400_001);
    utimesSync(join(files, name), old, old);
    await clean();
    expect(readdirSync(files)).toEqual([]);
    data.remove();
  });

  it('logs no email address', () => {
    expect(app.logged()).toContain('an email is given up');
    expect(app.logged()).not.toMatch(/person-\d+@/);
  });
});

describe.each(ENGINES)('An email that expires on %s', (engine) => {
  const app = useTestApp(engine);

  it('is given up if the next attempt would come too late', async () => {
    const { datastore, clock } = app.platform;
    const rendered = renderMail({ language: 'en', subject: 'Sign in', parts: ['Hello'] });
    const expiresAt = clock.now() + 50 * MINUTE_MS;
    const mail = { ...rendered, to: 'ada@example.com', kind: 'test', expiresAt };
    await datastore.transaction((trx, announce) => queueMail(trx, announce, mail, clock.now()));
    const deferring: Delivery = {
      verify: async () => '',
      deliver: async () => {
        throw Object.assign(new Error('later'), { code: 'EENVELOPE', responseCode: 450 });
      },
    };
    for (let n = 0; n < 4; n++) {
      while (await sendDueMails(app.platform, deferring)) {}
      app.clock.advance(20 * MINUTE_MS);
    }
    // Deferred at the beginning, after 20 and after 40 minutes: the next attempt would be in 15.
    expect(await datastore.db.selectFrom('outbox_mails').selectAll().execute()).toMatchObject([
      { status: 'dead', attempts: 3, last_error: 'later' },
    ]);
  });
});
