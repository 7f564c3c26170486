import { createHash } from 'node:crypto';
import { omitUndefined } from '../../../platform/omit-undefined.ts';
import {
  isLoad,
  isUnsent,
  isUnstored,
  type LoadObservation,
  type Observation,
  type PageVisit,
} from '../observation.ts';
import { hasRandomClientIds } from '../verdicts/consent-ping.ts';
import type { Candidate, PageContext } from './candidate.ts';
import { cookieCandidate, storageCandidate } from './cookies.ts';
import { mergeEvidence } from './evidence.ts';
import { type Finding, isMentionedOnly } from './finding.ts';
import { formCandidate } from './forms.ts';
import { createPixelClassifier } from './images.ts';
import { containerCandidates, loadCandidates, nestedCandidates } from './loads.ts';
import { getSite } from './party.ts';
import { type Cnames, createProxiedVendorFinder } from './proxied-vendors.ts';
import type { VendorLookup } from './vendor-lookup.ts';

/** A page with more findings of one type is cut there. */
const MOST_PER_TYPE = 200;

export interface Classification {
  findings: Finding[];
  cut: boolean;
}

/** Turns the observations of a page into findings: one for each resource that is relevant to privacy. */
export function classify(
  {
    observations,
    url,
    partial = false,
    visits = [],
  }: Pick<PageVisit, 'observations' | 'url'> & Partial<Pick<PageVisit, 'partial' | 'visits'>>,
  siteUrl: string,
  vendors: VendorLookup,
  cnames: Cnames = new Map(),
): Classification {
  const site = getSite(new URL(siteUrl));
  const findProxiedVendor = createProxiedVendorFinder(observations, site, vendors, cnames);
  const context = { site, pageUrl: url, vendors, findProxiedVendor };
  const isPixel = createPixelClassifier(observations);
  const hadBrowser = observations.some(({ sources }) => sources.includes('network'));
  const whole = withoutBeginnings(observations, hadBrowser);
  const candidates = [
    ...whole.flatMap((seen) => toCandidates(seen, context, isPixel)),
    // After the observations themselves, which are more specific.
    ...whole.flatMap((seen) => (seen.kind === 'container' ? nestedCandidates(seen, context) : [])),
  ];
  const isAtWork = hadBrowser
    ? (candidate: Candidate) => wasSeenAtWork(candidate, partial)
    : ({ seen }: Candidate) => !isUnstored(seen);
  const byResource = Map.groupBy(candidates, ({ type, identity }) => `${type} ${identity}`);
  const hasRandomIds = hasRandomClientIds(visits);
  const all = [...byResource].map(([key, same]) => merge(key, same, isAtWork, hasRandomIds));
  const counts = new Map<string, number>();
  const findings = all.filter(({ resourceType }) => {
    const count = (counts.get(resourceType) ?? 0) + 1;
    counts.set(resourceType, count);
    return count <= MOST_PER_TYPE;
  });
  return { findings, cut: findings.length < all.length };
}

/**
 * Leaves out addresses in scripts to which the script appends a part: a browser sees the request for the whole URL.
 */
function withoutBeginnings(
  observations: readonly Observation[],
  hadBrowser: boolean,
): Observation[] {
  const asked = observations.filter(
    (seen): seen is LoadObservation => isLoad(seen) && seen.sources.includes('network'),
  );
  return observations.filter((seen) => {
    if (!seen.sources.every((source) => source === 'script')) return true;
    if (hadBrowser && isLoad(seen) && seen.incomplete) return false;
    return !asked.some(
      ({ kind, url }) => kind === seen.kind && 'url' in seen && url.startsWith(seen.url ?? ''),
    );
  });
}

function toCandidates(
  seen: Observation,
  context: PageContext,
  isPixel: (url: string) => boolean,
): Candidate[] {
  switch (seen.kind) {
    case 'cookie':
      return toList(cookieCandidate(seen, context));
    case 'storage':
      return toList(storageCandidate(seen, context));
    case 'form':
      return toList(formCandidate(seen, context));
    case 'container':
      return containerCandidates(seen, context);
    default:
      return loadCandidates(seen, context, isPixel);
  }
}

