import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { bought, placeOrder } from '../../../test/support/stripe.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts';
import { extendLicence, rotateKey, suspendLicence } from '../licences/index.ts';
import { NEVER } from '../products/index.ts';
import { parsePaymentEvent } from './events.ts';
import { licenceJob } from './job.ts';
import { mailRotatedKey } from './mails.ts';
import { processPaymentEvent } from './payments.ts';

const HALF_DAY_MS = DAY_MS / 2;

describe.each(ENGINES)('Daily licence job on %s', (engine) => {
  const app = useTestApp(engine);
  let job: ReturnType<typeof licenceJob> | undefined;

  /** Advances the clock by half days and runs the job when due. */
  async function live(count: number): Promise<void> {
    job ??= licenceJob(app.platform, {
      publicUrl: () => 'https://api.example.com/licences',
      canRenew: () => true,
      stripe: undefined,
      wasErased: async () => false,
      prices: [],
      expiringDays: [30, 7, 1],
    });
    for (let half = 0; half < 2 * count; half++) {
      await job.runIfDue();
      app.clock.advance(HALF_DAY_MS);
    }
  }
  async function warnings(email: string): Promise<(string | null)[]> {
    const rows = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['subject', 'body_text'])
      .where('recipient', '=', email)
      .where('kind', '=', 'licence_expiry')
      .orderBy('id')
      .execute();
    for (const { body_text: text } of rows)
      expect(text).toContain('https://api.example.com/account/');
    return rows.map(({ subject }) => subject);
  }
  const inDays = (count: number) => app.clock.now() + count * DAY_MS;

  it('emails reminders 30, 7 and 1 days before the expiry, once each', async () => {
    const { email } = await makeLicence(app.platform, { expiresAt: inDays(40) });
    await live(42);
    expect(await warnings(email)).toEqual([
      'Your licence expires in 30 days',
      'Your licence expires in 7 days',
      'Your licence expires in 1 day',
    ]);
  });

  it('states the end of the grace period in the reminder', async () => {
    const { email } = await makeLicence(app.platform, { expiresAt: inDays(0.5), graceDays: 14 });
    await app.platform.datastore.transaction((trx) =>
      trx
        .updateTable('licences')
        .set({ issued_at: app.clock.now() - 40 * DAY_MS })
        .where('expires_at', '=', inDays(0.5))
        .execute(),
    );
    const end = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
    const until = end.format(inDays(14.5));
    await live(1);
    const { body_text: text } = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select('body_text')
      .where('recipient', '=', email)
      .where('kind', '=', 'licence_expiry')
      .executeTakeFirstOrThrow();
    expect(text).toContain(`Your sites keep working until ${until}`);
  });

  it('leads to the vendor where no licences are on sale', async () => {
    const { email } = await makeLicence(app.platform, { expiresAt: inDays(10) });
    const { id, email: trialEmail } = await makeLicence(app.platform, { expiresAt: inDays(10) });
    await app.platform.datastore.transaction((trx) =>
      trx.updateTable('licences').set({ is_trial: 1 }).where('public_id', '=', id).execute(),
    );
    job = licenceJob(app.platform, {
      publicUrl: () => 'https://api.example.com/licences',
      canRenew: () => false,
      stripe: undefined,
      wasErased: async () => false,
      prices: [],
      expiringDays: [],
    });
    await live(4);
    job = undefined;
    for (const address of [email, trialEmail]) {
      const { body_text: text } = await app.platform.datastore.db
        .selectFrom('outbox_mails')
        .select('body_text')
        .where('recipient', '=', address)
        .where('kind', '=', 'licence_expiry')
        .executeTakeFirstOrThrow();
      expect(text).toContain('To keep the licence, contact the vendor.');
      expect(text).not.toMatch(/https:|sign in|buy it/);
    }
  });

  it('reminds again of a new expiry, and sends one email for several missed days', async () => {
    const { email, id } = await makeLicence(app.platform, { expiresAt: inDays(33) });
    await live(5);
    await extendLicence(app.platform, id, inDays(60), 'test');
    app.clock.advance(55 * DAY_MS);
    await live(1);
    expect(await warnings(email)).toEqual([
      'Your licence expires in 30 days',
      'Your licence expires in 5 days',
    ]);
  });

  it('sends nothing to a deleted customer', async () => {
    const { id, email } = await makeLicence(app.platform, { expiresAt: inDays(40) });
    const { db } = app.platform.datastore;
    const erased = `5e1f0c${engine}`;
    await db.updateTable('customers').set({ email: erased }).where('email', '=', email).execute();
    await live(42);
    await rotateKey(app.platform, id, 0, 'test', (trx, announce, rerolled) =>
      mailRotatedKey(app.platform, trx, announce, rerolled),
    );
    const mails = db.selectFrom('outbox_mails').select('kind').where('recipient', '=', erased);
    expect(await mails.execute()).toEqual([]);
  });

  it('sends no reminder for lifetime, suspended, short and automatically renewing licences', async () => {
    const perpetual = await makeLicence(app.platform, { expiresAt: NEVER });
    const suspended = await makeLicence(app.platform, { expiresAt: inDays(40) });
    await suspendLicence(app.platform, suspended.id, 'test');
    const short = await makeLicence(app.platform, { expiresAt: inDays(1) });
    const { session, subscription } = bought(`${engine}-job`, {
      email: 'renews@example.com',
      interval: 'month',
    });
    const tell = async (type: string, object: object) => {
      const created = Math.floor(app.clock.now() / 1_000);
      const read = parsePaymentEvent(
        { id: `evt_${type.replaceAll('.', '_')}`, type, created, data: { object } },
        [],
      );
      if (!read) throw new Error('not read');
      await processPaymentEvent(app.platform, read, 'test');
    };
    await placeOrder(app.platform.datastore.db, session());
    await tell('checkout.session.completed', session());
    await live(28);
    for (const email of [perpetual.email, suspended.email, short.email, 'renews@example.com']) {
      expect(await warnings(email)).toEqual([]);
    }
    await tell('customer.subscription.updated', subscription({ cancel_at_period_end: true }));
    await live(2);
    expect(await warnings('renews@example.com')).not.toEqual([]);
  });

  it('deletes events of other products after 60 days, and keeps events of licences', async () => {
    const { db } = app.platform.datastore;
    const now = app.clock.now();
    const events = async () =>
      (await db.selectFrom('payment_events').select('event_id').execute()).map(
        (row) => row.event_id,
      );
    const refs = async () =>
      (await db.selectFrom('payment_refs').select('ref').distinct().execute()).map(
        (row) => row.ref,
      );
    const tell = async (id: string, type: string, object: object) => {
      const event = parsePaymentEvent(
        { id, type, created: Math.floor(now / 1_000), data: { object } },
        [],
      );
      if (event) await processPaymentEvent(app.platform, event, 'stripe');
    };
    await db.deleteFrom('payment_refs').execute();
    await db.deleteFrom('payment_events').execute();
    const ours = bought(`${engine}_kept`);
    const foreign = bought(`${engine}_foreign`);
    await placeOrder(db, ours.session());
    await tell('evt_paid', 'invoice.paid', ours.invoice(1, now));
    await tell('evt_session', 'checkout.session.completed', ours.session());
    await tell('evt_link', 'invoice_payment.paid', ours.invoicePayment(1));
    await tell('evt_foreign', 'invoice.paid', foreign.invoice(1, now));
    await tell('evt_foreign_refund', 'charge.refunded', foreign.charge(1));
    await live(59);
    expect(await events()).toHaveLength(5);
    await live(3);
    expect((await events()).toSorted()).toEqual(['evt_link', 'evt_paid', 'evt_session']);
    expect((await refs()).filter((ref) => ref.includes('foreign'))).toEqual([]);
  });

  it('deletes orders after 30 days', async () => {
    const { id } = (await app.http.post('/checkout/session', { body: { email: 'b@example.com' } }))
      .json;
    const { db } = app.platform.datastore;
    const kept = () =>
      db.selectFrom('checkout_orders').select('id').where('session_id', '=', id).execute();
    await live(29);
    expect(await kept()).toHaveLength(1);
    await live(3);
    expect(await kept()).toEqual([]);
  });

  it('tells the customer of a trial that it ends, and where to buy the licence', async () => {
    const { id, email } = await makeLicence(app.platform, { expiresAt: inDays(9) });
    const { db } = app.platform.datastore;
    await db.updateTable('licences').set({ is_trial: 1 }).where('public_id', '=', id).execute();
    await live(3);
    expect(await warnings(email)).toEqual(['Your trial ends in 7 days']);
    const mails = db.selectFrom('outbox_mails').select('body_text').where('recipient', '=', email);
    const [mail] = await mails.where('kind', '=', 'licence_expiry').execute();
    expect(mail?.body_text).toContain('Buy this licence');
    expect(mail?.body_text).not.toContain('Renew');
  });

  it('emails each reminder at least that many days before the expiry', async () => {
    const toNextRun = DAY_MS - (app.clock.now() % DAY_MS) + 8 * HOUR_MS;
    const expiresAt = app.clock.now() + toNextRun + 2 * DAY_MS + 20_000;
    const { email } = await makeLicence(app.platform, { expiresAt });
    app.clock.advance(toNextRun + DAY_MS + 10_000);
    await live(0.5);
    expect(await warnings(email)).toEqual(['Your licence expires in 1 day']);
  });
});
