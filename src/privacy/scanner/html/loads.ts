import type { LoadObservation } from '../observation.ts';
import {
  type Element,
  type ElementInContext,
  getAttribute,
  getText,
  isHidden,
  toWebUrl,
} from './document.ts';

export type Load = Pick<LoadObservation, 'kind' | 'url' | 'method' | 'blockedUntilConsent'> &
  Partial<Pick<LoadObservation, 'via' | 'size' | 'visible' | 'inNoscript'>>;

/** Script types that run, some deferred or in a worker. */
const RUNS =
  /^(|module|(text|application)\/(x-)?(java|ecma)script[\d.]*|text\/(jscript|livescript|partytown)|litespeed\/javascript|rocketlazyloadscript)$/;
/** Script types of consent tools. */
const WAITS = /^text\/plain$|blocked|consent/;

/** Attributes in which lazy loaders keep the URL. */
const LAZY = [
  'data-rocket-src',
  'data-litespeed-src',
  'data-lazy-src',
  'data-lazy',
  'data-original',
];
/** Attributes in which consent tools keep the URL until consent. */
const HELD = [
  'data-src',
  'data-cmplz-src',
  'data-cookieblock-src',
  'data-consent-src',
  'data-suppressedsrc',
];
const CONSENT_MARK = /consent|cookie|cmplz|borlabs|usercentrics|^data-category$/;

/** Resources that an element loads, or has in attributes for later. */
export function findLoads(
  { element, hidden, inNoscript }: ElementInContext,
  baseUrl: string,
): Load[] {
  const loads = [...ownLoads(element, baseUrl, hidden), ...styled(element, baseUrl)];
  return inNoscript ? loads.map((load) => ({ ...load, inNoscript })) : loads;
}

/** Inline code. */
export function getScriptCode(
  element: Element,
): { code: string; blockedUntilConsent: boolean } | undefined {
  if (element.tagName !== 'script' || getAttribute(element, 'src') !== undefined) return undefined;
  const type = scriptType(element);
  if (!RUNS.test(type) && !WAITS.test(type)) return undefined;
  return { code: getText(element), blockedUntilConsent: WAITS.test(type) };
}

const scriptType = (element: Element): string =>
  (getAttribute(element, 'type') ?? '').trim().toLowerCase();

function ownLoads(element: Element, baseUrl: string, hidden: boolean): Load[] {
  const get = (name: string) => getAttribute(element, name);
  const load = (
    kind: Load['kind'],
    address: string | undefined,
    more: Partial<Load> = {},
  ): Load[] => {
    const url = toWebUrl(address, baseUrl);
    return url ? [{ kind, url, method: 'GET', blockedUntilConsent: false, ...more }] : [];
  };

  switch (element.tagName) {
    case 'script': {
      const type = scriptType(element);
      if (WAITS.test(type)) {
        return load('script', get('src') ?? later(element), { blockedUntilConsent: true });
      }
      if (!RUNS.test(type)) return [];
      const lazy = LAZY.map(get).find((value) => value !== undefined);
      if (get('src') !== undefined || lazy !== undefined) return load('script', get('src') ?? lazy);
      return load('script', later(element), { blockedUntilConsent: true });
    }
    case 'link':
      return linked(element).flatMap((kind) =>
        load(kind, get('href') ?? get('data-href'), {
          blockedUntilConsent: get('href') === undefined,
        }),
      );
    case 'iframe':
    case 'frame':
    case 'embed':
    case 'object': {
      const own = toWebUrl(get(element.tagName === 'object' ? 'data' : 'src'), baseUrl);
      const held = own === undefined && !isLazy(element);
      return load('frame', own ?? later(element), {
        blockedUntilConsent: held,
        ...(!element.tagName.endsWith('frame') && { via: element.tagName }),
      });
    }
    case 'img': {
      const own = toWebUrl(get('src') ?? get('srcset')?.trim().split(/[\s,]/)[0], baseUrl);
      const held = own === undefined && element.attrs.some(({ name }) => CONSENT_MARK.test(name));
      const size = findSize(element);
      return load('image', own ?? later(element), {
        blockedUntilConsent: held,
        visible: !hidden && !isHidden(element),
        ...(size && { size }),
      });
    }
    case 'input':
      return get('type')?.toLowerCase() === 'image' ? load('image', get('src')) : [];
    case 'source':
    case 'video':
    case 'audio':
    case 'track':
      return [
        ...load('image', get('poster')),
        ...load('request', get('src'), { via: 'media' }),
        ...load('image', get('srcset')?.trim().split(/[\s,]/)[0]),
      ];
    case 'a':
    case 'area':
      return (get('ping') ?? '')
        .split(/\s+/)
        .flatMap((url) => load('request', url, { method: 'POST', via: 'beacon' }));
    default:
      return [];
  }
}

