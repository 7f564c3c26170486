import type { AutoBlocking } from './auto-blocking.ts';
import { attachStyled, element } from './element.ts';
import type { Consent } from './model.ts';
import { type Details, served } from './served.ts';
import { nameAddress, PLAIN } from './tag-address.ts';
import type { RegisteredScript, Rule } from './wire.ts';

const BLOCKED = 'script[type="text/plain"],[data-src]';
// Before it is replaced.
const { prototype } = Element;
const { setAttribute } = prototype;

/** Sets an attribute even if its address is blocked. */
const setNatively = (tag: Element, name: string, value: string): void =>
  setAttribute.call(tag, name, value);

export interface BlockingOptions {
  /** The nonce of the site's Content Security Policy, which scripts need. */
  nonce?: string | undefined;
  /** Of placeholders: `light` or `dark`. */
  theme?: string | undefined;
  /** `off`: registered third parties are blocked only where the page has prepared their tags. */
  autoBlocking?: string | undefined;
}

/**
 * Loads blocked tags in the order of the page, each once its category is accepted. Unknown categories stay blocked.
 * @returns undefined if nothing has to be blocked automatically
 */
export function startBlocking(
  consent: Consent,
  registered: RegisteredScript[] | Promise<RegisteredScript[] | undefined>,
  details: () => Promise<Details>,
  { nonce, theme, autoBlocking }: BlockingOptions,
): AutoBlocking | undefined {
  /** With their addresses: the page can give a frame another one. */
  const loaded = new WeakMap<Element, string>();
  /** The document, and shadow roots with blocked tags. */
  const roots = new Set<ParentNode>([document]);
  const placeholders = new WeakMap<Element, Promise<(() => void) | undefined>>();
  let registry: RegisteredScript[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const readSource = (tag: HTMLElement) => tag.dataset.src ?? tag.getAttribute('src');

  /** Finds the registered script by handle or address. */
  const findEntry = (tag: HTMLElement): RegisteredScript | undefined =>
    registry.find(
      ({ handle, script_url }) =>
        handle === tag.dataset.pavisScript || script_url === readSource(tag),
    );

  const getSource = (tag: HTMLElement): string =>
    readSource(tag) ?? findEntry(tag)?.script_url ?? '';

  /** The category, or `category/vendor`. */
  function getCategory(tag: HTMLElement): string {
    const { pavisCategory, category } = tag.dataset;
    const found = pavisCategory ?? category ?? findEntry(tag)?.category ?? '';
    return (
      served.parts?.toVendorId?.(found, getSource(tag), served, consent.state.vendors) ?? found
    );
  }

  function update(tag: HTMLElement): void {
    const category = getCategory(tag);
    const source = getSource(tag);
    if (loaded.get(tag) === source) return;
    if (!consent.has(category)) {
      const root = tag.getRootNode() as ShadowRoot;
      // Other roots have none.
      if (root.mode) roots.add(root);
      if (category && tag instanceof HTMLIFrameElement) replaceFrame(tag, category, source);
    } else if (tag instanceof HTMLScriptElement) {
      if (!tag.isConnected) return;
      loaded.set(tag, source);
      // Checked again in the queue: the visitor may have withdrawn consent.
      const work = () => tag.isConnected && consent.has(category) && run(tag);
      queue = queue.then(work).catch(reportError);
    } else show(tag);
  }

  /**
   * An element that a script has made runs itself, because the page can keep it. It has no attribute for its `async`, or
   * automatic blocking has marked it. Of others, a copy runs, because browsers run no element that was inserted as HTML.
   * Listeners of the page get its events.
   */
  function run(tag: HTMLScriptElement): unknown {
    const source = getSource(tag);
    const isAsync = tag.hasAttribute('async');
    const isMade = tag.async !== isAsync || tag.dataset.pavisAuto;
    const script = isMade
      ? tag
      : (new Range().createContextualFragment(tag.outerHTML).firstChild as HTMLScriptElement);
    const ended = new Promise((resolve) => {
      tag.addEventListener('load', resolve);
      tag.addEventListener('error', resolve);
      // A script that does not respond must not delay the others for long.
      setTimeout(resolve, 5_000);
    });
    const place = new Text();
    tag.replaceWith(place);
    if (!isMade) {
      // In place of handlers in attributes, which the other element has, too.
      script.onload = script.onerror = (event) =>
        tag.dispatchEvent(new Event((event as Event).type));
      loaded.set(script, source);
    }
    setNatively(script, 'type', tag.dataset.type ?? '');
    script.nonce = nonce || tag.nonce;
    script.async = isAsync;
    if (source) setNatively(script, 'src', source);
    place.replaceWith(script);
    return source && !isAsync && ended;
  }

  function free(tag: Element): void {
    void placeholders.get(tag)?.then((remove) => remove?.());
    placeholders.delete(tag);
  }

  function show(tag: HTMLElement): void {
    const source = getSource(tag);
    const srcset = tag.dataset.srcset;
    const load = () => setNatively(tag, nameAddress(tag), source);
    loaded.set(tag, source);
    free(tag);
    if (srcset) setNatively(tag, 'srcset', srcset);
    load();
    // After a reload of the page, browsers can restore the empty document that the frame had before consent.
    tag.addEventListener(
      'load',
      () => (tag as HTMLIFrameElement).contentDocument?.URL === 'about:blank' && load(),
      { once: true },
    );
  }

  function replaceFrame(frame: HTMLIFrameElement, category: string, source: string): void {
    if (
      placeholders.has(frame) ||
      frame.dataset.placeholder === 'off' ||
      findEntry(frame)?.blocking_method === 'data_src'
    )
      return;
    placeholders.set(
      frame,
      details()
        .then((all) =>
          all.showPlaceholder(frame, source, {
            load: show,
            category,
            theme,
            update,
            free,
            attach: attachStyled,
            vendors: served.vendors,
            consent,
          }),
        )
        // Without a connection the frame stays empty.
        .catch(() => undefined),
    );
  }

  const updateIn = (root: ParentNode) =>
    root.querySelectorAll<HTMLElement>(BLOCKED).forEach(update);
  const updateAll = () => roots.forEach(updateIn);

  const nodes = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement)) continue;
        auto?.block(node);
        if (node.matches(BLOCKED)) update(node);
        updateIn(node);
        // The selectors do not look into shadow roots.
        for (const root of roots) if (node.contains((root as ShadowRoot).host)) updateIn(root);
      }
  });
  const observe = (root: Node) => nodes.observe(root, { childList: true, subtree: true });
  observe(document);
  // A proxy looks the same to the page.
  try {
    prototype.attachShadow = new Proxy(prototype.attachShadow, {
      apply(native, host, parameters) {
        const root = Reflect.apply(native, host, parameters);
        observe(root);
        return root;
      },
    });
  } catch {
    // The page has made it unchangeable.
  }
  const auto =
    autoBlocking === 'off'
      ? undefined
      : served.parts?.startAutoBlocking?.(consent, served.rules as Rule[], update, free, loaded);

  void Promise.all([registered, consent.ready]).then(([entries = []]) => {
    registry = entries;
    for (const { handle, blocking_method } of entries)
      if (blocking_method === 'dynamic_load')
        document.head.append(element('script', { type: PLAIN, 'data-pavis-script': handle }));
    updateAll();
    // In a separate task, so that the banner is updated first.
    consent.onChange(() => setTimeout(updateAll));
  });
  return auto;
}
