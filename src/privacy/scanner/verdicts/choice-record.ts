import type { Finding } from '../classify/finding.ts';
import { getSiteOfHost } from '../classify/party.ts';
import type { ScanState } from '../observation.ts';

/** In names of cookies and storage that keep a visitor's choice. */
const CHOICE = /consent|cookie|gdpr|ccpa|privacy|opt-?out|(?:^|[^a-z])(?:cmp|tcf|dnt)(?:[^a-z]|$)/i;
/** In paths of services that receive the choice. Trackers have cookies and a privacy policy as well. */
const CHOICE_SERVICE =
  /consent|gdpr|ccpa|opt-?out|(?:cookies?|privacy)(?:[-_](?:banner|center))?[-_/]?(?:choice|preference|setting|accept|reject|save)|(?:^|[^a-z])(?:cmp|tcf|dnt)(?:[^a-z]|$)/i;
/** Trackers exchange their identifiers there, and often add the choice. Consent itself is synchronised as well. */
const IDENTIFIER_SYNC =
  /^(?!.*consent).*(?:(?<!a)sync|match)|(?:cookie|user|id|pixel)s?[-_/]?(?:sync|match)|(?:(?<!a)sync|match)[-_/]?(?:cookie|user|id|pixel)/i;

type ChoiceFields = Pick<
  Finding,
  'resourceType' | 'thirdParty' | 'vendor' | 'category' | 'name' | 'url' | 'evidence'
>;

/**
 * Whether a finding records the visitor's choice: it appears with the choice, so it must not be taken for a tracker
 * that ignores it. First-party cookies and storage without a vendor count if their name says so, or if accepting and
 * rejecting both make the site write them. Requests to a service without a vendor count if their path says that they send
 * the choice.
 */
export function isChoiceRecord(finding: ChoiceFields): boolean {
  const { resourceType, thirdParty, vendor, category, name, url, evidence } = finding;
  if (vendor !== null || category !== null) return false;
  const isIn = (wanted: ScanState) => evidence.some(({ state }) => state === wanted);
  if (isIn('before') || isIn('gpc')) return false;
  if (resourceType === 'api_call') {
    const { pathname } = new URL(url);
    return CHOICE_SERVICE.test(pathname) && !IDENTIFIER_SYNC.test(pathname);
  }
  if (resourceType !== 'cookie' || thirdParty) return false;
  if (CHOICE.test(name)) return true;
  const isOwn = evidence.every(
    ({ url: source, initiator }) => toSite(initiator ?? source) === toSite(url),
  );
  return isOwn && isIn('accepted') && isIn('rejected');
}

/** Cookies have no port. */
const toSite = (url: string) => getSiteOfHost(URL.parse(url)?.hostname ?? '');
