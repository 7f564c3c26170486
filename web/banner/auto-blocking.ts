import type { Consent } from './model.ts';
import { type Handler, patch } from './patch.ts';
import { nameAddress, PLAIN } from './tag-address.ts';
import { TAGS } from './tags.ts';
import type { Rule } from './wire.ts';

type HeldRequest = [category: string, send: () => unknown, fail?: () => unknown];

export interface AutoBlocking {
  /** Blocks an element with a registered address, as the guide has blocked tags. */
  block(tag: HTMLElement): void;
  /** Blocks the tags with registered addresses in HTML. */
  rewrite(html: string): string;
  /** The rules of categories that are not accepted. */
  blocked: Rule[];
}

/** An address whose requests fail without the network. */
const NOWHERE = 'blob:';
const LOADING = 'script,iframe,img,link';
const isPlain = (tag: HTMLElement) => (tag as HTMLScriptElement).type === PLAIN;

/**
 * Stops what registered third parties load before their category is accepted. Part of the banner file only if the site
 * has registered some.
 * @param rules the longest addresses first
 * @param update handles a blocked element in the page
 * @param free handles one whose address is not blocked anymore
 * @param loaded addresses that are not blocked in these elements, for example since the visitor has loaded them once
 * @returns undefined if all is accepted
 */
