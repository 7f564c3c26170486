import type { IncomingHttpHeaders } from 'node:http';
import { findContainerIds } from '../containers.ts';
import {
  type ContainerObservation,
  type CookieObservation,
  type LoadObservation,
  type Observation,
  observed,
} from '../observation.ts';
import { getAttribute, getBaseUrl, parseDocument, toWebUrl, walkElements } from './document.ts';
import { findForms } from './forms.ts';
import { findLoadsInCode } from './inline-code.ts';
import { findLoads, getScriptCode } from './loads.ts';
import { parseSetCookie } from './set-cookie.ts';

export interface HtmlPage {
  pageUrl: string;
  /** `Set-Cookie` headers with the URL that sent each. */
  setCookies: readonly { header: string; url: string }[];
  headers: IncomingHttpHeaders;
}

/** Nested `srcdoc` documents. */
const MAX_NESTING = 3;
/** Limits the cost of malicious pages. */
const MAX_OBSERVATIONS = 5_000;

/**
 * Lists resources, forms, cookies and containers in markup and headers. No scripts run, so everything is before
 * consent.
 */
export function observeHtml(html: string, page: HtmlPage): Observation[] {
  const found = new Map<string, Observation>();
  for (const observation of observations(html, page)) {
    const key = toKey(observation);
    const known = found.get(key);
    if (!known) {
      found.set(key, observation);
      if (found.size === MAX_OBSERVATIONS) break;
    } else {
      known.sources = [...new Set([...known.sources, ...observation.sources])];
      known.blockedUntilConsent &&= observation.blockedUntilConsent;
    }
  }
  return [...found.values()];
}

function* observations(html: string, page: HtmlPage): Generator<Observation> {
  for (const { header, url } of page.setCookies) {
    yield* cookie(header, url, page.pageUrl);
  }
  yield* reports(page);
  yield* inMarkup(html, page.pageUrl, page.pageUrl, 0);
}

function* inMarkup(
  html: string,
  pageUrl: string,
  documentUrl: string,
  nesting: number,
): Generator<Observation> {
  const root = parseDocument(html);
  const baseUrl = getBaseUrl(root, documentUrl);
  const inHtml = observed('html', 'before', pageUrl);

  for (const placed of walkElements(root)) {
    const { element } = placed;
    for (const load of findLoads(placed, baseUrl)) {
      yield { ...inHtml, ...load };
      yield* containers(load.url, { ...inHtml, blockedUntilConsent: load.blockedUntilConsent }, [
        load,
      ]);
    }
    const script = getScriptCode(element);
    if (script) {
      const { code, blockedUntilConsent } = script;
      const inScript = { ...observed('script', 'before', pageUrl), blockedUntilConsent };
      const [id = ''] = findContainerIds(code);
      // Tag manager snippets append the ID: `'…/gtm.js?id=' + i`.
      const loads = findLoadsInCode(code, baseUrl).map((load) =>
        /[?&]id=$/.test(load.url) ? { ...load, url: load.url + id } : load,
      );
      for (const load of loads) yield { ...inScript, ...load };
      yield* containers(code, inScript, loads);
    }
    const srcdoc = element.tagName === 'iframe' ? getAttribute(element, 'srcdoc') : undefined;
    if (srcdoc && nesting < MAX_NESTING) yield* inMarkup(srcdoc, pageUrl, baseUrl, nesting + 1);
  }
  for (const form of findForms(root, baseUrl, documentUrl)) {
    yield { ...inHtml, kind: 'form', ...form };
  }
}

function* containers(
  text: string,
  seen: Pick<ContainerObservation, 'sources' | 'consentState' | 'frameUrl' | 'blockedUntilConsent'>,
  loads: readonly { url: string }[],
): Generator<ContainerObservation> {
  const loaders = new Map(
    loads.flatMap(({ url }) => findContainerIds(url).map((id) => [id, url] as const)),
  );
  for (const id of findContainerIds(text)) {
    const url = loaders.get(id);
    yield { ...seen, kind: 'container', id, tags: [], ...(url !== undefined && { url }) };
  }
}

function* cookie(header: string, setBy: string, frameUrl: string): Generator<CookieObservation> {
  const facts = parseSetCookie(header, setBy, Date.now());
  if (!facts) return;
  yield {
    kind: 'cookie',
    ...observed('header', 'before', frameUrl),
    ...facts,
    setBy,
  };
}

/** Endpoints of CSP reports and the Reporting API. */
function* reports({ headers, pageUrl }: HtmlPage): Generator<LoadObservation> {
  const policies = [
    headers['content-security-policy'],
    headers['content-security-policy-report-only'],
  ].join(';');
  const addresses = [
    ...Array.from(policies.matchAll(/\breport-uri\s+([^;]+)/gi), ([, list = '']) =>
      list.trim().split(/\s+/),
    ).flat(),
    ...Array.from(
      String(headers['reporting-endpoints'] ?? '').matchAll(/="([^"]+)"/g),
      ([, address = '']) => address,
    ),
  ];
  for (const address of addresses) {
    const url = toWebUrl(address, pageUrl);
    if (!url) continue;
    yield {
      kind: 'request',
      ...observed('header', 'before', pageUrl),
      url,
      method: 'POST',
      via: 'csp-report',
    };
  }
}

function toKey(observation: Observation): string {
  const { kind, blockedUntilConsent } = observation;
  switch (kind) {
    case 'cookie':
      return JSON.stringify([kind, observation.name, observation.domain, observation.path]);
    case 'storage':
      return JSON.stringify([kind, observation.area, observation.origin, observation.name]);
    case 'container':
      return JSON.stringify([kind, observation.id]);
    case 'form':
      return JSON.stringify([kind, observation.action, observation.personalFields]);
    default:
      return JSON.stringify([kind, observation.url, blockedUntilConsent, observation.inNoscript]);
  }
}
