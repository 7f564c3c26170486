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
  thing: string;
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

/** Whether it came before consent, and is of a kind that has to wait for it. A form does nothing by itself. */
export const needsConsent = ({
  resourceType,
  consentState,
  category,
}: Pick<Finding, 'resourceType' | 'consentState' | 'category'>): boolean =>
  resourceType !== 'form' && consentState === 'before' && category !== 'functional';
