import { omitUndefined } from '../../../platform/omit-undefined.ts';
import { isFormServiceUrl, isPixelUrl } from '../../vendors/index.ts';
import type { ContainerObservation, LoadObservation } from '../observation.ts';
import { belongTo, type Candidate, locate, type PageContext } from './candidate.ts';
import { isCompleteHost } from './complete-host.ts';
import type { ResourceType } from './finding.ts';
import { toPlainUrl } from './plain-url.ts';
import { toStablePath } from './stable-name.ts';

const CONTAINER_ID = /^(?:(?:GTM|GT|G|AW|DC)-[A-Z0-9]{4,14}|UA-\d{4,10}-\d{1,4})$/i;
/** Also below another path, as with server-side tagging. */
const LOADER = /\/(?:gtm\.js|gtag\/js|ns\.html)$/;
const TAG_MANAGER = /(?:^|\.)googletagmanager\.com$/;

export function loadCandidates(
  seen: LoadObservation,
  context: PageContext,
  isPixel: (url: string) => boolean,
): Candidate[] {
  const place = locate(seen.url, context);
  if (!place) return [];
  const { url, host, hostname, origin, thirdParty } = place;
  if (!seen.sources.includes('network') && !isCompleteHost(hostname)) return [];
  const behind = thirdParty ? undefined : context.findProxiedVendor(seen.url);
  const vendor = context.vendors.findByUrl(seen.url, thirdParty) ?? behind?.vendor ?? null;
  const container = listContainers(seen, context);
  const types = thirdParty || vendor ? listTypes(seen, container.length > 0, isPixel) : [];
  const details = { ...toDetails(seen), ...behind?.details };
  if (thirdParty && !vendor && isDisplayed(seen, isPixel)) {
    return [displayCandidate(`${origin}/`, host, seen)];
  }
  return [
    ...types.map(
      (type): Candidate => ({
        type,
        identity: type === 'pixel' || type === 'api_call' ? toStablePath(url) : url,
        url,
        host,
        thirdParty,
        ...belongTo(vendor, host),
        details,
        seen,
      }),
    ),
    ...container,
  ];
}

/** Styles, fonts and visible images. */
const isDisplayed = ({ kind, url }: LoadObservation, isPixel: (url: string) => boolean): boolean =>
  kind === 'style' || kind === 'font' || (kind === 'image' && !isPixel(url));

/** Styles, fonts or images of an unknown host: one finding for each host and kind. */
const displayCandidate = (url: string, host: string, seen: LoadObservation): Candidate => ({
  type: 'api_call',
  identity: `${seen.kind} ${host}`,
  url,
  host,
  thirdParty: true,
  ...belongTo(null, host),
  details: { subtype: seen.kind },
  seen,
});

function listTypes(
  seen: LoadObservation,
  loadsContainer: boolean,
  isPixel: (url: string) => boolean,
): ResourceType[] {
  switch (seen.kind) {
    case 'script':
      return ['script'];
    case 'frame':
      // The `noscript` frame of a tag manager is reported as its container.
      if (loadsContainer) return [];
      return isFormServiceUrl(seen.url) ? ['iframe', 'form'] : ['iframe'];
    case 'image':
      return [isPixel(seen.url) ? 'pixel' : 'api_call'];
    case 'request':
      return [isPixelUrl(seen.url) ? 'pixel' : 'api_call'];
    default:
      return ['api_call'];
  }
}

const toDetails = ({
  kind,
  method,
  status,
  via,
  initiator,
  redirectedFrom,
  incomplete,
  inNoscript,
  size,
}: LoadObservation): Record<string, unknown> =>
  omitUndefined({
    subtype: kind === 'style' || kind === 'font' || kind === 'image' ? kind : undefined,
    method: kind === 'request' ? method : undefined,
    via,
    status,
    initiator: initiator === undefined ? undefined : toPlainUrl(initiator),
    redirected_from: redirectedFrom === undefined ? undefined : toPlainUrl(redirectedFrom),
    incomplete,
    in_noscript: inNoscript || undefined,
    size,
  });

function listContainers(seen: LoadObservation, context: PageContext): Candidate[] {
  const { pathname, searchParams } = new URL(seen.url);
  if (!LOADER.test(pathname)) return [];
  const id = searchParams.get('id') ?? '';
  if (!CONTAINER_ID.test(id)) return [];
  return [containerCandidate(id, seen.url, seen, context)];
}

export function containerCandidates(seen: ContainerObservation, context: PageContext): Candidate[] {
  if (!CONTAINER_ID.test(seen.id)) return [];
  const candidate = containerCandidate(seen.id, seen.url, seen, context);
  const kinds = seen.tags.filter((tag) => !CONTAINER_ID.test(tag));
  if (kinds.length > 0) candidate.details.tags = kinds;
  return [candidate];
}

/** The containers and tags that a container refers to. Only other observations show whether they loaded. */
export function nestedCandidates(seen: ContainerObservation, context: PageContext): Candidate[] {
  if (!CONTAINER_ID.test(seen.id)) return [];
  const { evidence: _, ...loader } = seen;
  const inferred: ContainerObservation = { ...loader, sources: ['inferred'] };
  return seen.tags
    .filter((tag) => CONTAINER_ID.test(tag))
    .map((id) => ({
      ...containerCandidate(id, undefined, inferred, context),
      details: { container: seen.id.toUpperCase() },
    }));
}

function containerCandidate(
  text: string,
  loadedFrom: string | undefined,
  seen: Candidate['seen'],
  context: PageContext,
): Candidate {
  const { vendors } = context;
  const id = text.toUpperCase();
  const file = id.startsWith('GTM-') ? 'gtm.js' : 'gtag/js';
  const usual = `https://www.googletagmanager.com/${file}?id=${id}`;
  const place = locate(loadedFrom ?? usual, context) ?? locate(usual, context);
  if (!place) throw new Error(`${usual} is not a URL`);
  const { url, host, hostname, thirdParty } = place;
  // A vendor that proxies the container receives the data of visitors.
  const server = thirdParty && !TAG_MANAGER.test(hostname) ? vendors.findByUrl(url, true) : null;
  const vendor = server ?? vendors.findByContainer(id) ?? vendors.findByUrl(url, true);
  return {
    type: 'gtm_tag',
    identity: id,
    url,
    host,
    thirdParty,
    ...belongTo(vendor, id),
    name: id,
    details: {},
    seen,
  };
}
