import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { errorAnswers } from '../licences/index.ts';
import { parsePaymentEvent } from './events.ts';
import type { HandlePayment } from './payment-handler.ts';
import { listKnownPrices } from './prices.ts';
import { Received } from './schemas.ts';
import type { CheckoutSettings } from './service.ts';
import { isSigned } from './signature.ts';

/** `POST /webhooks/stripe` */
export async function webhookRoutes(
  routes: Routes,
  platform: Platform,
  { webhookSecrets, prices }: Pick<CheckoutSettings, 'webhookSecrets' | 'prices'>,
  handlePayment: HandlePayment,
): Promise<void> {
  // A context of its own: the signature covers the raw body.
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
          summary: 'Receive an event from Stripe',
          description:
            'Called by Stripe, which signs the body in `Stripe-Signature`. Events may arrive more ' +
            'than once and in any order. Stripe sends an event again after an error.',
          response: { 200: Received, ...errorAnswers(400, 401, 413, 415) },
        },
      },
      async ({ body, headers }) => {
        if (webhookSecrets.length === 0) {
          const message = 'Payments are not set up here.';
          throw new DomainError('unavailable', 'service_unavailable', message);
        }
        const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const header = headers['stripe-signature']?.toString() ?? '';
        if (!isSigned(header, bytes, webhookSecrets, platform.clock.now())) {
          const details = { method: 'webhook_signature' };
          platform.securityLog.record({ event: 'credential_refused', details });
          const message =
            'The Stripe-Signature header does not match the body, or its time differs by more than five minutes.';
          throw new DomainError('unauthenticated', 'unauthorised', message);
        }
        const event = parsePaymentEvent(
          parseJson(bytes),
          listKnownPrices(prices, await platform.catalogue.read()),
        );
        if (event) await handlePayment(event, 'stripe');
        return { received: true as const };
      },
    );
  });
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    throw new DomainError('invalid', 'invalid_request', 'The request body is not valid JSON.');
  }
}
