import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDelivery, sendDueMails } from '../../src/mail/index.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { atKeyboard } from '../support/keyboard.ts';
import { type MailServer, mailServer } from '../support/mail-server.ts';
import { makeUser } from '../support/users.ts';

const PASSWORD = 'correct horse battery staple';
/** Of 190 characters, most of which are two UTF-16 units. */
const LONG_PASSWORD = `${'🔑🐎🔋📎🌧'.repeat(30)} ${PASSWORD} of emoji`;

describe('A forgotten password', () => {
  const { app, open, heading } = useConsole({ PAVIS_SMTP_URL: 'smtp://127.0.0.1:1' });
  let server: MailServer;
  beforeAll(async () => {
    server = await mailServer();
  });
  afterAll(() => server.stop());

  it('is replaced with a link by email, with the keyboard only', async () => {
    const { login } = await makeUser(app.platform);
    const { page, faults } = await open('/sign-in');
    const keys = atKeyboard(page);
    await keys.press(keys.link('Forgot your password?'));
    await heading(page, 'Reset your password').waitFor();
    await isForEverybody(page);
    await keys.type(page.getByLabel('Login or email address'), login);
    await page.keyboard.press('Enter');
    await keys.sees('Check your email.');
    await isForEverybody(page);

    const from = { name: '', address: 'pavis@example.com' };
    const delivery = createDelivery({ smtpUrl: server.url, from, folder: '' });
    await sendDueMails(app.platform, delivery);
    const link = /http\S+reset-password#\S+/.exec(server.arrived[0]?.mail.text ?? '')?.[0] ?? '';
    await page.goto(link);
    await heading(page, 'Choose a new password').waitFor();
    await isForEverybody(page);
    await keys.type(page.getByLabel('New password'), 'password1234');
    await page.keyboard.press('Enter');
    await keys.sees(/easy to guess/);
    await page.getByLabel('New password').fill('🔑'.repeat(201));
    await page.keyboard.press('Enter');
    await keys.sees(/200/);
    await isForEverybody(page);
    await page.getByLabel('New password').fill(LONG_PASSWORD);
    await page.keyboard.press('Enter');
    await keys.sees('Your password was changed.');
    await isForEverybody(page);
    await keys.press(keys.link('Sign in'));
    await heading(page, 'Sign in').waitFor();
    await keys.type(page.getByLabel('Login'), login);
    await page.getByLabel('Password', { exact: true }).fill(LONG_PASSWORD);
    await page.keyboard.press('Enter');
    await heading(page, 'Overview').waitFor();

    await page.goto('about:blank');
    await page.goto(link);
    await keys.type(page.getByLabel('New password'), PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('This link was already used').waitFor();
    await isForEverybody(page);
    await keys.press(keys.link('Request a new link'));
    await heading(page, 'Reset your password').waitFor();
    expect(faults).toEqual([]);
  });
});

describe('A forgotten password without a mail server', () => {
  const { open, heading } = useConsole();

  it('shows what to do instead', async () => {
    const { page } = await open('/forgot-password');
    await heading(page, 'Reset your password').waitFor();
    await page.getByText('npx pavis user reset-password LOGIN').waitFor();
    expect(await page.getByRole('button', { name: 'Email me a link' }).count()).toBe(0);
    await isForEverybody(page);
  });
});
