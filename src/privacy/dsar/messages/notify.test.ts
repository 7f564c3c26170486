import { describe, expect, it } from 'vitest';
import { createDsarClient } from '../../../../test/support/dsar.ts';
import { ENGINES } from '../../../../test/support/engines.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';

const NOBODY = { name: '', address: '', email: '', dpo_name: '', dpo_email: '' };

describe.each(ENGINES)('Emails to requesters on %s', (engine) => {
  const app = useTestApp(engine);
  const dsarClient = createDsarClient(app);

  /** The email with a question to the requester. */
  async function question(
    { mail = {}, controller = {} }: { mail?: object; controller?: object },
    language = 'en',
  ) {
    const settings = {
      mail: { from_name: '', reply_to: '', ...mail },
      controller: { ...NOBODY, ...controller },
    };
    await dsarClient.admin('PUT', '/settings', settings);
    const { id, reference } = await dsarClient.request({ language });
    await dsarClient.admin('PUT', `/dsar/cases/${id}`, {
      status: 'on_hold',
      ground: 'clarification',
      reason: 'Which shop?',
    });
    const asked = (await dsarClient.mails()).find(({ kind }) => kind === 'dsar_paused');
    return { reference, ...(asked ?? expect.fail('no email')) };
  }

  it.each([
    ['en', 'Please reply to this email', 'request form'],
    ['de', 'Bitte antworten Sie auf diese E-Mail', 'mit dem Formular'],
  ])(
    'ask for replies by email only if somebody receives them (%s)',
    async (language, byEmail, byForm) => {
      const nowhere = await question({}, language);
      expect(nowhere.replyTo).toBeNull();
      expect(nowhere.text).not.toContain(byEmail);
      expect(nowhere.text).toContain(byForm);
      expect(nowhere.text).toContain(`${app.url}/privacy/\n`);
      const address = '1 High Street\nLondon';
      const letter = await question({ controller: { name: 'Example Ltd', address } }, language);
      expect(letter.replyTo).toBeNull();
      expect(letter.text).not.toContain(byEmail);
      expect(letter.text).toContain(letter.reference);
      expect(letter.text).toContain(`:\nExample Ltd\n${address}`);
      for (const [settings, replyTo] of [
        [{ controller: { email: 'privacy@example.com' } }, 'privacy@example.com'],
        [
          {
            controller: { email: 'privacy@example.com' },
            mail: { reply_to: 'answers@example.com' },
          },
          'answers@example.com',
        ],
      ] as const) {
        const asked = await question(settings, language);
        expect(asked.replyTo).toBe(replyTo);
        expect(asked.text).toContain(byEmail);
        expect(asked.text).not.toContain(byForm);
      }
    },
  );

  it('continue the sentence of the greeting in German', async () => {
    expect((await question({}, 'de')).text).toContain('Guten Tag,\nwir benötigen');
    expect((await question({})).text).toContain('Hello,\nWe need');
  });

  it('are signed with the controller and the data protection officer if they are set', async () => {
    const controller = {
      name: 'Example Ltd',
      address: '1 High Street',
      email: 'privacy@example.com',
      dpo_name: 'Ada Lovelace',
      dpo_email: 'dpo@example.com',
    };
    const signed = await question({ controller });
    expect(signed.text.trim()).toMatch(
      /\n\nExample Ltd\n1 High Street\nprivacy@example\.com\nData protection officer: Ada Lovelace, dpo@example\.com$/,
    );
    expect(signed.fromName).toBe('Example Ltd');
    expect((await question({ controller }, 'de')).text).toContain(
      'Datenschutzbeauftragte Person: Ada',
    );
    expect((await question({ controller, mail: { from_name: 'The shop' } })).fromName).toBe(
      'The shop',
    );
    expect((await question({})).text).not.toContain('Data protection officer');
  });
});

describe('A sender that receives email', () => {
  const app = useTestApp('sqlite', { PAVIS_MAIL_FROM: 'Shop <privacy@example.com>' });
  const dsarClient = createDsarClient(app);

  it('receives replies if no other address is set', async () => {
    await dsarClient.request();
    expect((await dsarClient.mails())[0]?.replyTo).toBe('privacy@example.com');
  });
});
