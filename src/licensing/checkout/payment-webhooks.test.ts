import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { bought, placeOrder, stripeEvent } from '../../../test/support/stripe.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { createEndpoint, EVENT_TYPES } from '../../webhooks/index.ts';
import { findLicenceWithCustomer, listEvents, revokeLicence } from '../licences/index.ts';
import { parsePaymentEvent } from './events.ts';
import { processPaymentEvent } from './payments.ts';

/** Events that say what has changed on the way, and so depend on the order. */
const ON_THE_WAY = ['licence.updated', 'licence.suspended', 'licence.reinstated'];

describe.each(ENGINES)('webhook events of payments on %s', (engine) => {
  const app = useTestApp(engine);
  let purchases = 0;

  async function tell(payload: string): Promise<void> {
    const event = parsePaymentEvent(JSON.parse(payload), []);
    if (event) await processPaymentEvent(app.platform, event, 'stripe');
  }
  async function queued(email: string) {
    const rows = await app.platform.datastore.db
      .selectFrom('webhook_events')
      .select(['type', 'payload'])
      .where('email', '=', email)
      .orderBy('id')
      .execute();
    return rows.map(({ type, payload }) => ({ type, data: JSON.parse(payload).data }));
  }

  it('are queued once each, in whatever order the payment service reports, and however often', async () => {
    const options = { allowsPrivate: false, actor: 'test' };
    const url = 'https://crm.example.com/hooks';
    await createEndpoint(app.platform, { url, event_types: EVENT_TYPES }, options);
    const order = fc.shuffledSubarray([0, 1, 2, 0, 1, 2], { minLength: 6, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(order, async (turns) => {
        const number = `${engine}${++purchases}`;
        const email = `buyer-${number}@example.com`;
        const { session, invoice, charge } = bought(number, { shape: 'old', email });
        const now = app.clock.now();
        await placeOrder(app.platform.datastore.db, session());
        const payloads = [
          stripeEvent('checkout.session.completed', now, session()),
          stripeEvent('invoice.paid', now, invoice(1, now + 365 * DAY_MS)),
          stripeEvent('charge.refunded', now, charge(1)),
        ];
        for (const turn of turns) await tell(payloads[turn] ?? '');
        const events = await queued(email);
        const types = events.map(({ type }) => type).filter((type) => !ON_THE_WAY.includes(type));
        expect(types.toSorted()).toEqual([
          'checkout.completed',
          'licence.issued',
          'licence.revoked',
          'payment.received',
          'payment.refunded',
        ]);
        const byType = (type: string) => events.find((each) => each.type === type)?.data;
        expect(byType('checkout.completed')).toMatchObject({
          checkout_session: `cs_${number}`,
          outcome: 'licence_issued',
        });
        const { payment } = byType('payment.received');
        expect(Date.parse(payment.paid_until)).toBe(now + 365 * DAY_MS);
        expect(byType('payment.refunded').payment).toMatchObject({ full: true });
        expect(byType('licence.revoked').licence.status).toBe('revoked');
      }),
      { numRuns: 12 },
    );
  });

  it('report a lost dispute as a revocation only, and a won appeal as a reinstatement', async () => {
    const options = { allowsPrivate: false, actor: 'test' };
    const url = 'https://desk.example.com/hooks';
    await createEndpoint(app.platform, { url, event_types: EVENT_TYPES }, options);
    const number = `${engine}${++purchases}`;
    const email = `buyer-${number}@example.com`;
    const { session, invoice, dispute } = bought(number, { shape: 'old', email });
    const now = app.clock.now();
    await placeOrder(app.platform.datastore.db, session());
    await tell(stripeEvent('checkout.session.completed', now, session()));
    await tell(stripeEvent('invoice.paid', now, invoice(1, now + 365 * DAY_MS)));
    const told = async (type: string, status: string, seconds: number) => {
      const before = (await queued(email)).length;
      await tell(stripeEvent(type, now + seconds * 1_000, dispute(1, status)));
      const events = (await queued(email)).slice(before);
      return events.map((event) => event.type).filter((each) => each.startsWith('licence.'));
    };
    expect(await told('charge.dispute.created', 'needs_response', 1)).toEqual([
      'licence.suspended',
    ]);
    expect(await told('charge.dispute.closed', 'lost', 2)).toEqual(['licence.revoked']);
    expect(await told('charge.dispute.updated', 'under_review', 3)).toEqual(['licence.suspended']);
    expect(await told('charge.dispute.funds_reinstated', 'won', 4)).toEqual(['licence.reinstated']);
  });

  it('have the amounts with their currency', async () => {
    const options = { allowsPrivate: false, actor: 'test' };
    const url = 'https://shop.example.com/hooks';
    await createEndpoint(app.platform, { url, event_types: EVENT_TYPES }, options);
    const number = `${engine}${++purchases}`;
    const email = `buyer-${number}@example.com`;
    const { session, invoice, charge, refund, dispute } = bought(number, { shape: 'old', email });
    const now = app.clock.now();
    const until = now + 365 * DAY_MS;
    const usd = { currency: 'usd' };
    await placeOrder(app.platform.datastore.db, session());
    await tell(stripeEvent('checkout.session.completed', now, session(usd)));
    const reported: [string, object][] = [
      ['invoice.payment_failed', invoice(1, until, 4_900, { ...usd, amount_due: 4_900 })],
      ['invoice.paid', invoice(1, until, 4_900, { ...usd, amount_paid: 4_900 })],
      ['charge.refunded', charge(1, { ...usd, refunded: false, amount_refunded: 900 })],
      ['refund.failed', refund(1, { ...usd, status: 'failed', amount: 900 })],
      ['charge.dispute.created', { ...dispute(1, 'needs_response'), ...usd, amount: 4_000 }],
      ['charge.dispute.closed', dispute(1, 'lost')],
    ];
    for (const [at, [type, object]] of reported.entries())
      await tell(stripeEvent(type, now + at * 1_000, object));
    const payments = (await queued(email))
      .filter(({ data }) => data.payment)
      .map(({ type, data: { payment } }) => [
        type,
        payment.paid ?? payment.refunded ?? payment.amount,
        payment.currency,
      ]);
    expect(payments).toEqual([
      ['payment.failed', 4_900, 'USD'],
      ['payment.received', 4_900, 'USD'],
      ['payment.refunded', 900, 'USD'],
      ['payment.refund_failed', 900, 'USD'],
      ['payment.disputed', 4_000, 'USD'],
      ['payment.disputed', null, null],
    ]);
  });

  it.each([
    ['charge.refunded', 'payment.refunded', 'payment_refunded', 'active'],
    ['charge.refunded', 'payment.refunded', 'payment_refunded', 'revoked'],
    ['charge.dispute.closed', 'payment.disputed', 'dispute_lost', 'active'],
  ])(
    'do not ask to refund a renewal whose %s arrived before its session',
    async (reported, type, action, status) => {
      const options = { allowsPrivate: false, actor: 'test' };
      const url = 'https://books.example.com/hooks';
      await createEndpoint(app.platform, { url, event_types: EVENT_TYPES }, options);
      const { id, email } = await makeLicence(app.platform, { mode: 'test' });
      if (status === 'revoked') await revokeLicence(app.platform, id, 'test');
      const renewal = bought(`${engine}${++purchases}`, { shape: 'old', email });
      const metadata = { tier: 'pro', interval: 'year', licence: id };
      const session = renewal.session({ metadata });
      const now = app.clock.now();
      await placeOrder(app.platform.datastore.db, session);
      await tell(stripeEvent('invoice.paid', now, renewal.invoice(1, now + 365 * DAY_MS)));
      const object = action === 'dispute_lost' ? renewal.dispute(1, 'lost') : renewal.charge(1);
      await tell(stripeEvent(reported, now + 1_000, object));
      const before = (await queued(email)).length;
      await tell(stripeEvent('checkout.session.completed', now, session));
      const events = (await queued(email)).slice(before);
      expect(events.map((event) => event.type)).toEqual(['payment.received', type]);
      const { db } = app.platform.datastore;
      const licence = await findLicenceWithCustomer(db, id);
      const actions = (await listEvents(db, licence?.id ?? 0)).map((event) => event.action);
      expect(actions).toContain(action);
      expect(actions).not.toContain('renewal_refused');
    },
  );
});
