import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import type { Interval } from '../../src/licensing/products/index.ts';
import type { Db } from '../../src/platform/db/index.ts';

export const WEBHOOK_SECRET = 'whsec_test_of_the_webhook';

/** How the stand-in responds to requests. */
type Mood = 'answers' | 'refuses' | 'forbids' | 'fails' | 'drops';

export interface StripeStandIn {
  url: string;
  mood: Mood;
  /** Received requests, in order. */
  asked: {
    method: string;
    path: string;
    params: Record<string, string>;
    key: string | undefined;
  }[];
  /** Invoice IDs by payment intent. */
  invoices: Map<string, string>;
  /** Prices by ID. */
  prices: Map<string, object>;
  /** Subscriptions by ID, as they are now. */
  subscriptions: Map<string, object>;
  /** Webhook endpoints. */
  endpoints: { id: string; url: string; status: string; enabled_events: readonly string[] }[];
  /** Events of the account, each as the webhook gets it. */
  events: string[];
  /** Status, customer and subscription of sessions by ID; default: open. */
  contracts: Map<string, Contract>;
  /** Whether the Billing Portal is set up. */
  hasPortal: boolean;
  /** Expiry of new sessions, in epoch seconds. */
  sessionsEndAt: number;
  stop(): Promise<void>;
}

interface Contract {
  status?: 'open' | 'complete' | 'expired';
  customer?: object | string | null;
  subscription?: object | string | null;
}

