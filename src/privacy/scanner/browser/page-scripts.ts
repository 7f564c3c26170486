import { type Identity, identityScript, WINDOW_SCRIPT } from './identity.ts';
import { PAGE_CLOCK, type PendingWork } from './page-clock.ts';

/**
 * What runs within the page, as text, since this side of the house has no DOM. All but the hook run
 * in a world of their own: they see the page's elements, and the page's scripts do not see them.
 */

/** Collects a document and its open shadow roots. */
export const WALK = `
  const roots = [document];
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const ELEMENTS_MAX = 20000;
  let seen = 0;
  for (let at = 0; at < roots.length && at < 200; at++) {
    for (const element of roots[at].querySelectorAll('*')) {
      if (++seen > ELEMENTS_MAX) break;
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }`;

/** The next picture, or none within half a second. */
const DRAWN = `
  const drawn = () => new Promise((resolve) => {
    requestAnimationFrame(resolve);
    setTimeout(resolve, 500);
  });`;

/** The world in which all but the hook run, in every frame. */
export const ISOLATED_WORLD = 'pavis';

/**
 * In our world, before any script of a document: keeps what the hook calls out until it is read.
 * Not by a binding of the browser's, which would want to tell us all that the page logs, too.
 */
export const listenScript = (event: string): string => `(() => {
  const reports = (globalThis.cookieReports = []);
  addEventListener('${event}', ({ detail }) => {
    if (reports.length < 500) reports.push(String(detail).slice(0, 8192));
  });
  // A real click reaches the accept button that was chosen, or nothing: whatever the page has put in
  // its place meanwhile. First in line, as nothing of the page has run yet.
  const isMeant = (event) => {
    const path = event.composedPath();
    const at = path.indexOf(globalThis.accept?.element);
    return at >= 0 && globalThis.accept.mayPress() &&
      path.slice(0, at).every((inner) => !inner.matches?.('a, button, input, select, textarea, label, iframe'));
  };
  for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick']) {
    addEventListener(type, (event) => {
      if (!event.isTrusted) return;
      if (isMeant(event)) {
        if (type === 'click') globalThis.accept.isPressed = true;
        return;
      }
      event.stopImmediatePropagation();
      event.preventDefault();
    }, { capture: true });
  }
  // What the button's own scripts make of the click may not send a form either.
  addEventListener('submit', (event) => {
    if (globalThis.accept) event.preventDefault();
  }, { capture: true });
  globalThis.advance = (ms) => new Promise((resolve) => {
    addEventListener('${event}left', ({ detail }) => resolve(JSON.parse(detail)), { once: true });
    // Without scripts in the page there is no listener and nothing is pending.
    const go = new CustomEvent('${event}go', { detail: ms, cancelable: true });
    if (dispatchEvent(go)) resolve({ drawing: false });
  });
})();`;

/**
 * In the page's world, before any script of a document: calls out who sets a cookie (the value stays
 * where it is), keeps the page's clock, and takes away what talks past the proxy.
 */
