import { parse } from 'tldts';

/** RFC 2606. */
const RESERVED = new Set(['test', 'example', 'invalid', 'localhost']);
const LABELS = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/**
 * Whether a host that only code or markup mentions can exist. Scripts that build URLs leave parts such as `cdn.`,
 * `{{host}}` and `static`, and public suffixes such as `co.uk` are no hosts.
 */
export function isCompleteHost(hostname: string): boolean {
  const { isIp, isIcann, isPrivate, domain, publicSuffix } = parse(hostname, {
    allowPrivateDomains: true,
  });
  if (isIp || hostname === 'localhost') return true;
  if (!LABELS.test(hostname)) return false;
  // A private suffix can be a host itself, for example `s3.amazonaws.com`.
  if (isPrivate) return true;
  return domain !== null && (isIcann === true || RESERVED.has(publicSuffix ?? ''));
}
