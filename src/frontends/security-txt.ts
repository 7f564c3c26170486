import { toIsoMoment } from '../platform/clock.ts';
import type { Platform } from '../platform/deps.ts';
import { DAY_MS } from '../platform/durations.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { ASSET_ROUTE } from './asset.ts';

const PATH = '/.well-known/security.txt';
/** Less than a year is recommended (RFC 9116 §2.5.5). */
const VALID_DAYS = 180;

/** The contacts for reports of vulnerabilities, and the URL of the file. */
export interface SecurityTxt {
  /** URIs, the preferred one first. */
  contacts: readonly string[];
  /** Public URLs of this server. */
  urls: () => readonly string[];
}

/** `/.well-known/security.txt` (RFC 9116). Without a contact, which is required, there is no such file. */
export function serveSecurityTxt(
  app: Routes,
  { clock }: Pick<Platform, 'clock'>,
  { contacts, urls }: SecurityTxt,
): void {
  if (contacts.length === 0) return;
  app.get(PATH, ASSET_ROUTE, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send(formatSecurityTxt(contacts, urls(), clock.now())),
  );
}

function formatSecurityTxt(
  contacts: readonly string[],
  urls: readonly string[],
  now: number,
): string {
  // Rounded to days, so that all nodes and caches have the same file.
  const expiry = Math.floor(now / DAY_MS) * DAY_MS + VALID_DAYS * DAY_MS;
  // Other URLs may not be listed (§2.5.2).
  const origins = urls.filter((url) => url.startsWith('https:')).map((url) => new URL(url).origin);
  return [
    ...contacts.map((uri) => `Contact: ${uri}`),
    `Expires: ${toIsoMoment(expiry)}`,
    'Preferred-Languages: en, de',
    ...[...new Set(origins)].map((origin) => `Canonical: ${origin}${PATH}`),
    '',
  ].join('\n');
}
