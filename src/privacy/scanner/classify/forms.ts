import type { FormObservation } from '../observation.ts';
import { belongTo, type Candidate, locate, type PageContext } from './candidate.ts';

/** A form is a finding if it sends data to a third party or asks for personal data. Search forms are neither. */
export function formCandidate(seen: FormObservation, context: PageContext): Candidate | undefined {
  const method = seen.method.toUpperCase().slice(0, 16);
  const personal = seen.personalFields.length > 0;
  if (!personal && method === 'GET') return undefined;
  // Actions such as `mailto:` and `javascript:` have no URL of their own.
  const place = locate(seen.action, context) ?? locate(context.pageUrl, context);
  if (!place || (!place.thirdParty && !personal)) return undefined;
  const { url, host, thirdParty } = place;
  return {
    type: 'form',
    identity: url,
    url,
    host,
    thirdParty,
    ...belongTo(context.vendors.findByUrl(url, thirdParty), host),
    details: { method, personal_fields: seen.personalFields },
    seen,
  };
}
