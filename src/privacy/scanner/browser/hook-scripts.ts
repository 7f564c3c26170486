import { type Identity, identityScript, WINDOW_SCRIPT } from './identity.ts';
import { PAGE_CLOCK } from './page-clock.ts';

/** Scripts that run before those of a document or worker, as text, because this project has no DOM types. */

/** The isolated world of our scripts, in every frame. */
export const ISOLATED_WORLD = 'pavis';

/**
 * Runs in the isolated world before the scripts of a document. Collects the reports of the hooks until they are read.
 * A CDP binding would also report all console messages of the page.
 */
export const listenScript = (event: string): string => `(() => {
  for (const [list, type] of [['cookieReports', '${event}'], ['storageReports', '${event}stored']]) {
    const reports = (globalThis[list] = []);
    addEventListener(type, ({ detail }) => {
      if (reports.length < 500) reports.push(String(detail).slice(0, 8192));
    });
  }
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
  globalThis.leave = () => dispatchEvent(new CustomEvent('${event}leave'));
})();`;

/**
 * Runs in the page before its scripts. Reports who sets cookies and stores keys (without values), controls the clock,
 * and removes APIs that bypass the proxy.
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
  addEventListener('${event}leave', () => {
    for (const [name, value] of [['visibilityState', 'hidden'], ['hidden', true]])
      Object.defineProperty(document, name, { configurable: true, get: () => value });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    dispatchEvent.call(globalThis, new PageTransitionEvent('pagehide'));
  });
  const setter = () => {
    const lines = String(new Error().stack).split('\\n').slice(1);
    for (const line of lines) {
      const [, url] = /(https?:\\/\\/[^\\s)]+?)(?::\\d+){1,2}\\)?$/.exec(line) ?? [];
      if (url) return url.slice(0, 2048);
    }
  };
  // An empty frame and one with \`srcdoc\` set cookies of the document that holds them. Its base may be elsewhere.
  const address = () =>
    /^https?:/.test(location.href) ? location.href
      : document.baseURI.startsWith(origin + '/') ? document.baseURI : origin;
  const report = (type, what) => {
    try {
      dispatchEvent.call(globalThis, new CustomEvent(type, { detail: stringify({
        at: today(),
        by: setter(),
        url: address().slice(0, 2048),
        ...what,
      }) }));
    } catch {}
  };
  const tell = (name, attributes) => report('${event}', {
    line: String(name).slice(0, 256) + '=x' + String(attributes).slice(0, 1024),
  });
  // Scripts may write the same key many times a second.
  const STORED_AGAIN_MS = 500;
  const stored = new Map();
  const area = Object.getOwnPropertyDescriptor(globalThis, 'localStorage')?.get;
  Storage.prototype.setItem = new Proxy(Storage.prototype.setItem, { apply(set, self, args) {
    const done = apply(set, self, args);
    try {
      const of = self === area.call(globalThis) ? 'local' : 'session';
      const name = String(args[0]).slice(0, 256);
      const last = stored.get(of + name);
      if (!(time() - last < STORED_AGAIN_MS) && stored.size < 500) {
        stored.set(of + name, time());
        report('${event}stored', { area: of, name, origin });
      }
    } catch {}
    return done;
  } });
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
 * Runs in a worker before its script. Controls its clock from the first use of a timer, and sets the identity of the
 * page.
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

/** Runs before the scripts of a page or worker. Global Privacy Control (W3C), "The GPC DOM property". */
export const GPC_SCRIPT = `
Object.defineProperty((globalThis.Navigator ?? WorkerNavigator).prototype, 'globalPrivacyControl', {
  configurable: true, enumerable: true, get: () => true,
});`;
