import type { KnownVendor } from '../../vendors/index.ts';
import type { ConsentState, ScanState, Source } from '../observation.ts';
import type { Verdict } from '../verdicts/verdict.ts';

/** The types of a finding (contract, "Scan"). */
export const RESOURCE_TYPES = [
  'script',
  'iframe',
  'pixel',
  'cookie',
  'api_call',
  'gtm_tag',
  'form',
] as const;

export type ResourceType = (typeof RESOURCE_TYPES)[number];

export interface Finding {
  /** Identifies the resource on all pages and in all scans. */
  resourceKey: string;
  resourceType: ResourceType;
  /** As returned by `toPlainUrl`. */
  url: string;
  host: string;
  thirdParty: boolean;
  vendor: KnownVendor | null;
  category: string | null;
  /** Cookie name, container ID, or the name of the vendor or host. */
  name: string;
  consentState: ConsentState;
  blocked: boolean;
  sources: Source[];
  details: Record<string, unknown>;
  /** At most one for each state, in the order of `SCAN_STATES`: what was requested or stored first. */
  evidence: FindingEvidence[];
}

/** A finding with what the visits of its page show. */
export interface FindingWithVerdicts extends Finding {
  /** In the order of `VERDICTS`. */
  verdicts: Verdict[];
}

/** That a finding was at work in a state. */
export interface FindingEvidence {
  state: ScanState;
  /** As returned by `toPlainUrl`. */
  url: string;
  /** As returned by `toPlainUrl`; null if unknown. */
  initiator: string | null;
  /** Milliseconds after the visit began. */
  atMs: number;
  /** A Google request with denied consent and without identifiers. */
  isPing?: true;
}

/** Known only from the text of a script or container, so it may never run. */
export const isMentionedOnly = ({ sources }: Pick<Finding, 'sources'>): boolean =>
  sources.every((source) => source === 'script' || source === 'inferred');

type ConsentFields = 'resourceType' | 'category' | 'sources' | 'details';

/** Whether it loaded before consent and requires it. */
export const needsConsent = (finding: Pick<Finding, ConsentFields | 'consentState'>): boolean =>
  finding.consentState === 'before' && requiresConsent(finding);

/**
 * Whether it may load only with consent (ePrivacy Directive Art. 5(3)). Forms do nothing by themselves. Inline code that
 * mentions a resource is no evidence, because the code may check for consent. Styles, fonts and images of an unknown
 * host may belong to the site.
 */
export const requiresConsent = (finding: Pick<Finding, ConsentFields>): boolean =>
  finding.resourceType !== 'form' &&
  finding.category !== 'functional' &&
  !isMentionedOnly(finding) &&
  finding.details.necessary !== true &&
  !isDisplayedByUnknown(finding);

const isDisplayedByUnknown = ({
  resourceType,
  category,
  details,
}: Pick<Finding, 'resourceType' | 'category' | 'details'>): boolean =>
  resourceType === 'api_call' && category === null && details.subtype !== undefined;
