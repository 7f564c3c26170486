import { isIP } from 'node:net';
import { DomainError } from '../../../platform/errors.ts';

/** Where passkeys are valid (WebAuthn §5.1.2): browsers offer them at this host only. */
export interface RelyingParty {
  /** The host name. */
  id: string;
  origin: string;
}

/**
 * The relying party of an origin, or why browsers do not allow passkeys there: they need HTTPS, except for localhost, and
 * a host name.
 */
export function findRelyingParty(
  origin: string,
): { party: RelyingParty; problem?: undefined } | { party?: undefined; problem: string } {
  const { protocol, hostname } = new URL(origin);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const needs = 'Passkeys need an https address with a host name, or http://localhost.';
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return { problem: `${needs} The address of this server, ${origin}, is an IP address.` };
  if (protocol !== 'https:' && !isLocal)
    return { problem: `${needs} The address of this server, ${origin}, is not https.` };
  return { party: { id: hostname, origin } };
}

/** @throws DomainError `passkeys_unavailable` */
export function requireRelyingParty(origin: string): RelyingParty {
  const { party, problem } = findRelyingParty(origin);
  if (party) return party;
  throw new DomainError('conflict', 'passkeys_unavailable', problem);
}
