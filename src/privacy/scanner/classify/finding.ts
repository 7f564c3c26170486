import type { KnownVendor } from '../../vendors/index.ts';
import type { ConsentState, Source } from '../observation.ts';

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
}

/** Known only from the text of a script or container, so it may never run. */
export const isMentionedOnly = ({ sources }: Pick<Finding, 'sources'>): boolean =>
  sources.every((source) => source === 'script' || source === 'inferred');

/**
 * Whether it loaded before consent and requires it (ePrivacy Directive Art. 5(3)). Forms do nothing by themselves. Inline
 * code that mentions a resource is no evidence, because the code may check for consent. Styles, fonts and images of an
 * unknown host may belong to the site.
 */
export const needsConsent = (
  finding: Pick<Finding, 'resourceType' | 'consentState' | 'category' | 'sources' | 'details'>,
): boolean =>
  finding.resourceType !== 'form' &&
  finding.consentState === 'before' &&
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
