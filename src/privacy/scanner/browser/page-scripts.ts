import { PAGE_CLOCK, type Pending } from './page-clock.ts';

/**
 * What runs within the page, as text, since this side of the house has no DOM. All but the hook run
 * in a world of their own: they see the page's elements, and the page's scripts do not see them.
 */

/** Walks a document with its open shadow roots. Closed ones stay closed to us as to anybody. */
const WALK = `
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
export const OUR_WORLD = 'pavis';

/**
 * In our world, before any script of a document: keeps what the hook calls out until it is read.
 * Not by a binding of the browser's, which would want to tell us all that the page logs, too.
 */
export const listenScript = (event: string): string => `(() => {
  const reports = (globalThis.cookieReports = []);
  addEventListener('${event}', ({ detail }) => {
    if (reports.length < 500) reports.push(String(detail).slice(0, 8192));
  });
  globalThis.advance = (ms) => new Promise((resolve) => {
    addEventListener('${event}left', ({ detail }) => resolve(JSON.parse(detail)), { once: true });
    // Where no script may run nobody takes it, and nothing is pending.
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
      set(text) {
        const line = String(text);
        const end = (line + ';').indexOf(';');
        const equals = line.slice(0, end).indexOf('=');
        if (equals > 0) tell(line.slice(0, equals), line.slice(end));
        return cookie.set.call(this, line);
      },
    });
  }
  const store = globalThis.CookieStore?.prototype;
  if (store?.set) {
    const set = store.set;
    store.set = function (first, value) {
      const { name, domain, path, expires, sameSite } =
        typeof first === 'object' && first ? first : { name: first };
      const until = expires && new Date(expires);
      tell(name, (domain ? ';domain=' + domain : '') + ';path=' + (path ?? '/') + ';secure' +
        ';samesite=' + (sameSite ?? 'strict') +
        (until && !isNaN(until) ? ';expires=' + until.toUTCString() : ''));
      return set.apply(this, arguments);
    };
  }
})();`;

/**
 * In a worker, before its script, when there is nothing of its world yet: keeps its clock from when a
 * timer is first wanted, under a name that only we know.
 */
export const workerScript = (event: string): string => `(() => {
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

/** Has a frame's timers come, and finishes its animations; as {@link FrameRest} once nothing else is to be done at once. */
export const rest = (ms: number): string => `(async () => {${DRAWN}
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

export interface FrameRest extends Pending {
  /** A film or a sound. */
  playing: boolean;
}

/** Once what a turn of the wheel has caused is drawn: whether anything has moved, or a frame may have. */
export const SCROLLED = `(async () => {${DRAWN}
  let moved = false;
  const onScroll = () => { moved = true; };
  addEventListener('scroll', onScroll, { capture: true, passive: true });
  await drawn();
  // What has come into sight is told of after the picture.
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

/** The buttons of well-known consent banners. */
const ACCEPT_SELECTORS = [
  '#onetrust-accept-btn-handler',
  '#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll',
  '#CybotCookiebotDialogBodyButtonAccept',
  '#didomi-notice-agree-button',
  '[data-testid="uc-accept-all-button"]',
  '#uc-btn-accept-banner',
  '.cky-btn-accept',
  '.cmplz-btn.cmplz-accept',
  '.cmpboxbtnyes',
  '.iubenda-cs-accept-btn',
  '#truste-consent-button',
  '.osano-cm-accept-all',
  '#axeptio_btn_acceptAll',
  '#tarteaucitronPersonalize2',
  '#cookiescript_accept',
  '[data-cookiefirst-action="accept"]',
  '[data-tid="banner-accept"]',
  '#wt-cli-accept-all-btn',
  '#cn-accept-cookie',
  '.moove-gdpr-infobar-allow-all',
  '.fc-cta-consent',
  '.sp_choice_type_11',
  '.qc-cmp2-summary-buttons button[mode="primary"]',
  '#c-p-bn',
  '#cm [data-role="all"]',
  '.klaro .cm-btn-success-var',
];

/** In English, German, French, Spanish, Italian, Dutch, Portuguese and Polish; best first. */
const ACCEPT_TEXTS = [
  [
    '(yes,? )?(i )?(accept|allow|agree to|enable) all( .{0,24})?',
    'alle[sn]? (cookies )?(akzeptieren|zulassen|erlauben|annehmen)( .{0,24})?|allem? zustimmen',
    '(tout|tous) accepter( .{0,24})?|(tout|tous) autoriser|accepter (tout|tous)( .{0,24})?',
    '(aceptar|permitir|acepto) tod[oa]s?( .{0,24})?',
    '(accetta|accettare|accetto|consenti) (tutt[oi])( .{0,24})?',
    'alles? (cookies )?(accepteren|toestaan)|accepteer alles?( .{0,24})?',
    '(aceitar|permitir|aceito) tud?o?(todos)?( .{0,24})?|aceitar todos( .{0,24})?',
    '(za)?akceptuj(ę)? wszystk(o|ie)( .{0,24})?|zezwól na wszystkie( .{0,24})?',
  ],
  [
    '(yes,? )?(i )?(accept|agree|allow|consent)( (the )?cookies)?( (and|&) .{0,24})?',
    '(cookies )?(akzeptieren|zulassen|zustimmen|annehmen)( (und|&) .{0,24})?|ich (akzeptiere|stimme zu)|einverstanden',
    "(j'|j’)accepte( .{0,24})?|accepter( (les )?cookies)?( (et|&) .{0,24})?|autoriser",
    'acepto|aceptar( (las )?cookies)?( (y|&) .{0,24})?',
    'accetto|accetta( (i )?cookie)?( (e|&) .{0,24})?|acconsento',
    '(cookies )?(accepteren|toestaan)|akkoord( (en|&) .{0,24})?|ik ga akkoord',
    'aceito|aceitar( (os )?cookies)?( (e|&) .{0,24})?|concordo',
    '(za)?akceptuj(ę)?( .{0,24})?|zgadzam się( .{0,24})?',
  ],
  ['ok(ay)?|got it|understood|verstanden|compris|entendido|ho capito|begrepen|entendi|rozumiem'],
];

/**
 * Finds the button that agrees to everything and says where to click, as {@link AcceptButton}.
 * By its text only within something that speaks of cookies or privacy, and never one that sends a
 * form with fields or leads to another page.
 */
export const FIND_ACCEPT = `(() => {${WALK}
  const ranks = ${JSON.stringify(ACCEPT_TEXTS)}.map((texts) => new RegExp('^(?:' + texts.join('|') + ')$'));
  const TOPIC = /cookie|consent|privacy|gdpr|dsgvo|rgpd|tracking|datenschutz|einwilligung|données|confidentialité|privacidad|consentimiento|consenso|toestemming|privacidade|prywatno|zgod/i;
  const shown = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 1 && height > 1 && !element.disabled &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const harmless = (element) => {
    const link = element.closest('a[href]');
    if (link && link.href.split('#')[0] !== location.href.split('#')[0] &&
      !link.href.startsWith('javascript:')) return false;
    return !element.form?.querySelector('input:not([type=hidden],[type=checkbox],[type=radio],[type=submit],[type=button]), textarea, select');
  };
  const onTopic = (element) => {
    for (let up = element, level = 0; up && up !== document.body && level < 10; level++) {
      const text = up.textContent ?? '';
      if (text.length > 6000) return false;
      if (TOPIC.test(text) || TOPIC.test(up.id ?? '') || TOPIC.test(String(up.className ?? ''))) return true;
      up = up.parentElement ?? up.getRootNode().host;
    }
    return false;
  };
  const textOf = (element) =>
    (element.innerText || element.value || element.getAttribute('aria-label') || '')
      .toLowerCase().replace(/\\s+/g, ' ').replace(/^[^\\p{L}]+|[^\\p{L}]+$/gu, '');
  let found = ${JSON.stringify(ACCEPT_SELECTORS)}.flatMap((selector) => all(selector)).find(shown);
  if (!found) {
    const buttons = all('button, [role=button], a, input[type=button], input[type=submit]')
      .slice(0, 2000).filter((element) => textOf(element).length < 60);
    for (const rank of ranks) {
      found = buttons.find((element) =>
        rank.test(textOf(element)) && shown(element) && harmless(element) && onTopic(element));
      if (found) break;
    }
  }
  if (!found) return null;
  found.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  const { left, top, width, height } = found.getBoundingClientRect();
  const x = left + width / 2, y = top + height / 2;
  let hit = document.elementFromPoint(x, y);
  for (let inner; (inner = hit?.shadowRoot?.elementFromPoint(x, y)) && inner !== hit; ) hit = inner;
  globalThis.acceptButton = found;
  return { x, y, free: hit !== null && (found.contains(hit) || hit.contains(found)) };
})()`;

/** Where a mouse would hit it; not `free` when something lies on top. */
export interface AcceptButton {
  x: number;
  y: number;
  free: boolean;
}

/** In the world in which it was found, for a frame whose place on the screen we do not know. */
export const CLICK_ACCEPT = 'globalThis.acceptButton?.click()';
