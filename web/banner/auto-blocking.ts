import { readChoice } from './choice.ts';
import type { Consent } from './consent.ts';

/** A registered address: host, path and query, of which the beginning counts. `off`: a frame has no placeholder. */
type Rule = [category: string, address: string, method?: 'frame' | 'off'];

interface Served {
  /** The longest addresses first. */
  rules: Rule[];
  /** The oldest banner version to which consent is still valid. */
  since: number;
}

/** The server replaces this with the active script registry. */
const SERVED = '#blocking-rules' as unknown as Partial<Served>;

/** Requests and images without a place in the page that wait for a choice. */
const QUEUE_MAX = 100;

interface HeldRequest {
  category: string;
  send(): unknown;
  fail?: () => unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: the functions of the page have parameters of all types
type Any = any;

/**
 * Called before a native function.
 * @param parameters may be changed
 * @returns a list with the result that replaces that of the native function
 */
type Handler = (
  self: Any,
  parameters: Any[],
  native: (...all: Any[]) => Any,
) => [unknown?] | undefined;

export interface AutoBlocking {
  /** Blocks an element with a registered address, as the guide has blocked tags. */
  block(tag: Element): void;
  /** Blocks the tags with registered addresses in HTML. */
  rewrite(html: string): string;
  /** Whether frames in the page have to be blocked. */
  hasFrames: boolean;
}

const ATTRIBUTES = `(?:"[^"]*"|'[^']*'|[^'">])*>`;
/** The text of scripts and comments is left as it is. */
const TAGS = RegExp(
  `(<script\\b${ATTRIBUTES})(.*?)(?=</script|$)|<!--.*?-->|<(?:iframe|img|link)\\b${ATTRIBUTES}`,
  'gis',
);
const LOADING = 'script,iframe,img,link';

// Before they are replaced.
const { setAttribute, removeAttribute } = Element.prototype;

/** Sets an attribute even if its address is blocked. */
export const setNatively = (tag: Element, name: string, value: string): void =>
  setAttribute.call(tag, name, value);

/**
 * Stops what registered third parties load before their category is accepted.
 * @param update handles a blocked element in the page
 * @returns undefined if nothing is registered or all of it is accepted
 */
export function startAutoBlocking(
  consent: Consent,
  update: (tag: HTMLElement) => void,
): AutoBlocking | undefined {
  const { rules = [], since = 0 } = SERVED;
  const { globalPrivacyControl: gpc } = navigator as { globalPrivacyControl?: boolean };
  const choice = readChoice();
  // Known before the status, so that a visitor who has consented does not wait.
  const stored =
    choice && choice.version >= since && (!gpc || choice.gpc) ? choice.categories_accepted : [];
  let isReady = false;
  const has = (category: string) => (isReady ? consent.has(category) : stored.includes(category));
  const blocked = rules.filter(([category]) => !has(category));
  if (!blocked[0]) return;

  const queue: HeldRequest[] = [];
  /** Sends a request after consent. Fails after a rejection, as if the network was down. */
  function hold(request: HeldRequest): void {
    const isDecided = isReady && !consent.mustAsk;
    if (has(request.category)) request.send();
    else if (isDecided || queue.length >= QUEUE_MAX) setTimeout(() => request.fail?.());
    else queue.push(request);
  }
  const release = () => queue.splice(0).forEach(hold);
  void consent.ready.then(() => {
    isReady = true;
    release();
    consent.onChange(release);
  });

  /** @throws TypeError if it is no address */
  function findRule(url: unknown): Rule | undefined {
    const { host, pathname, search } = new URL(url as string, document.baseURI);
    const rule = rules.find(([, address]) => (host + pathname + search).startsWith(address));
    return rule && !has(rule[0]) ? rule : undefined;
  }

  const nameAddress = (tag: Element) => (tag.localName === 'link' ? 'href' : 'src');

  function blockAddress(tag: Element, source: string): boolean {
    const [category, , method] = findRule(source) ?? [];
    if (!category) return false;
    setNatively(tag, 'data-pavis-category', category);
    if (tag instanceof HTMLScriptElement) {
      if (tag.type !== 'text/plain') setNatively(tag, 'data-type', tag.type);
      setNatively(tag, 'type', 'text/plain');
      return true;
    }
    setNatively(tag, 'data-src', source);
    if (method === 'off') setNatively(tag, 'data-placeholder', 'off');
    removeAttribute.call(tag, nameAddress(tag));
    return true;
  }

  function block(tag: Element): boolean {
    const source = tag.matches(LOADING) && tag.getAttribute(nameAddress(tag));
    const isPrepared = tag instanceof HTMLScriptElement && tag.type === 'text/plain';
    return !!source && !isPrepared && blockAddress(tag, source);
  }

  function rewriteTag(markup: string): string {
    const tag = new DOMParser().parseFromString(markup, 'text/html').querySelector(LOADING);
    return tag && block(tag) ? tag.outerHTML.replace(/<\/\w+>$/, '') : markup;
  }
  const rewrite = (html: string) =>
    html.replace(TAGS, (all, script, text) =>
      script ? rewriteTag(script) + text : all[1] === '!' ? all : rewriteTag(all),
    );

  const onHtml: Handler = (_self, parameters) => {
    parameters.forEach((each, index) => {
      // Others are trusted types, which are not replaced by a string.
      if (typeof each === 'string' && each.includes('<')) parameters[index] = rewrite(each);
    });
  };

  const onAddress: Handler = (tag, [value]) => {
    const wasBlocked = tag.dataset.pavisCategory;
    const isScript = tag instanceof HTMLScriptElement;
    if (!blockAddress(tag, String(value))) {
      if (wasBlocked && isScript) setNatively(tag, 'type', tag.dataset.type as string);
      else if (wasBlocked) removeAttribute.call(tag, 'data-src');
      return;
    }
    if (isScript) return;
    if (tag.isConnected) update(tag);
    else if (tag instanceof HTMLImageElement) {
      hold({
        category: tag.dataset.pavisCategory as string,
        send: () => update(tag),
        fail: () => tag.dispatchEvent(new Event('error')),
      });
    }
    return [];
  };

  const onType: Handler = (tag, [value]) => {
    if (tag.type !== 'text/plain' || !tag.dataset.pavisCategory) return;
    setNatively(tag, 'data-type', value);
    return [];
  };

  const addresses = new WeakMap<XMLHttpRequest, [address: string, isSync: boolean]>();

  patch(Element.prototype, 'setAttribute', (tag, [name, value], native) => {
    if (!tag.matches(LOADING)) return;
    const attribute = String(name).toLowerCase();
    if (attribute === nameAddress(tag)) return onAddress(tag, [value], native);
    if (attribute === 'type') return onType(tag, [value], native);
  });
  for (const { prototype } of [HTMLScriptElement, HTMLIFrameElement, HTMLImageElement])
    patch(prototype, 'src', onAddress);
  patch(HTMLLinkElement.prototype, 'href', onAddress);
  patch(HTMLScriptElement.prototype, 'type', onType);
  for (const name of ['innerHTML', 'outerHTML', 'insertAdjacentHTML'])
    patch(Element.prototype, name, onHtml);
  patch(ShadowRoot.prototype, 'innerHTML', onHtml);
  patch(Range.prototype, 'createContextualFragment', onHtml);
  for (const name of ['write', 'writeln']) patch(Document.prototype, name, onHtml);

  patch(window, 'fetch', (_self, parameters, native) => {
    const [input] = parameters;
    const rule = findRule(input.url ?? input);
    if (!rule) return;
    return [
      new Promise((resolve, reject) =>
        hold({
          category: rule[0],
          send: () => resolve(native(...parameters)),
          fail: () => reject(new TypeError('Failed to fetch')),
        }),
      ),
    ];
  });
  patch(Navigator.prototype, 'sendBeacon', (self, parameters, native) => {
    const rule = findRule(parameters[0]);
    if (!rule) return;
    hold({ category: rule[0], send: () => native.apply(self, parameters) });
    return [true];
  });
  const { open } = XMLHttpRequest.prototype;
  patch(XMLHttpRequest.prototype, 'open', (self, [, address, isAsync]) => {
    addresses.set(self, [address, isAsync === false]);
  });
  patch(XMLHttpRequest.prototype, 'send', (self, parameters, native) => {
    const [address, isSync] = addresses.get(self) ?? [];
    const rule = findRule(address);
    if (!rule) return;
    // A request that fails without the network.
    const toNowhere = () => open.call(self, 'GET', 'blob:', !isSync);
    if (isSync) {
      toNowhere();
      return;
    }
    hold({
      category: rule[0],
      send: () => native.apply(self, parameters),
      fail: () => {
        toNowhere();
        native.call(self);
      },
    });
    return [];
  });

  return { block, rewrite, hasFrames: blocked.some(([, , method]) => method === 'frame') };
}

/** Replaces a function or a setter by one that looks the same to the page. It never throws what the native does not. */
function patch(target: object, name: string, handle: Handler): void {
  const descriptor = Object.getOwnPropertyDescriptor(target, name);
  const key = descriptor?.set ? 'set' : 'value';
  if (!descriptor?.[key]) return;
  const proxy = new Proxy(descriptor[key], {
    apply(native, self, parameters) {
      try {
        const result = handle(self, parameters, native);
        if (result) return result[0];
      } catch {}
      return Reflect.apply(native, self, parameters);
    },
  });
  Object.defineProperty(target, name, { ...descriptor, [key]: proxy });
}
