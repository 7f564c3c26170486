import { TEXTS } from './texts.ts';

/** Times of the banner, in milliseconds since the start of the navigation. */
export interface Times {
  /** The first frame in which the accept button is within the window and not fully transparent. */
  visible: number | null;
  /** The first frame in which nothing of it is transparent any more. */
  opaque: number | null;
  /** The first contentful paint of the page. */
  paint: number | null;
  /** The sum of all layout shifts. */
  shift: number;
}

/** Functions for pages, because banners have texts in shadow roots. */
const FIND = `
  function* walk(root) {
    for (const each of root.querySelectorAll('*')) {
      yield each;
      if (each.shadowRoot) yield* walk(each.shadowRoot);
    }
  }
  const find = (text) => [...walk(document)].filter((each) =>
    each.matches('button, a, [role=button]') && each.textContent.trim() === text);
  const getOpacity = (at) => {
    let opacity = 1;
    for (let each = at; each; each = each.parentElement ?? each.getRootNode().host)
      opacity *= getComputedStyle(each).opacity;
    return opacity;
  };
  const isInWindow = (at) => {
    const { left, top, right, bottom, width } = at.getBoundingClientRect();
    return width > 0 && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight &&
      at.checkVisibility({ visibilityProperty: true });
  };`;

/** Runs before the page. */
export const WATCH = `(() => {
  ${FIND}
  const bench = (window.bench = { visible: null, opaque: null, shift: 0 });
  new PerformanceObserver((list) => list.getEntries().forEach(({ value }) => (bench.shift += value)))
    .observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(function look() {
    const seen = document.body ? find(${JSON.stringify(TEXTS.accept)}).filter(isInWindow) : [];
    const opacity = Math.max(0, ...seen.map(getOpacity));
    if (opacity > 0) bench.visible ??= performance.now();
    if (opacity > 0.99) bench.opaque ??= performance.now();
    if (bench.opaque === null) requestAnimationFrame(look);
  });
})()`;

export const READ = `({ ...bench, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null })`;

/** Which choices the first layer offers, and whether accept and reject look the same. */
export const OFFERS = `(() => {
  ${FIND}
  const get = (text) => find(text).find(isInWindow);
  const [accept, reject, manage] = ${JSON.stringify([TEXTS.accept, TEXTS.reject, TEXTS.manage])}.map(get);
  const describe = (at) => {
    const { color, backgroundColor, borderColor, fontSize, fontWeight } = getComputedStyle(at);
    const { height } = at.getBoundingClientRect();
    return [at.localName, color, backgroundColor, borderColor, fontSize, fontWeight, Math.round(height)].join();
  };
  return {
    offered: ['accept', 'reject', 'manage'].filter((_, at) => [accept, reject, manage][at]),
    isEqual: Boolean(accept && reject) && describe(accept) === describe(reject),
  };
})()`;

/** Presses a button of the banner, as the visitor would. */
export const press = (text: string): string => `(() => {
  ${FIND}
  find(${JSON.stringify(text)}).find(isInWindow).click();
})()`;
