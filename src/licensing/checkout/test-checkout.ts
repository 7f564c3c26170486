import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { type CheckoutOrder, findOrder } from './orders/store.ts';
import {
  paidBeforePage,
  paidPage,
  payPage,
  portalPage,
  renewedPage,
  sendPage,
  unknownPage,
} from './pages.ts';
import type { HandlePayment } from './payments.ts';
import { findPurchase, type Purchase } from './purchases/store.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 64 }) });

/** The checkout that stands in where there is no Stripe: one page, on which one click pays. */
export async function testCheckoutRoutes(
  routes: Routes,
  platform: Platform,
  take: HandlePayment,
): Promise<void> {
  const { datastore, clock } = platform;
  const hidden = { schema: { hide: true, params: Params }, config: { quiet: true } };

  async function orderOf(sessionId: string): Promise<CheckoutOrder | undefined> {
    if (!/^\w+$/.test(sessionId)) return undefined;
    const order = await findOrder(datastore.db, { sessionId });
    return order?.provider === 'test' && order.expiresAt > clock.now() ? order : undefined;
  }

  routes.get('/checkout/test/:id', hidden, async ({ params }, reply) => {
    const order = await orderOf(params.id);
    if (!order) return sendPage(reply, unknownPage());
    const isPaid = await findPurchase(datastore.db, params.id);
    return sendPage(reply, isPaid ? paidBeforePage(order) : payPage(order));
  });

  // Within a context of its own, which reads what a browser's form sends.
  await routes.register(async (form: Routes) => {
    form.removeAllContentTypeParsers();
    form.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(body.toString())),
    );
    form.post('/checkout/test/:id', hidden, async ({ params, body }, reply) => {
      const order = await orderOf(params.id);
      if (!order) return sendPage(reply, unknownPage());
      const given = (body instanceof URLSearchParams && body.get('email')) || '';
      const email = order.email ?? readEmail(given);
      if (!email) {
        const error = 'Enter an email address, for example name@example.com.';
        return sendPage(reply, payPage(order, { error, given }));
      }
      const payment = paymentOf(order, params.id, email, clock.now());
      const isRepeated = (await findPurchase(datastore.db, params.id)) !== undefined;
      const issued = await take(payment, 'test checkout');
      if (order.licence !== null && !isRepeated) return sendPage(reply, renewedPage(order));
      return sendPage(reply, issued ? paidPage(order, issued) : paidBeforePage(order));
    });

    form.post('/checkout/test/portal/:id', hidden, async ({ params }, reply) => {
      const purchase = await purchaseOf(params.id);
      if (!purchase) return sendPage(reply, unknownPage());
      if (purchase.renews) await take(cancellationOf(params.id, clock.now()), 'test checkout');
      return sendPage(reply, portalPage({ ...purchase, renews: false }));
    });
  });

  // What stands in for Stripe's Billing Portal. Its address holds the id of the session, which only the buyer knows.
  async function purchaseOf(sessionId: string): Promise<Purchase | undefined> {
    const isTest = /^cs_test_\w+$/.test(sessionId);
    return isTest ? findPurchase(datastore.db, sessionId) : undefined;
  }
  routes.get('/checkout/test/portal/:id', hidden, async ({ params }, reply) => {
    const purchase = await purchaseOf(params.id);
    return sendPage(reply, purchase ? portalPage(purchase) : unknownPage());
  });
}

/** What Stripe would tell of a subscription that is cancelled for the end of its paid period. */
const cancellationOf = (session: string, at: number) => ({
  id: `evt_${session}_cancelled`,
  at,
  refs: [session],
  fact: { kind: 'subscription' as const, status: 'active', renews: false, tier: null },
});

/** What Stripe would tell of it. Of one session there is one such event, however often the button is pressed. */
const paymentOf = (order: CheckoutOrder, session: string, email: string, at: number) => ({
  id: `evt_${session}`,
  at,
  refs: [session],
  fact: {
    kind: 'session' as const,
    session,
    isPaid: true,
    mode: 'test' as const,
    licence: order.licence ?? undefined,
    tier: order.tier,
    interval: order.interval,
    quantity: order.quantity,
  },
  email,
});
