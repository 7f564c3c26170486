import type { ResourceType } from '../classify/finding.ts';
import type { SavedFinding } from '../findings/store.ts';

/** How the banner blocks a type of finding. Cookies and other requests are blocked with what loads them. */
const BLOCKING_METHODS: Partial<Record<ResourceType, string>> = {
  script: 'type_attribute',
  gtm_tag: 'type_attribute',
  iframe: 'iframe_placeholder',
  pixel: 'data_src',
};

/** Functions of which the banner holds the requests. */
const HELD_FUNCTIONS: readonly unknown[] = ['fetch', 'xhr', 'beacon'];

/** How the banner blocks a finding by its own address; undefined if it cannot (web/banner/auto-blocking.ts). */
export function getBlockingMethod(finding: SavedFinding): string | undefined {
  const { resourceType, sources, details } = finding;
  if (isPluginElement(finding)) return undefined;
  if (resourceType !== 'api_call') return BLOCKING_METHODS[resourceType];
  const isHeld =
    HELD_FUNCTIONS.includes(details.via) &&
    // The browser follows redirects by itself, and `ping` and `preload` in the markup need no script.
    details.redirected_from === undefined &&
    sources.includes('network') &&
    !sources.includes('html');
  return isHeld ? 'type_attribute' : undefined;
}

/** Elements whose content the banner cannot block. */
export const isPluginElement = ({ details }: SavedFinding): boolean =>
  details.via === 'object' || details.via === 'embed';

/** Why the banner cannot block a finding, in a sentence that is true of several as well. */
export const explainUnblockable = (finding: SavedFinding): string =>
  isPluginElement(finding)
    ? 'The banner cannot block object and embed elements. Use an iframe in their place, or remove them.'
    : 'The banner cannot block it by its address. Block the script that sets or loads it, or change that code.';
