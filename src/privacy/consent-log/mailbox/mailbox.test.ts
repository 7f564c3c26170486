import { afterAll, beforeAll, expect, it } from 'vitest';
import { logAll } from '../../../../test/support/consent-log.ts';
import { type MailServer, mailServer } from '../../../../test/support/mail-server.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { createDelivery, sendDueMails } from '../../../mail/index.ts';
import { openNote, parseVerifierKey } from '../../../platform/transparency-log/index.ts';
import { type ConsentLog, openLog } from '../log/open.ts';
import { mailCheckpoint } from './job.ts';

const app = useTestApp('sqlite');
let server: MailServer;
let log: ConsentLog;

beforeAll(async () => {
  server = await mailServer();
  await decide();
  log = openLog(app.platform, app.config);
});
afterAll(async () => {
  await log.close();
  await server.stop();
});

async function decide(): Promise<void> {
  const answer = await app.http.post('/wp-json/svc/v1/consent', {
    body: {
      visitor_id: 'visitor-1',
      categories_accepted: ['functional'],
      categories_rejected: ['analytics'],
      consent_action: 'reject_all',
    },
  });
  expect(answer.status).toBe(200);
  await logAll(app);
}

/** Mails the checkpoint if there is something to mail, and returns what has arrived. */
async function mail(to: string | undefined, language = 'en') {
  const mailbox = to === undefined ? undefined : { to, language, fromName: 'The Shop' };
  await mailCheckpoint(app.platform, { log, readMailbox: async () => mailbox });
  const delivery = createDelivery({
    smtpUrl: server.url,
    from: { name: '', address: 'privacy@example.com' },
    folder: app.config.dataDir,
    silenceMs: 1_000,
  });
  while (await sendDueMails(app.platform, delivery)) {}
  return server.arrived.splice(0);
}

it('mails the checkpoint in English, as it is signed', async () => {
  const [arrived, ...more] = await mail('dpo@example.com');
  expect(more).toEqual([]);
  expect(arrived?.to).toEqual(['dpo@example.com']);
  expect(arrived?.mail.subject).toMatch(/^Checkpoint of the consent log .*\/pavis-consent, \d{4}-/);
  const text = arrived?.mail.text?.replaceAll('\r\n', '\n') ?? '';
  expect(text).toContain('Keep this email.');
  expect(text).toContain('npx pavis log verify --against FILE');
  const head = await log.readHead();
  expect(text).toContain(head?.checkpoint);
  const headers = await basicAuth(app.platform);
  const { verifier_key } = (await app.http.get('/wp-json/svc/v1/consent/log', { headers })).json;
  expect(
    openNote(head?.checkpoint ?? '', [parseVerifierKey(verifier_key)]).signatures,
  ).toHaveLength(1);
});

it('mails it again only after the log has grown, or to another address', async () => {
  expect(await mail('dpo@example.com')).toEqual([]);
  expect(await mail('new-dpo@example.com')).toHaveLength(1);
  await decide();
  expect(await mail(undefined)).toEqual([]);
  expect(await mail('new-dpo@example.com')).toHaveLength(1);
});

it('mails it once if two nodes do so at the same time', async () => {
  await decide();
  const readMailbox = async () => ({ to: 'dpo@example.com', language: 'en', fromName: '' });
  const nodes = Array.from({ length: 2 }, () => mailCheckpoint(app.platform, { log, readMailbox }));
  await Promise.all(nodes);
  expect(await mail('dpo@example.com')).toHaveLength(1);
});

it('mails it in German', async () => {
  await decide();
  const [arrived] = await mail('dpo@example.com', 'de-AT');
  expect(arrived?.mail.subject).toMatch(/^Prüfpunkt des Einwilligungsprotokolls /);
  const text = arrived?.mail.text?.replaceAll('\r\n', '\n') ?? '';
  expect(text).toContain('Bewahren Sie diese E-Mail auf.');
  expect(text).toContain((await log.readHead())?.checkpoint);
});
