import type { StateVisit } from '../observation.ts';
import type { Shortcoming } from './shortcoming.ts';

/** What a TC string of the IAB Transparency and Consent Framework says. */
export interface TcString {
  version: number;
  /** ISO 8601. */
  created: string;
  updated: string;
  cmp_id: number;
  cmp_version: number;
  policy_version: number;
  /** IDs of purposes. */
  purpose_consents: number[];
  purpose_legitimate_interests: number[];
  /** Number of vendors. */
  vendor_consents: number;
  /** Number of vendors; null without the segment `disclosedVendors`. */
  vendors_disclosed: number | null;
}

/** Strings have a few thousand characters at most. */
const LENGTH_MAX = 20_000;
/** The segment `disclosedVendors` is mandatory in strings created after 28 February 2026 (TCF 2.3). */
const DISCLOSED_SINCE = Date.UTC(2026, 2, 1);
/** Policy version of TCF 2.2, required since 20 November 2023. */
const POLICY_MIN = 4;
const TCF = 'IAB Europe, Transparency and Consent Framework';

/**
 * Decodes a TC string; null if it cannot be read, also because its CMP ID is below 2, which the IAB never assigns.
 * The decoder is loaded on the first call.
 */
export async function decodeTcString(text: string): Promise<TcString | null> {
  const { TCString } = await import('@iabtechlabtcf/core');
  if (text === '' || text.length > LENGTH_MAX) return null;
  try {
    const model = TCString.decode(text);
    const isDisclosed = text.split('.').slice(1).some(isDisclosedVendors);
    return {
      version: Number(model.version),
      created: model.created.toISOString(),
      updated: model.lastUpdated.toISOString(),
      cmp_id: Number(model.cmpId),
      cmp_version: Number(model.cmpVersion),
      policy_version: Number(model.policyVersion),
      purpose_consents: [...model.purposeConsents.values()],
      purpose_legitimate_interests: [...model.purposeLegitimateInterests.values()],
      vendor_consents: model.vendorConsents.size,
      vendors_disclosed: isDisclosed ? model.vendorsDisclosed.size : null,
    };
  } catch {
    return null;
  }
}

/** The first three bits of a segment are its type; 1 is `disclosedVendors`. */
const isDisclosedVendors = (segment: string): boolean => /^[I-P]/.test(segment);

/** @param decoded null if the string cannot be read */
export function* findTcShortcomings(
  { state, outcome }: Pick<StateVisit, 'state' | 'outcome'>,
  decoded: TcString | null,
): Generator<Shortcoming> {
  if (!decoded) {
    yield {
      code: 'tcf_unreadable',
      title: 'The TC string cannot be read',
      explanation: 'The page offers a consent string that does not follow the format of the TCF.',
      source: `${TCF}, TC string format`,
    };
    return;
  }
  yield* listFormDefects(decoded);
  const consents = decoded.purpose_consents;
  const interests = decoded.purpose_legitimate_interests;
  const isReached = outcome === 'reached';
  if (state === 'before') {
    yield* granted('before_choice', 'before any choice', consents, interests);
  } else if (isReached && state === 'rejected') {
    yield* granted('after_rejection', 'after rejection', consents, interests);
  } else if (isReached && state === 'withdrawn') {
    yield* granted('after_withdrawal', 'after withdrawal', consents, []);
  }
}

function* granted(
  code: string,
  moment: string,
  consents: readonly number[],
  interests: readonly number[],
): Generator<Shortcoming> {
  if (consents.length > 0) {
    yield {
      code: `tcf_granted_${code}`,
      title: `The TC string grants purposes ${moment}`,
      explanation: `The string has consent for these purposes ${moment}: ${consents.join(', ')}.`,
      source: `${TCF} policies; ePrivacy Directive Art. 5(3)`,
    };
  }
  if (interests.length > 0) {
    yield {
      code: `tcf_legitimate_interest_${code}`,
      title: `The TC string claims legitimate interests ${moment}`,
      explanation: `The string has legitimate interests for these purposes ${moment}: ${interests.join(', ')}.`,
      source: `${TCF} policies; GDPR Art. 21`,
    };
  }
}

function* listFormDefects(decoded: TcString): Generator<Shortcoming> {
  if (decoded.vendors_disclosed === null && Date.parse(decoded.created) >= DISCLOSED_SINCE) {
    yield {
      code: 'tcf_no_disclosed_vendors',
      title: 'The TC string does not say which vendors were disclosed',
      explanation:
        'The segment disclosedVendors is missing. Strings created after 28 February 2026 are invalid without it.',
      source: `${TCF} 2.3`,
    };
  }
  if (decoded.policy_version < POLICY_MIN) {
    yield {
      code: 'tcf_outdated_policy',
      title: 'The TC string follows an outdated policy version',
      explanation: `The policy version is ${decoded.policy_version}. TCF 2.2, policy version ${POLICY_MIN}, is required since 20 November 2023.`,
      source: `${TCF} 2.2`,
    };
  }
}
