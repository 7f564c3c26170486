import { type Observation, SCAN_STATES } from '../observation.ts';
import { isConsentPing } from '../verdicts/consent-ping.ts';
import type { FindingEvidence } from './finding.ts';
import { toPlainUrl } from './plain-url.ts';

/**
 * One piece of evidence for each state. A request with identifiers weighs more than a consent ping, then the earlier
 * one counts.
 * @param hasRandomIds the client ids of denied requests are drawn anew for each page load
 */
export function mergeEvidence(
  observations: readonly Observation[],
  hasRandomIds = false,
): FindingEvidence[] {
  const all = observations.flatMap(({ evidence = [] }) =>
    evidence.map(
      ({ state, url, initiator, at }): FindingEvidence => ({
        state,
        url: toPlainUrl(url) ?? '',
        initiator: (initiator !== undefined && toPlainUrl(initiator)) || null,
        atMs: Math.max(0, Math.round(at)),
        ...(isConsentPing(url, hasRandomIds) && { isPing: true }),
      }),
    ),
  );
  return SCAN_STATES.flatMap((state) => {
    const [first] = all
      .filter((each) => each.state === state)
      .sort((a, b) => Number(a.isPing ?? false) - Number(b.isPing ?? false) || a.atMs - b.atMs);
    return first ? [first] : [];
  });
}
