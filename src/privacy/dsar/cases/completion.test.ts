import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { dataFolder } from '../../../../test/support/process.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { listRefusalGrounds, REQUEST_TYPES } from '../rules.ts';

interface Outcome {
  erased?: number;
  kept?: { count: number; reason: string; ground?: string }[];
}
const shop: { outcome: Outcome } = { outcome: {} };
Object.assign(globalThis, { completionShop: shop });
const EXTENSION = `
const shop = globalThis.completionShop;
export default (pavis) => pavis.addAction('svc_register_extensions', (registry) => {
  registry.addDsarSource({
    id: 'shop', label: 'Orders <of the shop>', portable: true,
    async collect() { return { records: [{ item: 'Pen' }], next: null }; },
    async erase() { return shop.outcome; },
  });
  registry.addDsarSource({ id: 'paper', label: 'Paper files' });
});`;
const WORDS = 'Free text of <b>the requester</b> %00 {x}';
const RIGHTS = { en: 'data protection supervisory authority', de: 'Datenschutzaufsichtsbehörde' };

describe.each(ENGINES)('The result of a request on %s', (engine) => {
  const folder = dataFolder();
  const extension = join(folder.path, 'shop.mjs');
  writeFileSync(extension, EXTENSION);
  const app = useTestApp(engine, { PAVIS_DATA_DIR: folder.path, PAVIS_EXTENSIONS: extension });
  const dsarClient = createDsarClient(app);
  afterAll(() => folder.remove());
  beforeEach(() => Object.assign(shop, { outcome: {} }));

  const put = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  const taskOf = async (id: number, source: string): Promise<any> =>
    (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json.find(
      (task: { source: string }) => task.source === source,
    );
  const settle = async (id: number, source: string, body: object) =>
    dsarClient.admin('PUT', `/dsar/tasks/${(await taskOf(id, source)).id}`, body);
  const preview = (id: number, reason?: string) =>
    dsarClient.admin(
      'GET',
      `/dsar/cases/${id}/completion${reason === undefined ? '' : `?reason=${encodeURIComponent(reason)}`}`,
    );

  /** A request in progress. */
  async function started(request_type: string, language = 'en') {
    const made = await dsarClient.request({ request_type, language, additional_info: WORDS });
    await put(made.id, { status: 'in_progress' });
    await dsarClient.work();
    return made.id;
  }
  /** The only email that completing a request sends. */
  async function complete(id: number, reason?: string) {
    await dsarClient.mails();
    const answer = await put(id, { status: 'completed', ...(reason && { reason }) });
    expect([answer.text, answer.status]).toEqual([answer.text, 200]);
    const mails = (await dsarClient.mails()).filter(({ kind }) => kind === 'dsar_completed');
    expect(mails).toHaveLength(1);
    const { json: listed } = await dsarClient.admin('GET', `/mail?about=dsar/cases/${id}`);
    expect(listed[0].kind).toBe('dsar_completed');
    const text = mails[0]?.text ?? '';
    expect(text).not.toContain('Free text');
    return text;
  }
  const sourcesOf = async (id: number): Promise<string[]> =>
    (await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`)).json.map(
      ({ source }: { source: string }) => source,
    );

  it.each([
    [
      'en',
      'Not erased. Processing is necessary for the establishment, exercise or defence of legal claims (Art. 17(3)(e) GDPR). A dispute.',
      '4 deleted, 1 kept (tax law, Art. 17(3)(b) GDPR)',
      'part of your personal data',
      'We found no data about you in:',
    ],
    [
      'de',
      'Nicht gelöscht. Die Verarbeitung ist zur Geltendmachung, Ausübung oder Verteidigung von Rechtsansprüchen erforderlich (Art. 17 Abs. 3 Buchst. e DSGVO). A dispute.',
      '4 gelöscht, 1 aufbewahrt (tax law, Art. 17 Abs. 3 Buchst. b DSGVO)',
      'einen Teil Ihrer personenbezogenen Daten',
      'Keine Daten über Sie gefunden in:',
    ],
  ] as const)(
    'reports the erased and the kept records of a deletion with reasons (%s)',
    async (language, refused, erased, summary, empty) => {
      shop.outcome = {
        erased: 4,
        kept: [{ count: 1, reason: 'tax law', ground: 'legal_obligation' }],
      };
      const id = await started('deletion', language);
      const decisions = (await sourcesOf(id))
        .filter((source) => source !== 'paper')
        .map((source) =>
          source === 'dsar_cases'
            ? { source, decision: 'refuse', ground: 'legal_claims', reason: 'A dispute.' }
            : { source, decision: 'approve' },
        );
      await dsarClient.admin('POST', `/dsar/cases/${id}/approve`, { decisions });
      await dsarClient.work();
      await settle(id, 'paper', { status: 'done', result: 'Two folders were shredded.' });
      const shown = (await preview(id)).json;
      const text = await complete(id);
      expect(text).toContain(refused);
      expect(text).toContain(`Orders <of the shop>: ${erased}`);
      expect(text).toContain('Paper files: Two folders were shredded.');
      expect(text).toContain(summary);
      expect(text).toContain(empty);
      expect(text).toContain(RIGHTS[language]);
      expect(text).not.toMatch(/we remove your name|entfernen wir Ihren Namen/);
      // The email is the same as its preview.
      expect([shown.text, shown.language, shown.open]).toEqual([text, language, []]);
    },
  );

  it.each([
    ['en', 'we remove your name, contact details and message from this request', 'still open'],
    ['de', 'entfernen wir Ihren Namen', 'noch offen'],
  ] as const)('reports the erasure of the request itself (%s)', async (language, told, untrue) => {
    const id = await started('deletion', language);
    await dsarClient.approve(id);
    await dsarClient.work();
    await settle(id, 'paper', { status: 'done', result: 'Shredded.' });
    const text = await complete(id);
    expect(text).toContain(told);
    expect(text).not.toContain(untrue);
  });

  it.each([
    ['en', '30 days after we completed it.', 'Data that we searched for by hand: Shredded.'],
    ['de', '30 Tage nach seinem Abschluss', 'Daten, die wir von Hand gesucht haben: Shredded.'],
  ])('is previewed as a letter without an email address (%s)', async (language, told, done) => {
    const enter = async (request_type: string) => {
      const letter = { channel: 'letter', received_on: '2026-11-20', postal_address: 'High St' };
      const identity = { verified: true, identity_proof: 'Known signature' };
      const body = { request_type, language, ...letter, ...identity };
      const { id } = (await dsarClient.admin('POST', '/dsar/cases', body)).json;
      await settle(id, 'review', { status: 'done', result: 'Shredded.' });
      await dsarClient.work();
      return id;
    };
    const erased = (await preview(await enter('deletion'))).json;
    expect(erased.recipient).toBeNull();
    expect(erased.text).toContain(told);
    expect(erased.text).toContain(done);
    expect(erased.text).not.toMatch(/this email|diese E-Mail/);
    const id = await enter('access');
    const access = (await preview(id)).json;
    expect(access.package.bytes).toBeGreaterThan(0);
    expect(access.text).not.toContain('/privacy/download');
    const { letters } = (await put(id, { status: 'completed' })).json;
    expect(letters).toEqual([{ subject: access.subject, text: access.text }]);
    const tokens = app.platform.datastore.db.selectFrom('dsar_tokens').select('purpose');
    expect(await tokens.where('case_id', '=', id).execute()).toEqual([]);
  });

  it.each([
    ['en', 'identity', ['Please state the reference', 'supervisory authority', 'more time']],
    ['de', 'clarification', ['Bitte nennen Sie in Ihrer Antwort', 'aufsichtsbehörde', 'mehr Zeit']],
  ])(
    'is returned with a refusal and what else informs a requester without an email address (%s)',
    async (language, ground, [reply = '', remedies = '', extended = '']) => {
      await dsarClient.mails();
      const made = { request_type: 'access', channel: 'phone', received_on: '2026-11-20' };
      const body = { ...made, phone: '+44 1', language };
      const { id, reference } = (await dsarClient.admin('POST', '/dsar/cases', body)).json;
      const change = async (update: object) => (await put(id, update)).json.letters;
      const [longer, question, ...none] = await change({
        extend: { reason: 'Many files.' },
        ...{ status: 'on_hold', ground, reason: 'Which account?' },
      });
      expect(none).toEqual([]);
      expect(longer.subject).toContain(extended);
      expect(longer.text).toContain('Many files.');
      expect(question.text).toContain('Which account?');
      expect(question.text).toContain(reply);
      expect(question.text).not.toMatch(/this email|diese E-Mail/);
      expect(await change({ assignee: null })).toEqual([]);
      const [refusal] = await change({ status: 'rejected', ground: 'excessive', reason: 'Again.' });
      expect(Object.keys(refusal)).toEqual(['subject', 'text']);
      expect(refusal.subject).toContain(reference);
      expect(refusal.text).toContain('Again.');
      expect(refusal.text).toContain(remedies);
      expect(await dsarClient.mails()).toEqual([]);
      const emailed = await started('access', language);
      await dsarClient.mails();
      const { json } = await put(emailed, { extend: { reason: 'Many files.' } });
      expect(json.letters).toEqual([]);
    },
  );

  it.each([
    ['en', 'rejected', 'Deleted data cannot be restored', '4 deleted'],
    ['de', 'withdrawn', 'Gelöschte Daten können nicht', '4 gelöscht'],
  ])(
    'reports what was erased before a request ends otherwise (%s, %s)',
    async (language, status, told, erased) => {
      const end = { status, ...(status === 'rejected' && { ground: 'identity', reason: 'No.' }) };
      const endsWith = async (id: number) => {
        await dsarClient.mails();
        expect((await put(id, end)).status).toBe(200);
        return (await dsarClient.mails()).at(-1)?.text;
      };
      const untouched = await started('deletion', language);
      expect(await endsWith(untouched)).not.toContain(told);
      shop.outcome = { erased: 4 };
      const id = await started('deletion', language);
      await dsarClient.approve(id);
      await dsarClient.work();
      const text = await endsWith(id);
      expect(text).toContain(told);
      expect(text).toContain(`Orders <of the shop>: ${erased}`);
      expect(text).not.toContain('Paper files');
    },
  );

  it('states in German that a subscription keeps data, too', async () => {
    shop.outcome = { kept: [{ count: 1, reason: 'A contract.', ground: 'contract' }] };
    const id = await started('deletion', 'de');
    await dsarClient.approve(id);
    await dsarClient.work();
    await settle(id, 'paper', { status: 'done', result: 'Geschreddert.' });
    expect(await complete(id)).toContain(
      'solange eine Lizenz weder abgelaufen noch widerrufen ist oder ein Abonnement sie verlängert',
    );
  });

  it('reports no erasure if every source was skipped', async () => {
    const id = await started('deletion');
    const shown = (await preview(id, 'You have a running contract.')).json;
    expect(shown.open.length).toBeGreaterThan(2);
    const text = await complete(id, 'You have a running contract.');
    expect(text).toBe(shown.text);
    expect(text).toContain('We have not deleted your personal data');
    expect(text).toContain('Orders <of the shop>: Not erased. You have a running contract.');
    expect(text).not.toMatch(/have deleted|deleted,|anonymised/);
    expect(text).toContain(RIGHTS.en);
  });

  it('lists the collected and the skipped sources of an access request', async () => {
    const id = await started('access');
    await settle(id, 'shop', { status: 'skipped', reason: 'Sent last week.' });
    const left = await dsarClient.admin('GET', `/dsar/cases/${id}/tasks`);
    const shopTask = left.json.find(({ source }: { source: string }) => source === 'shop');
    // It was already collected, so it is not reported as skipped.
    expect(shopTask.status).toBe('done');
    await settle(id, 'paper', { status: 'skipped', reason: 'The cellar is flooded.' });
    await dsarClient.work();
    const shown = (await preview(id)).json;
    expect(shown.package.bytes).toBeGreaterThan(0);
    expect(shown.text).toContain('/privacy/download?token=…');
    const text = await complete(id);
    expect(text).toContain('Orders <of the shop>: 1 record');
    expect(text).toContain('Paper files: Left out. The cellar is flooded.');
    expect(text).toMatch(/We found no data about you in: .*Your passkeys/);
    expect(text).not.toContain('Your passkeys:');
    expect(text).toContain(RIGHTS.en);
    expect(text.replace(/token=[\w-]+/, 'token=…')).toBe(shown.text);
  });

  it('reports that there is no file if the package was skipped', async () => {
    const id = await started('access');
    const text = await complete(id, 'We sent it by letter.');
    expect(text).toContain('We do not send you a file with your data. We sent it by letter.');
    expect(text).not.toContain('/privacy/download');
  });

  it('mentions no remedies if nothing was refused', async () => {
    const id = await started('portability');
    const text = await complete(id);
    expect(text).toContain('/privacy/download');
    expect(text).not.toContain(RIGHTS.en);
  });

  it.each([
    ['rectification', 'We have not corrected your data.'],
    ['objection', 'We have not changed how we use your data.'],
  ])('reports the manual result of a %s, or that nothing was done', async (type, nothing) => {
    const id = await started(type);
    await settle(id, 'review', { status: 'done', result: 'The surname is now "Lovelace".' });
    const text = await complete(id);
    expect(text).toContain('The surname is now "Lovelace".');
    const other = await started(type);
    const left = await complete(other, 'The data are right.');
    expect(left).toContain(`${nothing} The data are right.`);
    expect(left).toContain(RIGHTS.en);
    // A reopened request needs a new decision.
    await put(id, { status: 'in_progress', reason: 'It was wrong.' });
    expect(await taskOf(id, 'review')).toMatchObject({ status: 'waiting', result: null });
  });

  it('has a link that no longer works after a reopening only if one was sent', async () => {
    const text = 'Links to download your data that we sent you before no longer work.';
    for (const isLeftOut of [false, true]) {
      const id = await started('access');
      if (!isLeftOut) {
        await settle(id, 'paper', { status: 'skipped', reason: 'There are none.' });
        await dsarClient.work();
      }
      await complete(id, isLeftOut ? 'Sent by letter.' : undefined);
      await put(id, { status: 'in_progress', reason: 'There is more.' });
      const [mail] = await dsarClient.mails();
      expect(mail?.kind).toBe('dsar_reopened');
      expect(mail?.text.includes(text)).toBe(!isLeftOut);
    }
  });

  it('is previewed only if the request can be completed', async () => {
    const { id } = await dsarClient.request();
    const early = await preview(id);
    expect([early.status, early.json.code]).toEqual([409, 'invalid_transition']);
    expect((await preview(999_999)).status).toBe(404);
    await put(id, { status: 'in_progress' });
    expect((await preview(id, '  ')).status).toBe(400);
  });

  it('needs a ground that fits the type of a refused request, and emails it', async () => {
    for (const type of REQUEST_TYPES) {
      const { id } = await dsarClient.request({ request_type: type, additional_info: WORDS });
      const refuse = (ground?: string) =>
        put(id, { status: 'rejected', reason: 'As said by telephone.', ...(ground && { ground }) });
      for (const ground of [undefined, 'clarification', 'legal_hold', 'nonsense']) {
        const { status, json } = await refuse(ground);
        expect([type, ground, status, Object.keys(json.data?.params ?? {})]).toEqual([
          type,
          ground,
          400,
          ['ground'],
        ]);
      }
      const unfit = type === 'objection' ? 'legal_obligation' : 'compelling_grounds';
      expect((await refuse(unfit)).json.data.params.ground).toContain(
        listRefusalGrounds(type, 'gdpr').join(', '),
      );
    }
    for (const [language, ground, says] of [
      [
        'en',
        'excessive',
        'The request is excessive, for example because it repeats an earlier one (Art. 12(5) GDPR).',
      ],
      [
        'de',
        'identity',
        'Wir konnten Ihre Identität nicht feststellen (Art. 11 Abs. 2, 12 Abs. 2 und 12 Abs. 6 DSGVO).',
      ],
      ['en', 'no_data', 'We do not process any personal data about you.'],
    ] as const) {
      const { id } = await dsarClient.request({ language, additional_info: WORDS });
      await dsarClient.mails();
      await put(id, { status: 'rejected', reason: 'As said by telephone.', ground });
      const [mail] = await dsarClient.mails();
      expect(mail?.text).toContain(says);
      expect(mail?.text).toContain('As said by telephone.');
      expect(mail?.text).toContain(RIGHTS[language]);
      expect(mail?.text).not.toContain('Free text');
    }
  });
});