/** The part of the Stripe API that Pavis uses, on its own port. */
export async function stripeStandIn(): Promise<StripeStandIn> {
  const sessions = new Map<string, object>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    const params = Object.fromEntries([...searchParams, ...form]);
    const key = request.headers['idempotency-key']?.toString();
    standIn.asked.push({ method: request.method ?? '', path: pathname, params, key });
    const send = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (standIn.mood === 'drops') request.socket.destroy();
    else if (standIn.mood === 'fails')
      send(500, { error: { type: 'api_error', message: 'a secret of Stripe' } });
    else if (standIn.mood === 'forbids')
      send(403, { error: { type: 'invalid_request_error', code: 'more_permissions_required' } });
    else if (standIn.mood === 'refuses')
      send(400, {
        error: {
          type: 'invalid_request_error',
          message: 'The price specified is inactive. ada@example.com sk_test_x',
          param: 'line_items[0][price]',
        },
      });
    else if (!/^Bearer sk_(?:test|live)_x$/.test(request.headers.authorization ?? ''))
      send(401, { error: {} });
    else if (pathname === '/v1/checkout/sessions' && request.method === 'POST') {
      const id = `cs_test_${sessions.size + 1}`;
      const session = {
        id,
        object: 'checkout.session',
        url: `https://checkout.stripe.com/c/pay/${id}`,
        expires_at: standIn.sessionsEndAt,
      };
      const known = (key && sessions.get(key)) || session;
      sessions.set(key ?? id, known);
      send(200, known);
    } else if (pathname === '/v1/checkout/sessions' && request.method === 'GET') {
      send(200, { object: 'list', has_more: false, data: [] });
    } else if (/^\/v1\/checkout\/sessions\/\w+(\/expire)?$/.test(pathname)) {
      const [id = '', isExpire] = pathname.slice('/v1/checkout/sessions/'.length).split('/');
      const made = [...sessions.values()].find((each) => (each as { id: string }).id === id);
      const contract = standIn.contracts.get(id);
      const status = contract?.status ?? 'open';
      if (!made && !contract) send(404, { error: { type: 'invalid_request_error' } });
      else if (!isExpire)
        send(200, { ...made, id, object: 'checkout.session', status, ...contract });
      else if (status !== 'open') send(400, { error: { type: 'invalid_request_error' } });
      else {
        standIn.contracts.set(id, { ...contract, status: 'expired' });
        send(200, { ...made, id, object: 'checkout.session', status: 'expired' });
      }
    } else if (pathname === '/v1/billing_portal/sessions') {
      if (standIn.hasPortal) {
        send(200, {
          object: 'billing_portal.session',
          url: 'https://billing.stripe.com/p/session/1',
        });
      } else send(400, { error: { type: 'invalid_request_error', message: 'no configuration' } });
    } else if (pathname.startsWith('/v1/prices/')) {
      const price = standIn.prices.get(pathname.slice('/v1/prices/'.length));
      if (price) send(200, price);
      else send(404, { error: { type: 'invalid_request_error', message: 'No such price' } });
    } else if (pathname.startsWith('/v1/subscriptions/')) {
      const found = standIn.subscriptions.get(pathname.slice('/v1/subscriptions/'.length));
      if (found) send(200, found);
      else send(404, { error: { type: 'invalid_request_error', message: 'No such subscription' } });
    } else if (pathname === '/v1/events') {
      const events = standIn.events.map((each) => JSON.parse(each));
      const types = Object.entries(params).flatMap(([name, type]) =>
        name.startsWith('types') ? [type] : [],
      );
      const listed = events
        .filter(
          ({ type, created }) =>
            types.length === 0 ||
            (types.includes(type) &&
              created >= Number(params['created[gte]']) &&
              created < Number(params['created[lt]'])),
        )
        .toSorted((a, b) => b.created - a.created);
      // Pages of two.
      const start = listed.findIndex(({ id }) => id === params.starting_after) + 1;
      const data = listed.slice(start, start + 2);
      send(200, { object: 'list', has_more: start + 2 < listed.length, data });
    } else if (pathname === '/v1/webhook_endpoints') {
      send(200, { object: 'list', has_more: false, data: standIn.endpoints });
    } else if (pathname === '/v1/invoice_payments') {
      const invoice = standIn.invoices.get(params['payment[payment_intent]'] ?? '');
      const data = invoice ? [{ object: 'invoice_payment', id: 'inpay_1', invoice }] : [];
      send(200, { object: 'list', has_more: false, data });
    } else send(404, { error: {} });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const standIn: StripeStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mood: 'answers',
    asked: [],
    invoices: new Map(),
    prices: new Map(),
    subscriptions: new Map(),
    endpoints: [],
    events: [],
    contracts: new Map(),
    hasPortal: true,
    sessionsEndAt: 1_795_350_600,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

/** The signature header of a webhook payload, created with the Stripe library. */
export const createSignature = (payload: string, now: number, secret = WEBHOOK_SECRET): string =>
  Stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: Math.floor(now / 1_000),
  });

let made = 0;

/** The JSON of a Stripe webhook event. */
export const stripeEvent = (
  type: string,
  at: number,
  object: object,
  id = `evt_${++made}`,
): string =>
  JSON.stringify({
    id,
    object: 'event',
    type,
    created: Math.floor(at / 1_000),
    livemode: false,
    data: { object },
  });

interface BoughtOptions {
  /** Payload format before (`old`) or since (`new`) the 2025 API versions. */
  shape?: 'old' | 'new';
  tier?: string;
  interval?: string;
  email?: string;
  livemode?: boolean;
}

interface Metadata {
  tier: string;
  interval: string;
  quantity?: string;
  product?: string;
  licence?: string;
}

type Bought = ReturnType<typeof bought>;

