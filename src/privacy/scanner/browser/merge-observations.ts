import {
  type ConsentState,
  type CookieObservation,
  type Evidence,
  isLoad,
  isUnsent,
  isUnstored,
  type LoadObservation,
  type Observation,
  type ScanState,
} from '../observation.ts';

/**
 * Merges observations of the same resource: all sources, the earliest consent state in which it loaded, and the earliest
 * evidence of each state.
 */
export function mergeObservations(observations: Iterable<Observation>): Observation[] {
  const merged = new Map<string, Observation>();
  for (const observation of observations) {
    const key = toKey(observation);
    const known = merged.get(key);
    merged.set(key, known ? combine(known, observation) : observation);
  }
  return [...merged.values()];
}

function toKey(observation: Observation): string {
  switch (observation.kind) {
    case 'cookie':
      return `cookie ${observation.name} ${observation.domain}`;
    case 'storage':
      return `${observation.area} ${observation.name} ${observation.origin}`;
    case 'container':
      return `container ${observation.id}`;
    case 'form':
      return `form ${observation.method} ${observation.action} ${observation.frameUrl}`;
    default:
      return `${observation.kind} ${observation.url.replace(/#.*$/s, '')}`;
  }
}

function combine(first: Observation, second: Observation): Observation {
  const [better, other] = rank(first) >= rank(second) ? [first, second] : [second, first];
  const both = {
    ...other,
    ...better,
    sources: [...new Set([...better.sources, ...other.sources])],
    consentState: earliest(first, second),
    blockedUntilConsent: waits(first, second),
  } as Observation;
  const evidence = earliestEvidence([...(first.evidence ?? []), ...(second.evidence ?? [])]);
  if (evidence.length > 0) both.evidence = evidence;
  if (isUnsent(both) && wasLoaded(better)) delete (both as LoadObservation).failure;
  if (both.kind === 'container') both.tags = union(first, second, 'tags');
  if (both.kind === 'form') both.personalFields = union(first, second, 'personalFields');
  if (both.kind === 'cookie')
    keepStored(both, first as CookieObservation, second as CookieObservation);
  return both;
}

/** A request says more than markup, and a response more than a request. */
function rank(observation: Observation): number {
  if (!wasLoaded(observation)) return 0;
  return isLoad(observation) && observation.status !== undefined ? 2 : 1;
}

/** Requested or set by a header. Other observations may still be blocked. */
const wasLoaded = (seen: Observation): boolean =>
  (seen.sources.includes('network') || seen.sources.includes('header')) && !isUnsent(seen);

function earliestEvidence(all: readonly Evidence[]): Evidence[] {
  const byState = new Map<ScanState, Evidence>();
  for (const each of all) {
    const known = byState.get(each.state);
    if (!known || each.at < known.at) byState.set(each.state, each);
  }
  return [...byState.values()];
}

function earliest(first: Observation, second: Observation): ConsentState {
  const loaded = [first, second].filter(wasLoaded);
  // Markup and inline code may mention a resource long before it loads.
  const isLoadable = isLoad(first) || first.kind === 'container';
  const stored = [first, second].filter((seen) => !isUnstored(seen));
  const effective = isLoadable ? loaded : stored;
  const counted = effective.length > 0 ? effective : [first, second];
  return counted.some(({ consentState }) => consentState === 'before') ? 'before' : 'after';
}

function waits(first: Observation, second: Observation): boolean {
  if (wasLoaded(first) || wasLoaded(second)) return false;
  return first.blockedUntilConsent && second.blockedUntilConsent;
}

function union<Key extends 'tags' | 'personalFields'>(
  first: Observation,
  second: Observation,
  key: Key,
): string[] {
  const of = (observation: Observation) =>
    (observation as unknown as Partial<Record<Key, string[]>>)[key] ?? [];
  return [...new Set([...of(first), ...of(second)])];
}

/** The cookie is not blocked if any attempt to set it succeeded. */
function keepStored(both: CookieObservation, first: CookieObservation, second: CookieObservation) {
  if (first.blockedReasons.length === 0 || second.blockedReasons.length === 0) {
    both.blockedReasons = [];
  }
}
