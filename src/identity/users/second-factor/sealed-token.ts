import type { Platform } from '../../../platform/deps.ts';

type Sealing = Pick<Platform, 'secret' | 'clock'>;

/**
 * Facts that the browser keeps for a while and can neither read nor change, on any node.
 * @param purpose a token is accepted for this purpose only
 */
export function sealToken(
  { secret, clock }: Sealing,
  purpose: string,
  facts: object,
  lifetimeMs: number,
): string {
  return secret.seal(purpose, JSON.stringify({ ...facts, expiresAt: clock.now() + lifetimeMs }));
}

/** The facts of a token; undefined if it was not sealed for this purpose or has expired. */
export function openToken<Facts extends object>(
  { secret, clock }: Sealing,
  purpose: string,
  token: string | undefined,
): (Facts & { expiresAt: number }) | undefined {
  if (!token) return undefined;
  let text: string;
  try {
    text = secret.unseal(purpose, token);
  } catch {
    return undefined;
  }
  const facts: Facts & { expiresAt: number } = JSON.parse(text);
  return facts.expiresAt > clock.now() ? facts : undefined;
}
