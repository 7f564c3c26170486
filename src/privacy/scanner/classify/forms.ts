import type { FormObservation } from '../observation.ts';
import type { Candidate, PageContext } from './candidate.ts';
import { getSite } from './party.ts';
import { toPlainUrl } from './plain-url.ts';

/**
 * What a form counts as: one that sends to somebody else, or asks for personal data. A search is
 * neither.
 */
export function formCandidate(
  seen: FormObservation,
  { site, pageUrl, vendors }: PageContext,
): Candidate | undefined {
  const method = seen.method.toUpperCase().slice(0, 16);
  const personal = seen.personalFields.length > 0;
  if (!personal && method === 'GET') return undefined;
  // One that opens a mail programme, or runs a script, stands on its page.
  const url = toPlainUrl(seen.action) ?? toPlainUrl(pageUrl);
  if (url === undefined) return undefined;
  const { host, hostname } = new URL(url);
  const thirdParty = getSite({ host, hostname }) !== site;
  if (!thirdParty && !personal) return undefined;
  const vendor = vendors.findByUrl(url, thirdParty);
  return {
    type: 'form',
    identity: url,
    url,
    host,
    thirdParty,
    vendor,
    category: vendor?.category ?? null,
    name: vendor?.name ?? host,
    details: { method, personal_fields: seen.personalFields },
    seen,
  };
}
