import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { readEmail } from '../../platform/email-address.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import type { ViewDocument } from '../../platform/http/view-document.ts';
import { readField, sendView } from '../../platform/http/views.ts';
import { type CustomerView, readCustomerView, setLanguage } from '../customers/index.ts';
import { findLicenceWithCustomer } from '../licences/index.ts';
import { getPlan, getProduct, hasOwnName } from '../products/index.ts';
import type { PaymentEvent } from './events.ts';
import { type CheckoutOrder, findOrder } from './orders/store.ts';
import type { HandlePayment } from './payment-handler.ts';
import { findPurchase, type Purchase } from './purchases/store.ts';
import {
  type LicensedPlan,
  messageView,
  outcomeView,
  paidView,
  payView,
  portalView,
} from './views.ts';

const ACTOR = 'test checkout';

const options = {
  schema: { hide: true, params: Type.Object({ id: Type.String({ maxLength: 64 }) }) },
  config: { quiet: true },
};

const show = (reply: FastifyReply, view: CustomerView, document: ViewDocument) =>
  sendView(setLanguage(reply, view), document);

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

  const findRenewed = async ({ licence }: CheckoutOrder) =>
    licence === null ? undefined : findLicenceWithCustomer(db, licence);

  /** A licence can be revoked while its renewal is paid. */
  async function findOutcome<T extends string>(
    order: CheckoutOrder,
    otherwise: T,
  ): Promise<T | 'revoked'> {
    const licence = await findRenewed(order);
    return licence && licence.revokedAt !== null ? 'revoked' : otherwise;
  }

  /** The identifier of the session is known only to the buyer. */
  const findTestPurchase = async (sessionId: string): Promise<Purchase | undefined> =>
    /^cs_test_\w+$/.test(sessionId) ? findPurchase(db, sessionId) : undefined;

  pages.get('/checkout/test/:id', options, async (request, reply) => {
    const { params } = request;
    const view = await readCustomerView(db, request);
    const order = await findOpenOrder(params.id);
    if (!order) return show(reply.code(404), view, messageView(view, 'notFound'));
    const plan = await findPlan(order);
    const purchase = await findPurchase(db, params.id);
    return show(
      reply,
      view,
      purchase
        ? outcomeView(view, order, plan, await findOutcome(order, 'repeated'), purchase)
        : payView(view, order, plan, { renewed: await findRenewed(order) }),
    );
  });
  pages.post('/checkout/test/:id', options, async (request, reply) => {
    const session = request.params.id;
    const view = await readCustomerView(db, request);
    const order = await findOpenOrder(session);
    if (!order) return show(reply.code(404), view, messageView(view, 'notFound'));
    const given = readField(request, 'email');
    const email = order.email ?? readEmail(given);
    if (!email) {
      const more = { renewed: await findRenewed(order), given };
      return show(reply.code(400), view, payView(view, order, await findPlan(order), more));
    }
    const isRepeated = (await findPurchase(db, session)) !== undefined;
    const issued = await handlePayment(toPayment(session, email, clock.now()), ACTOR);
    if (issued)
      return show(reply, view, paidView(view, order, issued, await findPlan(issued.licence)));
    const outcome = await findOutcome(order, isRepeated ? 'repeated' : 'renewed');
    const [plan, purchase] = [await findPlan(order), await findPurchase(db, session)];
    return show(reply, view, outcomeView(view, order, plan, outcome, purchase));
  });

  pages.get('/checkout/test/portal/:id', options, async (request, reply) => {
    const { params } = request;
    const view = await readCustomerView(db, request);
    const purchase = await findTestPurchase(params.id);
    if (!purchase) return show(reply.code(404), view, messageView(view, 'notFound'));
    return show(reply, view, portalView(view, purchase, await findPlan(purchase)));
  });
  pages.post('/checkout/test/portal/:id', options, async (request, reply) => {
    const { params } = request;
    const view = await readCustomerView(db, request);
    const purchase = await findTestPurchase(params.id);
    if (!purchase) return show(reply.code(404), view, messageView(view, 'notFound'));
    if (purchase.renews) await handlePayment(toCancellation(params.id, clock.now()), ACTOR);
    return show(
      reply,
      view,
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
const toPayment = (session: string, email: string, at: number): PaymentEvent => ({
  id: `evt_${session}`,
  at,
  refs: [session],
  fact: { kind: 'session', session, isPaid: true, mode: 'test', hasCustomer: true },
  email,
});