export const hookScript = (event: string): string => `(() => {
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) {
    delete globalThis[name];
  }
  ${WINDOW_SCRIPT}
  const { dispatchEvent, CustomEvent } = globalThis;
  const { preventDefault } = Event.prototype;
  const { now: today } = Date;
  const { stringify } = JSON;
  ${PAGE_CLOCK}
  addEventListener('${event}go', (event) => {
    apply(preventDefault, event, []);
    advance(Number(event.detail)).then((left) => {
      dispatchEvent.call(globalThis, new CustomEvent('${event}left', { detail: stringify(left) }));
    });
  });
  const setter = () => {
    const lines = String(new Error().stack).split('\\n').slice(1);
    for (const line of lines) {
      const [, url] = /(https?:\\/\\/[^\\s)]+?)(?::\\d+){1,2}\\)?$/.exec(line) ?? [];
      if (url) return url.slice(0, 2048);
    }
  };
  const tell = (name, attributes) => {
    try {
      dispatchEvent.call(globalThis, new CustomEvent('${event}', { detail: stringify({
        at: today(),
        line: String(name).slice(0, 256) + '=x' + String(attributes).slice(0, 1024),
        by: setter(),
        url: location.href.slice(0, 2048),
      }) }));
    } catch {}
  };
  const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  if (cookie?.set && cookie.configurable) {
    Object.defineProperty(Document.prototype, 'cookie', {
      ...cookie,
      set: new Proxy(cookie.set, { apply(set, self, [text]) {
        const line = toRealExpiry(String(text));
        const end = (line + ';').indexOf(';');
        const equals = line.slice(0, end).indexOf('=');
        if (equals > 0) tell(line.slice(0, equals), line.slice(end));
        return apply(set, self, [line]);
      } }),
    });
  }
  const store = globalThis.CookieStore?.prototype;
  if (store?.set) {
    store.set = new Proxy(store.set, { apply(set, self, args) {
      const [first] = args;
      if (skipped > 0 && typeof first === 'object' && first?.expires > 0) {
        args[0] = { ...first, expires: Math.max(1, first.expires - skipped) };
      }
      const { name, domain, path, expires, sameSite } =
        typeof first === 'object' && first ? args[0] : { name: first };
      const until = expires && new Date(expires);
      tell(name, (domain ? ';domain=' + domain : '') + ';path=' + (path ?? '/') + ';secure' +
        ';samesite=' + (sameSite ?? 'strict') +
        (until && !isNaN(until) ? ';expires=' + until.toUTCString() : ''));
      return apply(set, self, args);
    } });
    store.delete = new Proxy(store.delete, { apply(remove, self, args) {
      const [first] = args;
      const { name, domain } = typeof first === 'object' && first ? first : { name: first };
      tell(name, (domain ? ';domain=' + domain : '') + ';max-age=0');
      return apply(remove, self, args);
    } });
  }
})();`;

/**
 * In a worker, before its script, when there is nothing of its world yet: keeps its clock from when a
 * timer is first wanted, under a name that only we know, and gives it the page's identity.
 */
export const workerScript = (event: string, identity: Identity): string => `(() => {
  ${identityScript(identity)}
  const names = ['setTimeout', 'setInterval'];
  const install = () => {
    for (const name of names) delete globalThis[name];
    ${PAGE_CLOCK}
    Object.defineProperty(globalThis, '${event}', { value: advance });
  };
  for (const name of names) {
    Object.defineProperty(globalThis, name, {
      configurable: true,
      get() { install(); return globalThis[name]; },
      set(value) { install(); globalThis[name] = value; },
    });
  }
})();`;

/** Has a frame's timers come, and finishes its animations; as {@link FrameIdleState} once nothing else is to be done at once. */
export const readIdleState = (ms: number): string => `(async () => {${DRAWN}
  const pending = (await globalThis.advance?.(${ms})) ?? { drawing: false };
  const ends = document.getAnimations().filter(({ playState, timeline, effect }) =>
    playState === 'running' && timeline === document.timeline &&
    effect?.getComputedTiming().endTime <= 10000);
  for (const animation of ends) animation.finish();
  if (ends.length > 0) await drawn();
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 300 }));
  const playing = [...document.querySelectorAll('video, audio')]
    .some(({ paused, ended }) => !paused && !ended);
  return { ...pending, playing };
})()`;

export interface FrameIdleState extends PendingWork {
  /** A film or a sound. */
  playing: boolean;
}

/** Resolves after rendering with whether anything scrolled, or a frame may have. */
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

/** What one frame holds, as {@link FrameReading}. */
export const READ_FRAME = `(() => {${WALK}
  const keys = (area) => {
    try { return Object.keys(globalThis[area]).slice(0, 200).map((key) => key.slice(0, 256)); }
    catch { return []; }
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
  const html = [page.documentElement?.outerHTML ?? '', ...shadows.map((root) => root.innerHTML)]
    .join('\\n');
  return {
    url: location.href,
    origin: origin,
    base: document.baseURI,
    html: html.slice(0, HTML_MAX),
    images: [...images.values()],
    local: keys('localStorage'),
    session: keys('sessionStorage'),
    cookieReports: globalThis.cookieReports?.splice(0) ?? [],
  };
})()`;

export interface FrameReading {
  url: string;
  origin: string;
  base: string;
  /** The document as it stands now, then its shadow roots. */
  html: string;
  images: { url: string; width: number; height: number; visible: boolean }[];
  /** Keys of `localStorage`, never values. */
  local: string[];
  session: string[];
  /** What the hook has called out since the last reading. */
  cookieReports: string[];
}

/** The IndexedDB databases of one frame, as {@link FrameDatabases}. Apart from the rest, since the browser may take long to name them. */
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
