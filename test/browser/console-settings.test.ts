import { describe, expect, it } from 'vitest';
import { createDelivery, sendDueMails } from '../../src/mail/index.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { createDsarClient, tokenIn } from '../support/dsar.ts';

describe('Settings in the console', () => {
  const { app, openSignedIn } = useConsole({ PAVIS_CHROMIUM: 'off' });
  const dsarClient = createDsarClient(app);

  it('saves the controller, shows an error for an invalid email, and completes a step of the overview', async () => {
    const page = await openSignedIn('/');
    const steps = page.getByRole('region', { name: 'Get started' });
    await steps.getByText('Name the controller', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill('Example Ltd');
    await page.getByLabel('Postal address').fill('1 High Street\nLondon');
    await page.getByLabel('Email', { exact: true }).fill('privacy@example');
    await page.getByRole('button', { name: 'Save controller' }).click();
    await page.getByText('Enter one email address').waitFor();
    await page.getByLabel('Email', { exact: true }).fill('privacy@example.com');
    await page.getByRole('button', { name: 'Save controller' }).click();
    await page.getByText('The controller was saved.').waitFor();
    await page.getByLabel('Reply address').fill('answers@example.com');
    await page.getByRole('button', { name: 'Save email settings' }).click();
    await page.getByText('The email settings were saved.').waitFor();
    const { json } = await dsarClient.admin('GET', '/settings');
    expect(json.controller).toMatchObject({
      name: 'Example Ltd',
      address: '1 High Street\nLondon',
      email: 'privacy@example.com',
    });
    expect(json.mail.reply_to).toBe('answers@example.com');
    await page.goto(`${app.url}/admin/`);
    await page.getByText('Name the controller, done').waitFor();
  });

  it('leads to each section of the page, also with unsaved changes', async () => {
    const page = await openSignedIn('/settings');
    await page.getByLabel('Postal address').fill('Unsaved Street 1');
    const contents = page.getByRole('navigation', { name: 'On this page' });
    for (const button of await contents.getByRole('button').all()) {
      const title = page.getByRole('heading', { name: await button.innerText(), exact: true });
      await button.click();
      expect(await title.evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    }
    expect(await contents.getByRole('button').count()).toBe(6);
    await expect
      .poll(() => page.getByLabel('Postal address').inputValue())
      .toBe('Unsaved Street 1');
  });

  it('saves scanner and request settings, and shows the allowed values for an invalid one', async () => {
    const page = await openSignedIn('/settings');
    await page.getByLabel('Pages per scan').fill('');
    await page.getByRole('button', { name: 'Save scanner settings' }).click();
    await page.getByText('Enter a whole number from 1 to 10,000.').waitFor();
    await page.getByLabel('Pages per scan').fill('50');
    await page.getByLabel('Scan pages that robots.txt disallows').click();
    await page.getByRole('combobox', { name: 'Strictly necessary vendors' }).fill('recaptcha');
    await page.getByRole('option', { name: 'Google reCAPTCHA' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save scanner settings' }).click();
    await page.getByText('The scanner settings were saved.').waitFor();
    await page.getByLabel('Deadline').selectOption('ccpa');
    await page.getByRole('button', { name: 'Save request settings' }).click();
    await page.getByText('The request settings were saved.').waitFor();
    const { json } = await dsarClient.admin('GET', '/settings');
    expect(json.scanner).toMatchObject({
      max_pages: 50,
      concurrency: 2,
      ignore_robots: true,
      necessary_vendors: ['google-recaptcha'],
    });
    expect(json.dsar.regime).toBe('ccpa');
    await isForEverybody(page);
  });

  it('shows environment variables without secrets', async () => {
    const page = await openSignedIn('/settings');
    const mail = page.getByRole('form', { name: 'Emails', exact: true });
    await mail.getByText('PAVIS_SMTP_URL').waitFor();
    await mail.getByText('none: emails are saved as files').waitFor();
    await page.getByText('Show all').click();
    await page.getByText('PAVIS_DATABASE_URL').waitFor();
    const { json } = await dsarClient.admin('GET', '/settings/environment');
    const value = (name: string) =>
      json.find((setting: { name: string }) => setting.name === name)?.value;
    expect(value('PAVIS_CHROMIUM')).toBe('off');
    expect(value('PAVIS_SECRET')).not.toContain(app.config.secret ?? 'no secret');
  });

  it('sends a test email to the signed-in user', async () => {
    const page = await openSignedIn('/settings');
    await page.getByRole('button', { name: 'Send a test email' }).click();
    await page
      .locator('[aria-live=polite]')
      .getByText(/^Sending to user\d+@example.com/)
      .waitFor();
    const sent = (await dsarClient.allMails()).filter(({ kind }) => kind === 'test');
    expect(sent.map(({ subject }) => subject)).toEqual(['A test email from Pavis']);
    await page.getByText(/^Sent to user\d+@example.com\.$/).waitFor();
  });

  it('says which emails were saved as files because there is no mail server', async () => {
    const delivery = createDelivery({
      smtpUrl: undefined,
      from: { name: 'Example Ltd', address: 'privacy@example.com' },
      folder: app.config.mail.folder,
    });
    const page = await openSignedIn('/settings');
    await page.getByRole('button', { name: 'Send a test email' }).click();
    await page.getByText(/^Sending to user/).waitFor();
    await sendDueMails(app.platform, delivery);
    await page.getByText('Saved as a file, not sent: no mail server is set.').waitFor();

    const { id } = await dsarClient.request();
    await sendDueMails(app.platform, delivery);
    await page.goto(`${app.url}/admin/requests/${id}`);
    const email = page.getByRole('listitem').filter({ hasText: /^Acknowledgement/ });
    await email.getByText('Not sent', { exact: true }).waitFor();
    await email.getByText(/ · Saved as a file, not sent: no mail server is set\.$/).waitFor();

    // Before the update, or while there was a mail server.
    await app.platform.datastore.db
      .updateTable('outbox_mails')
      .set({ last_error: null })
      .where('status', '=', 'sent')
      .execute();
    await page.reload();
    await email.getByText('Sent or saved as a file', { exact: true }).waitFor();
    await isForEverybody(page);
  });

  it('sends new confirmation and download links for a request', async () => {
    const { id, email } = await dsarClient.request({ visitor_id: 'v-1' });
    await dsarClient.mails();
    const page = await openSignedIn(`/requests/${id}`);
    await page.getByText('Stated, not verified').waitFor();
    await page.getByRole('button', { name: 'Resend confirmation link' }).click();
    await page.getByText('An email with a new link is in the outbox').waitFor();
    const [mail] = await dsarClient.mails();
    expect(mail).toMatchObject({ to: email, kind: 'dsar_confirm_link' });
    await dsarClient.verify(tokenIn(mail ?? expect.fail('no email')));
    await page.reload();
    await page.getByText('Email confirmed', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Resend confirmation link' }).count()).toBe(0);

    const other = await dsarClient.request();
    await dsarClient.verify(tokenIn((await dsarClient.mails()).at(-1) ?? expect.fail('no email')));
    await dsarClient.work();
    await dsarClient.admin('PUT', `/dsar/cases/${other.id}`, { status: 'completed' });
    await dsarClient.mails();
    await page.goto(`${app.url}/admin/requests/${other.id}`);
    await page.getByRole('button', { name: 'Send a new download link' }).click();
    await page.getByText('An email with a new link is in the outbox').waitFor();
    expect((await dsarClient.mails()).map(({ kind }) => kind)).toEqual(['dsar_download_link']);
  });
});
