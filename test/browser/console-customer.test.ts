import { describe, expect, it } from 'vitest';
import { parsePaymentEvent } from '../../src/licensing/checkout/events.ts';
import { processPaymentEvent } from '../../src/licensing/checkout/payments.ts';
import {
  findLicenceWithCustomer,
  maskKey,
  revokeLicence,
  transferLicence,
} from '../../src/licensing/licences/index.ts';
import { isForEverybody } from '../support/accessible.ts';
import { useConsole } from '../support/console.ts';
import { makeLicence } from '../support/makers.ts';
import { bought, placeOrder, stripeEvent } from '../support/stripe.ts';

describe('Customer page of the console', () => {
  const { app, openSignedIn, heading } = useConsole();

  it('lists licences, sites and payments, and is linked from a licence', async () => {
    const email = 'grace@customer.example';
    const first = await makeLicence(app.platform, { email, tier: 'starter' });
    const second = await makeLicence(app.platform, { email, tier: 'agency' });
    await app.http.site('activate', first.key, 'https://one.example.com');
    const page = await openSignedIn(`/licences/${first.id}`);
    await page.getByRole('link', { name: email }).click();
    await heading(page, email).waitFor();
    const figure = (label: string) =>
      page.getByRole('term').filter({ hasText: label }).locator('xpath=following-sibling::dd[1]');
    expect(await figure('Active licences').innerText()).toBe('2');
    expect(await figure('Activated sites').innerText()).toBe('1');
    await page.getByText('https://one.example.com').waitFor();
    await page.getByText('No purchases. Licences issued by hand have none.').waitFor();
    expect(await page.getByRole('table', { name: 'Licences' }).getByRole('row').count()).toBe(3);
    const key = maskKey(first.key);
    await page.getByText(`Since 21 Nov 2026 with ${key}`).waitFor();
    await page
      .getByText(
        `neither expired nor been revoked, or a subscription renews it: ${maskKey(second.key)}, ${key}`,
      )
      .waitFor();
    await isForEverybody(page);
  });

  it('shows what was paid and refunded', async () => {
    const email = 'payer@customer.example';
    const { session, invoice, charge } = bought('amounts', { email, shape: 'old' });
    await placeOrder(app.platform.datastore.db, session());
    const eur = { currency: 'eur' };
    const until = app.clock.now() + 365 * 86_400_000;
    for (const [type, object] of [
      ['checkout.session.completed', session({ ...eur, amount_total: 4_900 })],
      ['invoice.paid', invoice(1, until, 4_900, { ...eur, amount_paid: 4_900 })],
      ['charge.refunded', { ...charge(1, { refunded: false, amount_refunded: 900 }), ...eur }],
    ] as const) {
      const event = parsePaymentEvent(JSON.parse(stripeEvent(type, app.clock.now(), object)), []);
      if (event) await processPaymentEvent(app.platform, event, 'stripe');
    }
    const page = await openSignedIn('/licences');
    await page.getByRole('link', { name: email }).click();
    await page.getByText('Payment refunded in part').waitFor();
    await page.getByText('€9.00 refunded in total', { exact: true }).waitFor();
    await page.getByText('€49.00', { exact: true }).waitFor();
    await page.getByRole('link', { name: email }).click();
    await page.getByText(/^Paid €49\.00/).waitFor();
    await page.getByText(/^Partly refunded €9\.00 in total/).waitFor();
    await isForEverybody(page);
  });

  it('deletes the customer that is shown, and no other one', async () => {
    const { id, email } = await makeLicence(app.platform);
    await revokeLicence(app.platform, id, 'test');
    const page = await openSignedIn(`/licences/${id}`);
    const remove = async (address: string) => {
      await page.getByText(`${address} has no active licence and can be deleted.`).waitFor();
      await page.getByRole('button', { name: 'Delete customer' }).click();
      const dialog = page.getByRole('dialog', { name: 'Delete this customer?' });
      await dialog.getByText(`The address ${address}, the sites`).waitFor();
      await dialog.getByRole('button', { name: 'Delete customer' }).click();
    };
    const heir = 'heir@customer.example';
    // Read before it is transferred.
    await page.getByText(`${email} has no active licence`).waitFor();
    await transferLicence(app.platform, id, heir, 'test');
    await remove(email);
    await page.getByText('The licence belongs to another customer now. Reload the page.').waitFor();
    await page.reload();
    await remove(heir);
    await page.getByText('The customer was deleted.').first().waitFor();
  });

  it('deletes a former customer whose only licence was transferred', async () => {
    const { id, email } = await makeLicence(app.platform);
    const { customerId = 0 } = (await findLicenceWithCustomer(app.platform.datastore.db, id)) ?? {};
    await transferLicence(app.platform, id, 'next@customer.example', 'test');
    const page = await openSignedIn(`/customers/${customerId}`);
    await page.getByText(`${email} has no active licence and can be deleted.`).waitFor();
    await isForEverybody(page);
    await page.getByRole('button', { name: 'Delete customer' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this customer?' });
    await dialog.getByRole('button', { name: 'Delete customer' }).click();
    await heading(page, 'Deleted customer').waitFor();
  });

  it('sorts licences by a column and keeps the order after a reload', async () => {
    const page = await openSignedIn('/licences');
    const email = 'grace@customer.example';
    await page.getByRole('link', { name: email }).first().click();
    await heading(page, email).waitFor();
    await page.getByRole('link', { name: email }).click();
    await page.getByRole('term').filter({ hasText: 'Active licences' }).waitFor();
    const tiers = () =>
      page
        .getByRole('table', { name: 'Licences' })
        .getByRole('cell', { name: /^(Agency|Starter)$/ })
        .allInnerTexts();
    const sort = page.getByRole('button', { name: 'Tier' });
    await sort.click();
    await expect.poll(tiers).toEqual(['Agency', 'Starter']);
    await sort.click();
    await expect.poll(tiers).toEqual(['Starter', 'Agency']);
    await page
      .getByRole('columnheader', { name: 'Tier' })
      .and(page.locator('[aria-sort=descending]'))
      .waitFor();
    await page.reload();
    await expect.poll(tiers).toEqual(['Starter', 'Agency']);
  });
});
