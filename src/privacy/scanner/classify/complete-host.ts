import { parse } from 'tldts';

/** Names that no registry has, for tests and documentation (RFC 2606). */
const RESERVED = new Set(['test', 'example', 'invalid', 'localhost']);
const LABELS = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Whether a host that only code or markup mentions can be one: `cdn.`, `{{host}}` and `static` are what is
 * left of addresses that a script puts together, and nothing is at a public suffix such as `co.uk`.
 */
export function isCompleteHost(hostname: string): boolean {
  const { isIp, isIcann, isPrivate, domain, publicSuffix } = parse(hostname, {
    allowPrivateDomains: true,
  });
  if (isIp || hostname === 'localhost') return true;
  if (!LABELS.test(hostname)) return false;
  // What others are hosted under is often a host itself, as `s3.amazonaws.com`.
  if (isPrivate) return true;
  return domain !== null && (isIcann === true || RESERVED.has(publicSuffix ?? ''));
}
