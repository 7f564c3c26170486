import { afterAll, describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../test/support/dsar.ts';
import { ENGINES } from '../../../test/support/engines.ts';
import { plainBrowser } from '../../../test/support/plain-browser.ts';
import { dataFolder } from '../../../test/support/process.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { unzip } from '../../../test/support/unzip.ts';

const AGENCY = {
  en: 'California Privacy Protection Agency or the California Attorney General',
  de: 'California Privacy Protection Agency oder beim Attorney General von Kalifornien',
};
/** Rights that the GDPR has and the CCPA has not, and its authorities and courts. */
const FOREIGN =
  /restrict|object to processing|judicial|supervisory|eingeschränk|einschränk|widersprechen, die auf|gerichtlich|Aufsichtsbehörde/i;

describe.each(ENGINES)('The rights and remedies of a request on %s', (engine) => {
  const folder = dataFolder();
  const app = useTestApp(engine, { PAVIS_DATA_DIR: folder.path });
  const dsarClient = createDsarClient(app);
  afterAll(() => folder.remove());

  const put = (id: number, body: object) => dsarClient.admin('PUT', `/dsar/cases/${id}`, body);
  async function refuse(language: string): Promise<string> {
    const { id } = await dsarClient.request({ request_type: 'deletion', language });
    await dsarClient.mails();
    await put(id, { status: 'rejected', ground: 'unfounded', reason: 'x' });
    return (await dsarClient.mails()).at(-1)?.text ?? '';
  }
  async function readNotice(language: string): Promise<string> {
    const { text } = await plainBrowser(() => app.url).open(`/privacy/?lang=${language}`);
    return text.replace(/\s+/g, ' ');
  }
  async function readPackage(language: string) {
    const { id } = await dsarClient.request({ language });
    await put(id, { status: 'in_progress' });
    await dsarClient.work();
    const { authorization } = (await dsarClient.headers()) as { authorization: string };
    const answer = await fetch(`${app.url}/wp-json/svc/v1/dsar/cases/${id}/package`, {
      headers: { authorization },
    });
    const files = unzip(Buffer.from(await answer.arrayBuffer()));
    const { rights, complaint } = JSON.parse(files.get('data.json')?.toString() ?? '');
    const page = files.get('index.html')?.toString() ?? '';
    for (const text of [...rights, complaint]) expect(page).toContain(text);
    return [...rights, complaint].join('\n');
  }

  it.each([
    ['en', /know.*deleted or corrected.*opt out/, /Know:.*Delete:.*Correct:.*Opt out:/s],
    [
      'de',
      /erfahren.*löschen oder berichtigen.*Verkauf/,
      /Auskunft:.*Löschung:.*Berichtigung:.*Opt-out:/s,
    ],
  ] as const)('are those of the CCPA for its requests (%s)', async (language, notice, rights) => {
    await dsarClient.admin('PUT', '/settings', { dsar: { regime: 'ccpa' } });
    const texts = [await refuse(language), await readNotice(language), await readPackage(language)];
    for (const text of texts) {
      expect(text).toContain(AGENCY[language]);
      expect(text).not.toMatch(FOREIGN);
    }
    expect(texts[1]).toMatch(notice);
    expect(texts[2]).toMatch(rights);
  });

  it.each([
    ['en', 'give the reasons', 'You need not give reasons'],
    ['de', 'nennen Sie bitte die Gründe', 'Gründe brauchen Sie nicht anzugeben'],
  ])('ask for reasons of an objection, not of an opt-out (%s)', async (language, asks, opts) => {
    for (const [regime, stated, other] of [
      ['gdpr', asks, opts],
      ['uk', asks, opts],
      ['ccpa', opts, asks],
    ] as const) {
      await dsarClient.admin('PUT', '/settings', { dsar: { regime } });
      const form = await readNotice(language);
      expect(form).toContain(stated);
      expect(form).not.toContain(other);
    }
  });

  it.each(['compelling_grounds', 'identity'])(
    'refuse no opt-out for %s (11 CCR §7026)',
    async (ground) => {
      for (const [regime, expected] of [
        ['gdpr', 200],
        ['ccpa', 400],
      ] as const) {
        await dsarClient.admin('PUT', '/settings', { dsar: { regime } });
        const { id } = await dsarClient.request({ request_type: 'objection' });
        const refusal = { status: 'rejected', ground, reason: 'x' };
        const { status, json } = await put(id, refusal);
        expect([regime, status]).toEqual([regime, expected]);
        if (expected === 400) expect(json.data.params.ground).not.toContain(ground);
      }
    },
  );

  it.each([
    ['en', 'Art. 12(5) UK GDPR', ['complain to us at', 'complain to the Information Commissioner']],
    [
      'de',
      'Art. 12 Abs. 5 UK-DSGVO',
      ['bei uns beschweren', 'Information Commissioner beschweren'],
    ],
  ])(
    'include a complaint to the controller under the UK GDPR (%s)',
    async (language, law, stated) => {
      const controller = { email: 'privacy@example.com' };
      await dsarClient.admin('PUT', '/settings', { dsar: { regime: 'uk' }, controller });
      const [email, ...texts] = [
        await refuse(language),
        await readNotice(language),
        await readPackage(language),
      ];
      expect(email).toContain(law);
      for (const text of [email, ...texts]) {
        for (const each of [...stated, controller.email]) expect(text).toContain(each);
        expect(text).not.toMatch(/supervisory|Aufsichtsbehörde/);
      }
      await dsarClient.admin('PUT', '/settings', { controller: { email: '' } });
      expect(await readNotice('en')).toContain('You can complain to us. You can also');
    },
  );

  it.each(['gdpr', 'lgpd'])('name an authority and courts under %s', async (regime) => {
    await dsarClient.admin('PUT', '/settings', { dsar: { regime } });
    expect(await refuse('en')).toContain(
      'lodge a complaint with a data protection supervisory authority and seek a judicial remedy',
    );
    expect(await readNotice('en')).toContain('deleted or restricted');
    expect(await readPackage('de')).toContain('Datenschutzaufsichtsbehörde');
  });
});