/** The Stripe objects of one purchase, with unique IDs. */
export function bought(
  number: number | string,
  { shape = 'new', tier = 'pro', interval = 'year', email, livemode = false }: BoughtOptions = {},
) {
  const ids = {
    session: `cs_${number}`,
    subscription: `sub_${number}`,
    invoice: `in_${number}_1`,
    payment: `pi_${number}_1`,
    charge: `ch_${number}_1`,
  };
  const seconds = (at: number) => Math.floor(at / 1_000);
  return {
    ids,
    session: (more: object = {}) => ({
      id: ids.session,
      object: 'checkout.session',
      livemode,
      mode: 'subscription',
      payment_status: 'paid',
      payment_intent: null,
      invoice: ids.invoice,
      subscription: ids.subscription,
      customer: 'cus_1',
      client_reference_id: `ord_${number}`,
      customer_details: { email: email ?? `buyer-${number}@example.com` },
      metadata: { tier, interval } as Metadata,
      ...more,
    }),
    /** @param turn number of the billing period; 1 for the invoice of the session */
    invoice: (turn: number, until: number, amount = 4_900, more: object = {}) => ({
      id: `in_${number}_${turn}`,
      object: 'invoice',
      livemode,
      ...(shape === 'old'
        ? {
            subscription: ids.subscription,
            payment_intent: `pi_${number}_${turn}`,
            charge: `ch_${number}_${turn}`,
          }
        : {
            parent: {
              type: 'subscription_details',
              subscription_details: { subscription: ids.subscription },
            },
          }),
      lines: { data: [{ amount, period: { start: 0, end: seconds(until) } }] },
      ...more,
    }),
    /** An invoice line in the format since 2025: a period, or with `proration` a change within a period. */
    line: (from: number, until: number, amount = 4_900, proration = false) => ({
      object: 'line_item',
      amount,
      period: { start: seconds(from), end: seconds(until) },
      parent: {
        type: 'subscription_item_details',
        subscription_item_details: { subscription: ids.subscription, proration },
      },
    }),
    invoicePayment: (turn: number) => ({
      id: `inpay_${number}_${turn}`,
      object: 'invoice_payment',
      invoice: `in_${number}_${turn}`,
      payment: { type: 'payment_intent', payment_intent: `pi_${number}_${turn}` },
    }),
    subscription: (more: object = {}) => ({
      id: ids.subscription,
      object: 'subscription',
      status: 'active',
      cancel_at_period_end: false,
      cancel_at: null,
      items: { data: [{ price: { id: 'price_pro_year' } }] },
      ...more,
    }),
    refund: (turn: number, more: object = {}) => ({
      id: `re_${number}_${turn}`,
      object: 'refund',
      charge: `ch_${number}_${turn}`,
      payment_intent: `pi_${number}_${turn}`,
      amount: 4_900,
      status: 'succeeded',
      ...more,
    }),
    charge: (turn: number, more: object = {}) => ({
      id: `ch_${number}_${turn}`,
      object: 'charge',
      payment_intent: `pi_${number}_${turn}`,
      refunded: true,
      amount: 4_900,
      amount_refunded: 4_900,
      ...(shape === 'old' && { invoice: `in_${number}_${turn}` }),
      ...more,
    }),
    dispute: (turn: number, status: string) => ({
      id: `dp_${number}_${turn}`,
      object: 'dispute',
      charge: `ch_${number}_${turn}`,
      payment_intent: `pi_${number}_${turn}`,
      status,
    }),
  };
}

/** Saves the order of a session, with what its metadata says, unless it has one or names no tier. */
export async function placeOrder(db: Db, session: object): Promise<void> {
  const { id, client_reference_id, metadata } = session as ReturnType<Bought['session']>;
  const { tier, interval, quantity = '1', product = 'pavis', licence = null } = metadata;
  if (!tier) return;
  const orders = db.selectFrom('checkout_orders').select('id').where('session_id', '=', id);
  if (await orders.executeTakeFirst()) return;
  const { id: productId } = await db
    .selectFrom('products')
    .select('id')
    .where('slug', '=', product)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('checkout_orders')
    .values({
      public_id: client_reference_id,
      idempotency_hash: null,
      request_hash: '',
      provider: 'stripe',
      product_id: productId,
      tier,
      billing_interval: interval as Interval,
      quantity: Number(quantity),
      licence,
      session_id: id,
      url: null,
      email: null,
      success_url: null,
      cancel_url: null,
      created_at: 0,
      expires_at: 0,
    })
    .execute();
}
