import { readEmail } from '../platform/email-address.ts';
import { type Environment, items, maskUrl, refuse } from './values.ts';

const NAME = 'PAVIS_SECURITY_CONTACT';

/** URIs for the field Contact of security.txt (RFC 9116 §2.5.3), the preferred one first; empty if none is set. */
export const securityContacts = (env: Environment): readonly string[] =>
  (items(env, NAME) ?? []).map(
    (item) =>
      toHttpsUri(item) ??
      toMailto(item) ??
      refuse(
        NAME,
        `names "${maskUrl(item)}"`,
        'comma-separated email addresses and https URLs are allowed, for example security@example.com',
      ),
  );

function toHttpsUri(item: string): string | undefined {
  const url = URL.parse(item);
  const isPublic = url?.protocol === 'https:' && !url.username && !url.password;
  return isPublic ? url.href : undefined;
}

function toMailto(item: string): string | undefined {
  const address = readEmail(item.replace(/^mailto:/i, ''));
  // What may not stand in a URI is escaped (RFC 6068 §2).
  return address && `mailto:${address.replace(/[^\w.!$'*+@-]/gu, encodeURIComponent)}`;
}
