import type { Stripe as StripeClient } from 'stripe';
import { DomainError } from '../../platform/errors.ts';
import { type Logger, withoutSecrets } from '../../platform/log.ts';

const TIMEOUT_MS = 10_000;

/** Stripe repeats a part of the key in some messages. */
const STRIPE_KEY = /\b[rs]k_[\w*]+/g;

const AWAY = 'The payment service cannot be reached. Try again in a moment.';
/** What customers read if Stripe refuses a request, which only the vendor can mend. */
export const CANNOT_PAY = 'This cannot be paid at the moment. Contact the vendor.';
export const NO_PORTAL =
  'The Billing Portal is not set up for this. Ask the vendor to change your subscription.';

export interface StripeSettings {
  secretKey: string;
  /** Another URL of the Stripe API, for tests. */
  apiUrl: string | undefined;
  /** Whether checkouts let Stripe calculate and add tax. */
  hasTax: boolean;
}

type StripeError = Pick<StripeClient.errors.StripeError, 'type' | 'code' | 'param' | 'message'> & {
  /** Undefined if Stripe did not answer. */
  statusCode?: number;
};

interface Exceptions<T> {
  /** Results for error statuses that are no fault. */
  expected?: Partial<Record<number, () => T>>;
  /** What customers read if Stripe refuses the request. */
  refusal?: string;
}

/**
 * Returns a function that asks Stripe. It throws a DomainError `service_unavailable` if Stripe refuses or does not answer,
 * and logs the cause.
 */
export function createStripeCaller(settings: StripeSettings, log: Logger) {
  // Loaded on first use: the library is large, and most processes never need it.
  let client: Promise<StripeClient> | undefined;

  return async function ask<T>(
    question: (stripe: StripeClient) => Promise<T>,
    { expected = {}, refusal = CANNOT_PAY }: Exceptions<T> = {},
  ): Promise<T> {
    client ??= openStripe(settings);
    try {
      return await question(await client);
    } catch (error) {
      const { type, code, statusCode: status, param, message } = error as StripeError;
      const answer = status === undefined ? undefined : expected[status];
      if (answer) return answer();
      const isRefused = status !== undefined && status >= 400 && status <= 404;
      const cause = isRefused ? withoutSecrets(message).replace(STRIPE_KEY, '[hidden]') : undefined;
      const about = { type, code, status, param, cause };
      log.warn(about, 'the payment service refused or did not answer');
      throw new DomainError('unavailable', 'service_unavailable', isRefused ? refusal : AWAY);
    }
  };
}

/** Opens Stripe's client library. */
export async function openStripe({ secretKey, apiUrl }: StripeSettings): Promise<StripeClient> {
  const { Stripe: Client } = await import('stripe');
  const url = apiUrl === undefined ? undefined : new URL(apiUrl);
  const protocol = url?.protocol === 'http:' ? 'http' : 'https';
  return new Client(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (protocol === 'http' ? 80 : 443),
      protocol,
    }),
  });
}