export function startAutoBlocking(
  consent: Consent,
  rules: readonly Rule[],
  update: (tag: HTMLElement) => void,
  free: (tag: HTMLElement) => void,
  loaded: WeakMap<Element, string>,
): AutoBlocking | undefined {
  const { has } = consent;
  let isReady: true | undefined;
  const blocked = rules.filter(([category]) => !has(category));
  if (!blocked[0]) return;

  /** Requests and images without a place in the page that wait for a choice: at most a hundred. */
  const queue = new Set<HeldRequest>();
  /** Sends a request after consent. Fails after a rejection, as if the network was down. */
  function hold(request: HeldRequest): void {
    const [category, send, fail] = request;
    if (has(category)) {
      try {
        send();
      } catch {}
    } else if ((isReady && !consent.mustAsk) || queue.size > 99) setTimeout(fail ?? Object);
    else queue.add(request);
  }
  const release = () => {
    for (const request of [...queue]) {
      queue.delete(request);
      hold(request);
    }
  };
  void consent.ready.then(() => {
    isReady = true;
    release();
    consent.onChange(release);
  });

  function findRule(url: unknown): Rule | false | undefined {
    // Unlike the constructor of URL, it does not throw if the page has an address that is invalid.
    const { host, pathname, search } = Object.assign(document.createElement('a'), { href: url });
    const rule = rules.find(([, address]) => (host + pathname + search).startsWith(address));
    return rule && !has(rule[0]) && rule;
  }

  const isScript = (tag: Element) => tag.localName === 'script';

  /** @returns the category; undefined if the address is not blocked */
  function blockAddress(tag: HTMLElement, source: string): string | undefined {
    const [category, , method] = (loaded.get(tag) !== source && findRule(source)) || [];
    const { dataset } = tag;
    if (category) {
      dataset.pavisCategory = category;
      // An element without a parent was made by a script: those of HTML have one.
      dataset.pavisAuto ??= tag.parentNode ? '' : '1';
      if (isScript(tag)) {
        if (!isPlain(tag)) dataset.type = (tag as HTMLScriptElement).type;
        (tag as HTMLScriptElement).type = PLAIN;
      } else {
        dataset.src = source;
        if (method === 'off') dataset.placeholder = method;
        tag.removeAttribute(nameAddress(tag));
        // Browsers prefer it to the address.
        if ((tag as HTMLImageElement).srcset) dataset.srcset = (tag as HTMLImageElement).srcset;
        tag.removeAttribute('srcset');
      }
    }
    return category;
  }

  function block(tag: HTMLElement): unknown {
    const source = tag.matches(LOADING) && !isPlain(tag) && tag.getAttribute(nameAddress(tag));
    return source && blockAddress(tag, source);
  }

  function rewriteTag(markup: string): string {
    const tag = new DOMParser()
      // In an XML document this fails below, and what the page inserts is left as it is.
      .parseFromString(markup, document.contentType as DOMParserSupportedType)
      .querySelector<HTMLElement>(LOADING);
    return tag && block(tag) ? tag.outerHTML.replace(/<\/\w+>$/, '') : markup;
  }
  const rewrite = (html: string) =>
    html.replace(TAGS, (all, tag, _name, text) =>
      tag ? rewriteTag(tag) + text : /^<(img|link)/i.test(all) ? rewriteTag(all) : all,
    );

  const onHtml: Handler = (_self, parameters) => {
    parameters.forEach((each, index) => {
      // Others are trusted types, which are not replaced by a string.
      if (each.replace) parameters[index] = rewrite(each);
    });
  };

  const onAddress: Handler = (tag, [value]) => {
    const { dataset } = tag;
    // Here, and not prepared by the page. The mark stays in HTML that is copied.
    const wasBlocked = 'pavisAuto' in dataset;
    if (isPlain(tag) && !wasBlocked) return;
    const category = blockAddress(tag, value);
    if (!category) {
      if (!wasBlocked) return;
      delete dataset.pavisAuto;
      delete dataset.pavisCategory;
      if (isScript(tag)) tag.type = dataset.type;
      else delete dataset.src;
      free(tag);
      return;
    }
    if (isScript(tag)) return;
    if (tag.isConnected) update(tag);
    else if (tag.localName === 'img')
      hold([category, () => update(tag), () => tag.dispatchEvent(new Event('error'))]);
    return [];
  };

  const onType: Handler = (tag, [value]) => {
    // jQuery sets `true/text/plain` while it inserts a script.
    if (!isPlain(tag) || !tag.dataset.pavisCategory || /plain$/.test(value)) return;
    tag.dataset.type = value;
    return [];
  };

  const setters = new Map([
    ['src', onAddress],
    ['href', onAddress],
    ['type', onType],
  ]);
  // Each has some of them.
  for (const { prototype } of [
    HTMLScriptElement,
    HTMLIFrameElement,
    HTMLImageElement,
    HTMLLinkElement,
  ])
    for (const [name, handle] of setters) patch(prototype, name, handle);
  const onAttribute: Handler = (tag, [name, value], run) =>
    tag.matches(LOADING) && setters.get(name.toLowerCase())?.(tag, [value], run);
  patch(Element.prototype, 'setAttribute', onAttribute);
  patch(
    Element.prototype,
    'setAttributeNS',
    (tag, [namespace, ...others], run) => !namespace && onAttribute(tag, others, run),
  );
  for (const { prototype } of [Element, ShadowRoot, Range, Document])
    for (const name of 'outerHTML write insertAdjacentHTML writeln setHTMLUnsafe innerHTML createContextualFragment'.split(
      ' ',
    ))
      patch(prototype, name, onHtml);

  const onFetch: Handler = (_self, parameters, run) => {
    const [input, options] = parameters;
    const rule = findRule(input.url ?? input);
    // With `null`, the request has none.
    const { signal = input.signal } = options ?? {};
    if (!rule || signal?.aborted) return;
    return [
      new Promise((resolve) => {
        const request: HeldRequest = [
          rule[0],
          () => resolve(run()),
          () => {
            parameters[0] = NOWHERE;
            resolve(run());
          },
        ];
        // The native function then sends nothing.
        signal?.addEventListener('abort', () => queue.delete(request) && request[1]());
        hold(request);
      }),
    ];
  };
  const onBeacon: Handler = (_self, [url], run) => {
    const rule = findRule(url);
    if (rule) hold([rule[0], run]);
    return rule && [true];
  };
  const opened = new WeakMap<XMLHttpRequest, unknown[]>();
  const held = new WeakMap<XMLHttpRequest, HeldRequest>();
  const xhr = XMLHttpRequest.prototype;
  const { open } = xhr;
  const onOpen: Handler = (self, parameters) => {
    opened.set(self, parameters);
    queue.delete(held.get(self) as HeldRequest);
    held.delete(self);
    return undefined;
  };
  const onSend: Handler = (self, _parameters, run) => {
    const [, url, isAsync = true] = opened.get(self) as unknown[];
    const rule = findRule(url);
    const toNowhere = () => open.call(self, 'GET', NOWHERE, isAsync as boolean);
    if (!rule) return;
    if (!isAsync) {
      toNowhere();
      return;
    }
    const request: HeldRequest = [
      rule[0],
      () => held.delete(self) && run(),
      // The page may have aborted it or opened it anew since.
      () => held.get(self) === request && held.delete(self) && run(toNowhere()),
    ];
    held.set(self, request);
    hold(request);
    return [];
  };
  // The native function then finds a request that was sent, and tells the page that it has ended.
  const onAbort: Handler = (self) => {
    const request = held.get(self);
    queue.delete(request as HeldRequest);
    request?.[2]?.();
    return undefined;
  };
  patch(window, 'fetch', onFetch);
  patch(Navigator.prototype, 'sendBeacon', onBeacon);
  patch(xhr, 'open', onOpen);
  patch(xhr, 'send', onSend);
  patch(xhr, 'abort', onAbort);

  return { block, rewrite, blocked };
}
