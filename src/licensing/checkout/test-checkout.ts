import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { readField, sendView } from '../../platform/http/views.ts';
import { readCustomerView } from '../customers/index.ts';
import { getPlan, getProduct, hasOwnName } from '../products/index.ts';
import type { PaymentEvent } from './events.ts';
import { type CheckoutOrder, findOrder } from './orders/store.ts';
import type { HandlePayment } from './payments.ts';
import { toOptionalSlug } from './prices.ts';
import { findPurchase, type Purchase } from './purchases/store.ts';
import {
  alreadyPaidView,
  type LicensedPlan,
  messageView,
  paidView,
  payView,
  portalView,
  renewedView,
} from './views.ts';

const ACTOR = 'test checkout';

const options = {
  schema: { hide: true, params: Type.Object({ id: Type.String({ maxLength: 64 }) }) },
  config: { quiet: true },
};

/** The checkout and the billing portal without Stripe: pages on which one click pays or cancels. */
export function testCheckoutRoutes(
  pages: Routes,
  { datastore: { db }, clock, catalogue }: Platform,
  handlePayment: HandlePayment,
): void {
  async function findOpenOrder(sessionId: string): Promise<CheckoutOrder | undefined> {
    if (!/^\w+$/.test(sessionId)) return undefined;
    const order = await findOrder(db, { sessionId });
    return order?.provider === 'test' && order.expiresAt > clock.now() ? order : undefined;
  }
  async function findPlan(of: { productId: number; tier: string }): Promise<LicensedPlan> {
    const product = getProduct(await catalogue.read([of]), of.productId);
    return {
      plan: getPlan(product, of.tier),
      productName: hasOwnName(product) ? product.name : '',
    };
  }

  /** The identifier of the session is known only to the buyer. */
  const findTestPurchase = async (sessionId: string): Promise<Purchase | undefined> =>
    /^cs_test_\w+$/.test(sessionId) ? findPurchase(db, sessionId) : undefined;

  pages.get('/checkout/test/:id', options, async (request, reply) => {
    const { params } = request;
    const view = await readCustomerView(db, request);
    const order = await findOpenOrder(params.id);
    if (!order) return sendView(reply.code(404), messageView(view, 'notFound'));
    const showOrder = (await findPurchase(db, params.id)) ? alreadyPaidView : payView;
    return sendView(reply, showOrder(view, order, await findPlan(order)));
  });
  pages.post('/checkout/test/:id', options, async (request, reply) => {
    const session = request.params.id;
    const view = await readCustomerView(db, request);
    const order = await findOpenOrder(session);
    if (!order) return sendView(reply.code(404), messageView(view, 'notFound'));
    const given = readField(request, 'email');
    const email = order.email ?? readEmail(given);
    if (!email) {
      const error = 'Enter an email address, for example name@example.com.';
      return sendView(
        reply.code(400),
        payView(view, order, await findPlan(order), { error, given }),
      );
    }
    const isRepeated = (await findPurchase(db, session)) !== undefined;
    const product = getProduct(await catalogue.read([order]), order.productId);
    const payment = toPayment(order, toOptionalSlug(product), {
      session,
      email,
      at: clock.now(),
    });
    const issued = await handlePayment(payment, ACTOR);
    if (order.licence !== null && !isRepeated)
      return sendView(reply, renewedView(view, order, await findPlan(order)));
    return sendView(
      reply,
      issued
        ? paidView(view, order, issued, await findPlan(issued.licence))
        : alreadyPaidView(view, order, await findPlan(order)),
    );
  });

  pages.get('/checkout/test/portal/:id', options, async (request, reply) => {
    const { params } = request;
    const view = await readCustomerView(db, request);
    const purchase = await findTestPurchase(params.id);
    if (!purchase) return sendView(reply.code(404), messageView(view, 'notFound'));
    return sendView(reply, portalView(view, purchase, await findPlan(purchase)));
  });
  pages.post('/checkout/test/portal/:id', options, async (request, reply) => {
    const { params } = request;
    const view = await readCustomerView(db, request);
    const purchase = await findTestPurchase(params.id);
    if (!purchase) return sendView(reply.code(404), messageView(view, 'notFound'));
    if (purchase.renews) await handlePayment(toCancellation(params.id, clock.now()), ACTOR);
    return sendView(
      reply,
      portalView(view, { ...purchase, renews: false }, await findPlan(purchase)),
    );
  });
}

/** The event of a subscription that is cancelled at the end of its paid period. */
const toCancellation = (session: string, at: number): PaymentEvent => ({
  id: `evt_${session}_cancelled`,
  at,
  refs: [session],
  fact: { kind: 'subscription', status: 'active', renews: false, tier: null },
});

/** The event of a payment. A session has one, however often the button is pressed. */
const toPayment = (
  order: CheckoutOrder,
  product: string | undefined,
  { session, email, at }: { session: string; email: string; at: number },
): PaymentEvent => ({
  id: `evt_${session}`,
  at,
  refs: [session],
  fact: {
    kind: 'session',
    session,
    isPaid: true,
    mode: 'test',
    licence: order.licence ?? undefined,
    product,
    tier: order.tier,
    interval: order.billingInterval,
    quantity: order.quantity,
  },
  email,
});
