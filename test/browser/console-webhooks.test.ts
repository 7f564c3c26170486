import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebhookSender } from '../../src/webhooks/index.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { makeLicence } from '../support/makers.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

describe('The webhook pages of the console', () => {
  const { app, openSignedIn, heading } = useConsole({ PAVIS_PRIVATE_WEBHOOKS: 'on' });
  const receiver = new WebhookReceiver();
  let sender: WebhookSender;
  beforeAll(async () => {
    await receiver.start();
    sender = new WebhookSender(app.platform, true);
  });
  afterAll(() => receiver.stop());

  it('create a webhook, show its secret once, and send a test event', async () => {
    const page = await openSignedIn('/webhooks');
    await page.getByText('No webhooks').waitFor();
    await page.getByRole('link', { name: 'Create a webhook' }).first().click();
    await heading(page, 'Create a webhook').waitFor();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    await page.getByText('Choose at least one event.').waitFor();
    await page.getByLabel('Description').fill('CRM');
    await page.getByRole('checkbox', { name: 'licence.issued' }).check();
    await page.getByRole('button', { name: 'Create the webhook' }).click();
    const secret = page.getByRole('region', { name: 'Secret of the webhook' });
    await secret.getByText('It is stored encrypted.').waitFor();
    expect(await secret.getByRole('textbox').inputValue()).toMatch(/^whsec_/);
    await page.getByRole('link', { name: 'View webhook' }).click();
    await heading(page, /^Webhook$/).waitFor();
    expect(await page.getByText('whsec_').count()).toBe(0);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The test event is queued.').waitFor();
    await sender.sendDue();
    await page.getByRole('row', { name: /webhook\.test.*Delivered.*Answered 200/ }).waitFor();
    expect(receiver.received[0]?.event.type).toBe('webhook.test');
  });

  it('show failed deliveries with their payload, and send them again', async () => {
    receiver.mood = 500;
    receiver.text = 'out of order';
    const { email } = await makeLicence(app.platform);
    await sender.sendDue();
    const page = await openSignedIn('/webhooks');
    await page.getByText('Failing').waitFor();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText(/Attempts have failed since/).waitFor();
    await page.getByLabel('Status').selectOption('Pending');
    const row = page.getByRole('row', { name: /licence\.issued/ });
    expect(await row.textContent()).toContain('The endpoint answered 500.');
    await row.getByRole('button').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(email).waitFor();
    await dialog.getByText('out of order').waitFor();
    await isForEverybody(page);
    receiver.mood = 200;
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The event will be sent again, under the same id.').waitFor();
    await sender.sendDue();
    await page.getByLabel('Status').selectOption('Delivered');
    await page.getByRole('row', { name: /licence\.issued.*Answered 200/ }).waitFor();
    expect(receiver.taken.length).toBe(2);
    await isForEverybody(page);
  });

  it('deactivate, rotate the secret and delete', async () => {
    const page = await openSignedIn('/webhooks');
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('region', { name: 'New secret of the webhook' }).waitFor();
    await page.getByLabel('Active').uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('It was deactivated by hand.').waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks').waitFor();
  });
});
