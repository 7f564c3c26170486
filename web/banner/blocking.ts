import type { AutoBlocking } from './auto-blocking.ts';
import { attachStyled, element } from './element.ts';
import type { Consent } from './model.ts';
import { patch } from './patch.ts';
import { type Details, served } from './served.ts';
import { nameAddress, PLAIN, setNatively } from './tag-address.ts';
import type { RegisteredScript } from './wire.ts';

const BLOCKED = 'script[type="text/plain"],[data-src]';

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
  const loaded = new WeakSet<Element>();
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
    if (loaded.has(tag)) return;
    if (!consent.has(category)) {
      const root = tag.getRootNode();
      if (root instanceof ShadowRoot) roots.add(root);
      if (tag instanceof HTMLIFrameElement) replaceFrame(tag, category);
    } else if (tag instanceof HTMLScriptElement) {
      if (!tag.isConnected) return;
      loaded.add(tag);
      // Checked again in the queue: the visitor may have withdrawn consent.
      const work = () => tag.isConnected && consent.has(category) && run(tag);
      queue = queue.then(work).catch(reportError);
    } else show(tag);
  }

  /** The same element runs, so that listeners of the page stay. */
  function run(tag: HTMLScriptElement): Promise<unknown> | undefined {
    const source = getSource(tag);
    const ended = new Promise((resolve) => {
      for (const event of ['load', 'error']) tag.addEventListener(event, resolve);
      // A script that does not respond must not delay the others for long.
      setTimeout(resolve, 5_000);
    });
    const place = new Text();
    tag.replaceWith(place);
    setNatively(tag, 'type', tag.dataset.type ?? '');
    if (nonce) tag.nonce = nonce;
    tag.async = tag.hasAttribute('async');
    if (source) setNatively(tag, 'src', source);
    place.replaceWith(tag);
    return source && !tag.async ? ended : undefined;
  }

  function show(tag: HTMLElement): void {
    loaded.add(tag);
    void placeholders.get(tag)?.then((remove) => remove?.());
    const load = () => setNatively(tag, nameAddress(tag), getSource(tag));
    load();
    // After a reload of the page, browsers can restore the empty document that the frame had before consent.
    tag.addEventListener(
      'load',
      () => (tag as HTMLIFrameElement).contentDocument?.URL === 'about:blank' && load(),
      { once: true },
    );
  }

  function replaceFrame(frame: HTMLIFrameElement, category: string): void {
    const isBare =
      frame.dataset.placeholder === 'off' || findEntry(frame)?.blocking_method === 'data_src';
    if (isBare || placeholders.has(frame)) return;
    const placeholder = details().then((all) =>
      all.showPlaceholder(frame, getSource(frame), {
        consent,
        category,
        theme,
        attach: attachStyled,
        vendors: served.vendors,
        load: () => show(frame),
      }),
    );
    // Without a connection the frame stays empty.
    placeholders.set(
      frame,
      placeholder.catch(() => undefined),
    );
  }

  const updateIn = (root: ParentNode) =>
    root.querySelectorAll<HTMLElement>(BLOCKED).forEach(update);
  const updateAll = () => roots.forEach(updateIn);

  const nodes = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement)) continue;
      auto?.block(node);
      if (node.matches(BLOCKED)) update(node);
      updateIn(node);
      // The selectors do not look into shadow roots.
      for (const root of roots)
        if (node.contains((root as ShadowRoot).host ?? null)) updateIn(root);
    }
  });
  const observe = (root: Node) => nodes.observe(root, { childList: true, subtree: true });
  observe(document);
  patch(Element.prototype, 'attachShadow', (_host, _options, run) => {
    const root = run();
    observe(root);
    return [root];
  });
  const { parts, rules = [] } = served;
  const auto =
    autoBlocking === 'off' ? undefined : parts?.startAutoBlocking?.(consent, rules, update);

  void Promise.all([registered, consent.ready]).then(([entries = []]) => {
    registry = entries;
    for (const { handle, blocking_method } of entries) {
      const attributes = { type: PLAIN, 'data-pavis-script': handle };
      if (blocking_method === 'dynamic_load') document.head.append(element('script', attributes));
    }
    updateAll();
    // In a separate task, so that the banner is updated first.
    consent.onChange(() => setTimeout(updateAll));
  });
  return auto;
}
