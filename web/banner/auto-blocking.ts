import type { Consent } from './model.ts';
import { served } from './served.ts';
import type { Rule } from './wire.ts';

type HeldRequest = [category: string, send: () => unknown, fail?: () => unknown];

// biome-ignore lint/suspicious/noExplicitAny: the functions of the page have parameters of all types
type Any = any;

/**
 * Called before a native function.
 * @param parameters may be changed
 * @returns a list with the result that replaces that of the native function, or nothing
 */
type Handler = (
  self: Any,
  parameters: Any[],
  native: (...all: Any[]) => Any,
) => unknown[] | undefined;

export interface AutoBlocking {
  /** Blocks an element with a registered address, as the guide has blocked tags. */
  block(tag: Element): void;
  /** Blocks the tags with registered addresses in HTML. */
  rewrite(html: string): string;
  /** The rules of categories that are not accepted. */
  blocked: Rule[];
}

const ATTRIBUTES = `(?:"[^"]*"|'[^']*'|[^'">])*>`;
/** The text of scripts and comments is left as it is. */
const TAGS = RegExp(
  `(<script\\b${ATTRIBUTES})(.*?)(?=</script|$)|<!--.*?-->|<(?:iframe|img|link)\\b${ATTRIBUTES}`,
  'gis',
);
const LOADING = 'script,iframe,img,link';
export const PLAIN = 'text/plain';
const isPlain = (tag: Element) => (tag as HTMLScriptElement).type === PLAIN;

/** The attribute with the address of what an element loads. */
export const nameAddress = (tag: Element) => (tag.localName === 'link' ? 'href' : 'src');

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
  const { rules = [] } = served;
  const { has } = consent;
  let isReady = false;
  const blocked = rules.filter(([category]) => !has(category));
  if (!blocked[0]) return;

  /** Requests and images without a place in the page that wait for a choice: at most a hundred. */
  const queue: HeldRequest[] = [];
  /** Sends a request after consent. Fails after a rejection, as if the network was down. */
  function hold(...request: HeldRequest): void {
    const [category, send, fail] = request;
    if (has(category)) {
      try {
        send();
      } catch {}
    } else if ((isReady && !consent.mustAsk) || queue[99]) setTimeout(() => fail?.());
    else queue.push(request);
  }
  const release = () => {
    for (const request of queue.splice(0)) hold(...request);
  };
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

  const isScript = (tag: Element) => tag.localName === 'script';

  function blockAddress(tag: Element, source: string): boolean {
    const [category, , method] = findRule(source) ?? [];
    if (!category) return false;
    setNatively(tag, 'data-pavis-category', category);
    if (isScript(tag)) {
      if (!isPlain(tag)) setNatively(tag, 'data-type', (tag as HTMLScriptElement).type);
      setNatively(tag, 'type', PLAIN);
    } else {
      setNatively(tag, 'data-src', source);
      if (method === 'off') setNatively(tag, 'data-placeholder', method);
      removeAttribute.call(tag, nameAddress(tag));
    }
    return true;
  }

  function block(tag: Element): boolean {
    const source = tag.matches(LOADING) && !isPlain(tag) && tag.getAttribute(nameAddress(tag));
    return !!source && blockAddress(tag, source);
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
    const { pavisCategory, type } = tag.dataset;
    if (!blockAddress(tag, String(value))) {
      if (pavisCategory && isScript(tag)) setNatively(tag, 'type', type);
      else if (pavisCategory) removeAttribute.call(tag, 'data-src');
      return;
    }
    if (isScript(tag)) return;
    if (tag.isConnected) update(tag);
    else if (tag.localName === 'img') {
      const fail = () => tag.dispatchEvent(new Event('error'));
      hold(tag.dataset.pavisCategory, () => update(tag), fail);
    }
    return [];
  };

  const onType: Handler = (tag, [value]) => {
    if (!isPlain(tag) || !tag.dataset.pavisCategory) return;
    setNatively(tag, 'data-type', value);
    return [];
  };

  patch(Element.prototype, 'setAttribute', (tag, [name, value], native) => {
    if (!/^(src|href|type)$/i.test(name) || !tag.matches(LOADING)) return;
    return (/type/i.test(name) ? onType : onAddress)(tag, [value], native);
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

  const onFetch: Handler = (_self, [input, ...others], native) => {
    const rule = findRule(input.url ?? input);
    return (
      rule && [
        new Promise((resolve, reject) =>
          hold(
            rule[0],
            () => resolve(native(input, ...others)),
            () => reject(new TypeError('Failed to fetch')),
          ),
        ),
      ]
    );
  };
  const onBeacon: Handler = (self, parameters, native) => {
    const rule = findRule(parameters[0]);
    if (rule) hold(rule[0], () => native.apply(self, parameters));
    return rule && [true];
  };
  const opened = new WeakMap<XMLHttpRequest, unknown[]>();
  const xhr = XMLHttpRequest.prototype;
  const { open } = xhr;
  const onOpen: Handler = (self, parameters) => void opened.set(self, parameters);
  const onSend: Handler = (self, parameters, native) => {
    const request = opened.get(self) as unknown[];
    const rule = findRule(request[1]);
    const isAsync = request[2] !== false;
    // A request that fails without the network.
    const toNowhere = () => open.call(self, 'GET', 'blob:', isAsync);
    // The page may have opened it anew since.
    const ifCurrent = (work: () => unknown) => () => opened.get(self) === request && work();
    if (rule && isAsync)
      hold(
        rule[0],
        ifCurrent(() => native.apply(self, parameters)),
        ifCurrent(() => native.call(self, toNowhere())),
      );
    else if (rule) toNowhere();
    return rule && isAsync ? [] : undefined;
  };
  patch(window, 'fetch', onFetch);
  patch(Navigator.prototype, 'sendBeacon', onBeacon);
  patch(xhr, 'open', onOpen);
  patch(xhr, 'send', onSend);

  return { block, rewrite, blocked };
}

/** Replaces a function or a setter by one that looks the same to the page and throws only what the native one throws. */
function patch(target: object, name: string, handle: Handler): void {
  try {
    const descriptor = Object.getOwnPropertyDescriptor(target, name) as PropertyDescriptor;
    const key = descriptor.set ? 'set' : 'value';
    descriptor[key] = new Proxy(descriptor[key], {
      apply(native, self, parameters) {
        try {
          const result = handle(self, parameters, native);
          if (result) return result[0];
        } catch {}
        return Reflect.apply(native, self, parameters);
      },
    });
    Object.defineProperty(target, name, descriptor);
  } catch {
    // The browser lacks it, or the page has made it unchangeable.
  }
}