const PRELOADED: Readonly<Record<string, Load['kind']>> = {
  script: 'script',
  style: 'style',
  font: 'font',
  image: 'image',
  fetch: 'request',
};

/** Hints such as `preconnect` load nothing. */
function linked(element: Element): Load['kind'][] {
  const relations = new Set((getAttribute(element, 'rel') ?? '').toLowerCase().split(/\s+/));
  if (relations.has('stylesheet')) return ['style'];
  if (relations.has('modulepreload')) return ['script'];
  if (relations.has('icon') || relations.has('apple-touch-icon')) return ['image'];
  if (!relations.has('preload') && !relations.has('prefetch')) return [];
  return [PRELOADED[getAttribute(element, 'as')?.toLowerCase() ?? ''] ?? 'request'];
}

const later = (element: Element): string | undefined =>
  [...HELD, ...LAZY]
    .map((name) => getAttribute(element, name))
    .find((value) => value !== undefined);

const isLazy = (element: Element): boolean =>
  /lazy|lozad/i.test(getAttribute(element, 'class') ?? '') ||
  LAZY.some((name) => getAttribute(element, name) !== undefined);

function findSize(element: Element): { width: number; height: number } | undefined {
  const style = getAttribute(element, 'style') ?? '';
  const [width, height] = ['width', 'height'].map((name) => {
    const text =
      new RegExp(`(?:^|[;\\s])${name}\\s*:\\s*(\\d{1,5})(?:px)?\\s*(?:!|;|$)`, 'i').exec(
        style,
      )?.[1] ?? /^\s*(\d{1,5})(?:px)?\s*$/.exec(getAttribute(element, name) ?? '')?.[1];
    return text === undefined ? undefined : Number(text);
  });
  return width === undefined || height === undefined ? undefined : { width, height };
}

const styled = (element: Element, baseUrl: string): Load[] =>
  findLoadsInStyles(
    element.tagName === 'style' ? getText(element) : (getAttribute(element, 'style') ?? ''),
    baseUrl,
  );

const MAX_STYLES = 500_000;
const REFERENCE =
  /(@import\s+(?:url\(\s*)?|url\(\s*)["']?((?:https?:)?\/\/[^"'()\s;]{3,2048})|(@import\s+(?:url\(\s*)?)["']?([^"'()\s;]{1,2048})/gi;
const FONT = /\.(woff2?|ttf|otf|eot)$/i;

/** URLs that style rules load. Only `@import` is read with relative URLs; others are first-party. */
function findLoadsInStyles(styles: string, baseUrl: string): Load[] {
  return Array.from(styles.slice(0, MAX_STYLES).matchAll(REFERENCE), (match) => {
    const url = toWebUrl(match[2] ?? match[4], baseUrl);
    const isImport = /^@import/i.test(match[0]);
    return url
      ? { kind: getKind(url, isImport), url, method: 'GET', blockedUntilConsent: false }
      : undefined;
  }).filter((load) => load !== undefined);
}

function getKind(url: string, isImport: boolean): Load['kind'] {
  if (isImport) return 'style';
  return FONT.test(new URL(url).pathname) ? 'font' : 'image';
}
