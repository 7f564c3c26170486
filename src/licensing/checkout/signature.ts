import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '../../platform/crypto/constant-time.ts';

/** Maximum difference between the two clocks. */
const TOLERANCE_MS = 300_000;

/**
 * Whether a `Stripe-Signature` header (`t=…,v1=…`) signs these bytes with one of the secrets and is recent. While
 * a secret is being rotated there are two of them, and two `v1`.
 * @param now epoch milliseconds
 */
export function isSigned(
  header: string,
  body: Buffer,
  secrets: readonly string[],
  now: number,
): boolean {
  const fields = header.split(',').map((field) => field.trim().split('=', 2));
  const timestamp = fields.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now - Number(timestamp) * 1_000) > TOLERANCE_MS) return false;
  const given = fields.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []));
  return secrets.some((secret) => {
    const hmac = createHmac('sha256', secret).update(`${timestamp}.`).update(body);
    const expected = hmac.digest('hex');
    return given.some((signature) => equalInConstantTime(signature, expected));
  });
}
