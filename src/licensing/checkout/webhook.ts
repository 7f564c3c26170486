import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { errorAnswers } from '../licences/index.ts';
import { type PaymentEvent, readPaymentEvent } from './events.ts';
import { isRefKnown } from './payment-events/store.ts';
import type { HandlePayment } from './payments.ts';
import { Received } from './schemas.ts';
import type { CheckoutSettings } from './service.ts';
import { isSigned } from './signature.ts';
import type { Stripe } from './stripe.ts';

/** `POST /webhooks/stripe`: what Stripe tells of payments. */
export async function webhookRoutes(
  routes: Routes,
  platform: Platform,
  { webhookSecrets, prices }: Pick<CheckoutSettings, 'webhookSecrets' | 'prices'>,
  { stripe, take }: { stripe: Stripe | undefined; take: HandlePayment },
): Promise<void> {
  /** A refund or dispute names a payment only; which invoice that was for may be known to Stripe alone. */
  async function withInvoices(event: PaymentEvent): Promise<PaymentEvent> {
    const isAboutPayment = ['refund', 'refund_failed', 'dispute'].includes(event.fact.kind);
    const payment = event.refs.find((ref) => ref.startsWith('pi_'));
    if (!stripe || !isAboutPayment || !payment) return event;
    if (await isRefKnown(platform.datastore.db, event.refs)) return event;
    return { ...event, refs: [...event.refs, ...(await stripe.invoicesPaidBy(payment))] };
  }

  // Within a context of its own: the signature is over the bytes as they came.
  await routes.register(async (raw: Routes) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    raw.post(
      '/webhooks/stripe',
      {
        schema: {
          tags: ['Checkout'],
          security: [],
          operationId: 'stripeWebhook',
          summary: 'Take in an event of Stripe',
          description:
            'Called by Stripe, which signs the body in `Stripe-Signature`. Events may come more ' +
            'than once and in any order. What is answered with an error is sent again.',
          response: { 200: Received, ...errorAnswers(400, 401, 413, 415) },
        },
      },
      async ({ body, headers }) => {
        if (webhookSecrets.length === 0) {
          throw new DomainError(
            'unavailable',
            'service_unavailable',
            'Payments are not set up here.',
          );
        }
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const header = headers['stripe-signature']?.toString() ?? '';
        if (!isSigned(header, bytes, webhookSecrets, platform.clock.now())) {
          const details = { method: 'webhook_signature' };
          platform.securityLog.record({ event: 'credential_refused', details });
          throw new DomainError(
            'unauthenticated',
            'unauthorised',
            'The Stripe-Signature header does not fit the body, or is more than five minutes off.',
          );
        }
        const event = readPaymentEvent(parse(bytes), prices);
        if (event) await take(await withInvoices(event), 'stripe');
        return { received: true as const };
      },
    );
  });
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new DomainError('invalid', 'invalid_request', 'The request body is not valid JSON.');
  }
}
