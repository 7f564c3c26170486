import type { Secret } from '../../../platform/crypto/secret.ts';
import type { Interval } from '../../products/index.ts';
import type { OrderedTerms } from '../facts.ts';
import type { CheckoutOrder } from './store.ts';

const NAMES = ['product', 'tier', 'interval', 'quantity', 'order', 'licence'] as const;

/** Texts by name, at the payment service. */
export type Metadata = Readonly<Record<string, unknown>>;

/**
 * What was ordered, as metadata of a session. A proof lets the installation recognise the order after its row is gone:
 * with a backup that is older, or after 30 days.
 * @param product its slug; undefined for the default product
 */
export function toMetadata(
  secret: Secret,
  order: CheckoutOrder,
  product: string | undefined,
): Record<string, string> {
  const metadata = {
    ...(product && { product }),
    tier: order.tier,
    interval: order.billingInterval,
    quantity: String(order.quantity),
    order: order.publicId,
    ...(order.licence !== null && { licence: order.licence }),
  };
  return { ...metadata, proof: prove(secret, metadata) };
}

/** What metadata says was ordered; undefined unless this installation has made it. Anyone at the account can write other. */
export function readMetadata(secret: Secret, metadata: Metadata): OrderedTerms | undefined {
  if (metadata.proof !== prove(secret, metadata)) return undefined;
  const { product, tier, interval, quantity, licence } = metadata as Record<string, string>;
  return {
    product,
    tier: tier as string,
    interval: interval as Interval,
    quantity: Number(quantity),
    licence,
  };
}

const prove = (secret: Secret, metadata: Metadata): string =>
  secret.hash('checkout-order', JSON.stringify(NAMES.map((name) => metadata[name] ?? null)));
