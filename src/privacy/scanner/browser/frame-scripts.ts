import type { PendingWork } from './page-clock.ts';

/** Expressions that run in a frame, in an isolated world: the page's scripts do not see them. */

/** Collects a document and its shadow roots: the open ones, and closed ones that were revealed. */
export const WALK = `
  const roots = [document, ...globalThis.closedRoots ?? []];
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const ELEMENTS_MAX = 20000;
  let seen = 0;
  for (let at = 0; at < roots.length && at < 200; at++) {
    for (const element of roots[at].querySelectorAll('*')) {
      if (++seen > ELEMENTS_MAX) break;
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }`;

const NO_WALK = 'const roots = [], all = () => [];';

/** Resolves after rendering, or within half a second. */
const DRAWN = `
  const drawn = () => new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 500);
  });`;

/** Resolves once the page is shown as it is now. */
export const PAINTED =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Runs the timers of a frame and finishes its animations. Returns {@link FrameIdleState} once the frame is idle. */
export const readIdleState = (ms: number): string => `(async () => {${DRAWN}${WALK}
  const pending = (await globalThis.advance?.(${ms})) ?? { drawing: false };
  const animations = roots.flatMap((root) => root.getAnimations());
  const ends = animations.filter(({ playState, timeline, effect }) =>
    playState === 'running' && timeline === document.timeline &&
    effect?.getComputedTiming().endTime <= 10000);
  for (const animation of ends) animation.finish();
  if (ends.length > 0) await drawn();
  // After a focus, Chromium reports no idle time until it has rendered again.
  requestAnimationFrame(() => {});
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 300 }));
  const playing = [...document.querySelectorAll('video, audio')]
    .some(({ paused, ended }) => !paused && !ended);
  return { ...pending, playing };
})()`;

export interface FrameIdleState extends PendingWork {
  /** Plays video or audio. */
  playing: boolean;
}

/** Resolves after rendering with whether an element, or possibly a frame, has scrolled. */
export const SCROLLED = `(async () => {${DRAWN}
  let moved = false;
  const onScroll = () => { moved = true; };
  addEventListener('scroll', onScroll, { capture: true, passive: true });
  await drawn();
  // Intersection observers run after rendering.
  await new Promise((resolve) => setTimeout(resolve));
  removeEventListener('scroll', onScroll, { capture: true });
  return { moved: moved || document.elementFromPoint(640, 420)?.tagName === 'IFRAME' };
})()`;

/**
 * Returns {@link FrameReading}.
 * @param detail `documents`: all of it, `frames`: without the documents themselves, `stored`: only what is stored
 */
export const readFrame = (
  detail: FrameDetail,
): string => `(() => {${detail === 'stored' ? NO_WALK : WALK}
  const fingerprints = {};
  const fingerprint = (text) => {
    let hash = text.length;
    for (const character of text.slice(0, 4096)) hash = (hash * 31 + character.codePointAt(0)) | 0;
    return hash;
  };
  const keys = (area) => {
    try {
      return Object.keys(globalThis[area + 'Storage']).slice(0, 200).map((key) => {
        const name = key.slice(0, 256);
        fingerprints[area + ' ' + name] = fingerprint(globalThis[area + 'Storage'].getItem(key));
        return name;
      });
    } catch { return []; }
  };
  const images = new Map();
  const see = (url, element) => {
    if (!/^https?:/.test(url) || images.size >= 500) return;
    const { width, height } = element.getBoundingClientRect();
    const visible = width > 0 && height > 0 &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!images.has(url) || visible) images.set(url, { url, width, height, visible });
  };
  for (const image of all('img, input[type=image]')) see(image.currentSrc || image.src, image);
  for (const element of all('*').slice(0, 5000)) {
    const background = getComputedStyle(element).backgroundImage;
    for (const [, url] of background.matchAll(/url\\("([^"]+)"\\)/g)) see(url, element);
  }
  const HTML_MAX = 1000000;
  const [page, ...shadows] = roots;
  const html = ${detail !== 'documents'} ? '' : [page.documentElement?.outerHTML ?? '', ...shadows.map((root) => root.innerHTML)]
    .join('\\n');
  return {
    url: location.href,
    origin: origin,
    base: document.baseURI,
    html: html.slice(0, HTML_MAX),
    images: [...images.values()],
    local: keys('local'),
    session: keys('session'),
    fingerprints,
    cookieReports: globalThis.cookieReports?.splice(0) ?? [],
    storageReports: globalThis.storageReports?.splice(0) ?? [],
  };
})()`;

export type FrameDetail = 'documents' | 'frames' | 'stored';

export interface FrameReading {
  url: string;
  origin: string;
  base: string;
  /** The current document, then its shadow roots; empty if it was not asked for. */
  html: string;
  images: { url: string; width: number; height: number; visible: boolean }[];
  /** Keys of `localStorage`, never values. */
  local: string[];
  session: string[];
  /** Numbers that change with the values, by area and key (`local _ga`). */
  fingerprints: Record<string, number>;
  /** Reports since the last reading. */
  cookieReports: string[];
  storageReports: string[];
}

/** Returns {@link FrameDatabases}. Separate, because the browser may be slow to list databases. */
export const READ_DATABASES = `indexedDB.databases().then((databases) => ({
  url: location.href,
  origin,
  names: databases.slice(0, 50).map(({ name }) => String(name).slice(0, 256)),
}))`;

export interface FrameDatabases {
  url: string;
  origin: string;
  names: string[];
}

/**
 * Resolves with the TCF consent string: of the banner's API (IAB Tech Lab, "Consent Management Platform API v2"),
 * otherwise as banners store it.
 */
export const READ_TC_STRING = `new Promise((resolve) => {
  const stored = () => {
    try {
      const [, cookie] = /(?:^|; )euconsent-v2=([^;]+)/.exec(document.cookie) ?? [];
      return cookie ?? localStorage.getItem('euconsent-v2') ?? localStorage.getItem('IABTCF_TCString') ?? '';
    } catch { return ''; }
  };
  const answer = (data, isOk) => resolve(String((isOk && data?.tcString) || stored()));
  if (typeof globalThis.__tcfapi !== 'function') { answer(); return; }
  setTimeout(answer, 300);
  try { globalThis.__tcfapi('getTCData', 2, answer); } catch { answer(); }
})`;
