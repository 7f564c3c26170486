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

/** One thing that a page has (decision 35). */
export interface Finding {
  /** What it is, wherever it is found: the same on every page and in every scan. */
  resourceKey: string;
  resourceType: ResourceType;
  /** As `plainUrl` gives it. */
  url: string;
  host: string;
  thirdParty: boolean;
  vendor: KnownVendor | null;
  category: string | null;
  /** A cookie's name, a container's id, else whose it is. */
  name: string;
  /** `before`: seen at work before the visitor agreed to anything. */
  consentState: ConsentState;
  /** Kept from loading until there is consent. */
  blocked: boolean;
  sources: Source[];
  details: Record<string, unknown>;
}

/** Known from the text of a script or of a container alone, so that nobody can say whether it ever runs. */
export const isMentionedOnly = ({ sources }: Pick<Finding, 'sources'>): boolean =>
  sources.every((source) => source === 'script' || source === 'inferred');

/**
 * Whether it was at work before consent and needs consent (ePrivacy Directive Art. 5(3)). A form does
 * nothing by itself. What inline code mentions is no evidence: the code may wait for consent. Styles,
 * fonts and images of an unknown host may be the site's own: they are listed for the owner to judge, who
 * may also rule a vendor strictly necessary.
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
