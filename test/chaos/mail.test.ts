import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase, ENGINES, type TestDatabase } from '../support/engines.ts';
import { type MailServer, mailServer } from '../support/mail-server.ts';
import { dataFolder, type ServerProcess, startedLater, startServer } from '../support/process.ts';

const REQUESTS = 50;
/**
 * Half of the timeout for a mail server, ten seconds. Every response takes the same way, so the fastest one tells
 * whether they wait for it, also on a busy machine.
 */
const NORMAL_MS = 5_000;
/** The lease of emails by a killed server. */
const LEASE_MS = 20_000;

describe.each(ENGINES)('a server on %s without its mail server', (engine) => {
  const folder = dataFolder();
  let database: TestDatabase;
  let mail: MailServer;

  beforeAll(async () => {
    database = await createDatabase(engine);
    mail = await mailServer();
    await mail.stop();
  });
  afterAll(async () => {
    await mail?.stop();
    await database?.drop();
    folder.remove();
  });

  async function start(more: Record<string, string> = {}): Promise<ServerProcess> {
    const server = await startServer({
      ...more,
      PAVIS_DATA_DIR: folder.path,
      PAVIS_DATABASE_URL: database.url,
      PAVIS_SMTP_URL: mail.url,
      PAVIS_MAIL_FROM: 'privacy@example.com',
    });
    onTestFinished(async () => {
      await server.stop('SIGKILL');
    });
    return server;
  }

  it('accepts 50 requests without delay, is killed, and sends exactly 50 acknowledgements afterwards', async () => {
    const first = await start();
    const began = performance.now();
    let fastest = Number.POSITIVE_INFINITY;
    const answers = await Promise.all(
      Array.from({ length: REQUESTS }, async (_, n) => {
        const answer = await first.http.post('/wp-json/svc/v1/dsar/intake', {
          body: { request_type: 'access', email: `subject-${n}@example.com` },
        });
        fastest = Math.min(fastest, performance.now() - began);
        return answer;
      }),
    );
    expect(fastest).toBeLessThan(NORMAL_MS);
    expect(answers.map(({ status }) => status)).toEqual(Array(REQUESTS).fill(201));
    const references = answers.map(({ json }) => json.reference as string);
    expect(new Set(references).size).toBe(REQUESTS);
    await first.stop('SIGKILL');

    const second = await start(startedLater(LEASE_MS));
    await mail.start();
    await expect
      .poll(() => mail.arrived.length, { timeout: 60_000, interval: 100 })
      .toBeGreaterThanOrEqual(REQUESTS);
    // Leaves time for duplicates.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(mail.arrived).toHaveLength(REQUESTS);
    const told = mail.arrived.map(({ to, mail: { text = '' } }) => {
      const reference = /DSR-\d{8}-[A-Z0-9]{6}/.exec(text)?.[0];
      return `${to.join()} ${reference}`;
    });
    expect(told.toSorted()).toEqual(
      references.map((reference, n) => `subject-${n}@example.com ${reference}`).toSorted(),
    );
    expect(await second.stop('SIGTERM')).toBe(0);
    await mail.stop();
  });

  it('stops in time while the mail server does not respond in the middle of an email', async () => {
    mail.arrived.length = 0;
    await mail.start();
    mail.mood = 'hangs';
    const server = await start();
    const before = mail.offered();
    const body = { request_type: 'access', email: 'silence@example.com' };
    await server.http.post('/wp-json/svc/v1/dsar/intake', { body });
    await expect.poll(() => mail.offered()).toBeGreaterThan(before);
    const began = performance.now();
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(performance.now() - began).toBeLessThan(12_000);

    mail.mood = 'takes';
    mail.arrived.length = 0;
    await start();
    await expect
      .poll(() => mail.arrived.map(({ to }) => to), { timeout: 40_000 })
      .toEqual([['silence@example.com']]);
  });
});
