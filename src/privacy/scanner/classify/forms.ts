import type { FormObservation } from '../observation.ts';
import type { Candidate, PageContext } from './candidate.ts';
import { getSite } from './party.ts';
import { toPlainUrl } from './plain-url.ts';

/** A form is a finding if it sends data to a third party or asks for personal data. Search forms are neither. */
export function formCandidate(
  seen: FormObservation,
  { site, pageUrl, vendors }: PageContext,
): Candidate | undefined {
  const method = seen.method.toUpperCase().slice(0, 16);
  const personal = seen.personalFields.length > 0;
  if (!personal && method === 'GET') return undefined;
  // Actions such as `mailto:` and `javascript:` have no URL of their own.
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