const toList = <T>(value: T | undefined): T[] => (value === undefined ? [] : [value]);

/**
 * Whether the browser saw that something loads or runs. Markup and inline code prove nothing, because consent tools
 * remove, rewrite and defer them.
 * @param partial the visit was cut short, so that a tag in the markup may have been about to load
 */
function wasSeenAtWork({ type, seen }: Candidate, partial: boolean): boolean {
  if (isUnsent(seen) || isUnstored(seen)) return false;
  if (wasRequested(seen)) return true;
  if (isMentionedOnly(seen)) return false;
  if (type === 'gtm_tag') return partial;
  // Browsers without scripts load it, and consent tools cannot block it there.
  return !isLoad(seen) || seen.inNoscript === true || partial;
}

const wasRequested = ({ sources }: Observation): boolean =>
  sources.includes('network') || sources.includes('header');

function merge(
  key: string,
  same: readonly Candidate[],
  isAtWork: (candidate: Candidate) => boolean,
  hasRandomIds: boolean,
): Finding {
  const [first] = same as readonly [Candidate, ...Candidate[]];
  const seen = same.map((candidate) => candidate.seen);
  const early = same.filter(
    (candidate) =>
      !candidate.seen.blockedUntilConsent &&
      candidate.seen.consentState === 'before' &&
      isAtWork(candidate),
  );
  const before = early.length > 0;
  return {
    resourceKey: createHash('sha256').update(key).digest('base64url'),
    resourceType: first.type,
    url: printable(first.url),
    host: printable(first.host),
    thirdParty: first.thirdParty,
    vendor: first.vendor,
    category: first.category,
    name: printable(first.name),
    consentState: before ? 'before' : 'after',
    blocked: !before && seen.some(({ blockedUntilConsent }) => blockedUntilConsent),
    sources: [...new Set(seen.flatMap(({ sources }) => sources))],
    details: omitUndefined({
      ...mergeAllDetails(before ? early : same, same),
      failure: findFailure(seen),
    }),
    evidence: mergeEvidence(seen, hasRandomIds),
  };
}

const getFailure = (seen: Observation) => (isLoad(seen) ? seen.failure : undefined);

/** Why no request for a resource succeeded. What only mentions the resource does not show that one did. */
function findFailure(seen: readonly Observation[]): string | undefined {
  if (seen.some((each) => wasRequested(each) && getFailure(each) === undefined)) return undefined;
  const failures = seen.map(getFailure).filter((failure) => failure !== undefined);
  // If the browser sent one of the requests, the policy does not forbid the resource.
  return failures.find((failure) => failure !== 'policy') ?? failures[0];
}

const ORIGINS = ['initiator', 'set_by', 'redirected_from'];

/**
 * Combines the details. The initiator is taken only from the candidates that count, because after consent something
 * else may load the same resource.
 */
function mergeAllDetails(
  counted: readonly Candidate[],
  all: readonly Candidate[],
): Record<string, unknown> {
  const first = counted.map(({ details }) => details).reduce(mergeDetails);
  const rest = all
    .filter((each) => !counted.includes(each))
    .map(({ details }) =>
      Object.fromEntries(Object.entries(details).filter(([name]) => !ORIGINS.includes(name))),
    );
  return rest.reduce(mergeDetails, first);
}

/** A page can set as many cookies of one pattern as it likes. */
const LIST_MAX = 100;

/** Earlier values win. Lists are combined. */
function mergeDetails(
  details: Record<string, unknown>,
  more: Record<string, unknown>,
): Record<string, unknown> {
  const merged = { ...more, ...details };
  // The browser accepted one of the cookies.
  if (!details.blocked_reasons || !more.blocked_reasons) delete merged.blocked_reasons;
  for (const [name, value] of Object.entries(details)) {
    const other = more[name];
    if (Array.isArray(value) && Array.isArray(other)) {
      merged[name] = [...new Set([...value, ...other])].slice(0, LIST_MAX);
    }
  }
  return merged;
}

/** Without characters that a database cannot store. */
const printable = (text: string): string => text.toWellFormed().replace(/\p{Cc}/gu, '');
