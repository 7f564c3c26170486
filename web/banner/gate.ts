import type { Consent } from './consent.ts';
import { showPlaceholder } from './placeholder.ts';
import type { RegisteredScript, Texts } from './wire.ts';

const GATED = 'script[type="text/plain"],[data-src]';
/** A script that neither loads nor fails for so long does not hold up those after it. */
const SCRIPT_TIMEOUT_MS = 5_000;
const NOT_COPIED = ['type', 'src', 'data-src', 'data-type', 'nonce'];

interface GateSettings {
  consent: Consent;
  registered: Promise<RegisteredScript[] | undefined>;
  texts: () => Promise<Texts>;
  /** Of the banner's own tag; scripts need it where the site has a strict CSP. */
  nonce: string;
}

/**
 * Lets through what waits for consent: tags that hold themselves back, in the order of the page, then
 * what the registry says to load. Whatever is of no known category stays where it is.
 */
export function startGate({ consent, registered, texts, nonce }: GateSettings): void {
  const through = new WeakSet<Element>();
  const placeholders = new WeakMap<Element, Promise<{ remove(): void }>>();
  const loaded = new Set<string>();
  let registry: RegisteredScript[] | undefined;
  let queue = Promise.resolve();

  const sourceOf = ({ dataset, attributes }: HTMLElement) =>
    dataset.src ?? attributes.getNamedItem('src')?.value;

  /** What the registry knows of a tag, by the handle it names or by its address. */
  function entryOf(element: HTMLElement): RegisteredScript | undefined {
    const handle = element.dataset.pavisScript;
    const source = sourceOf(element);
    return registry?.find((entry) =>
      handle ? entry.handle === handle : source !== undefined && entry.script_url === source,
    );
  }

  const categoryOf = (element: HTMLElement): string | undefined =>
    element.dataset.pavisCategory ?? element.dataset.category ?? entryOf(element)?.category;

  function consider(element: HTMLElement): void {
    const category = categoryOf(element);
    if (!category || through.has(element)) return;
    if (consent.has(category)) letThrough(element, category);
    else if (element instanceof HTMLIFrameElement && consent.status?.categories[category])
      hold(element);
  }

  function letThrough(element: HTMLElement, category: string): void {
    through.add(element);
    if (element instanceof HTMLScriptElement) {
      // Asked again when its turn comes: meanwhile the visitor may have thought better of it.
      enqueue(() => (consent.has(category) ? runScript(element) : undefined));
    } else show(element);
  }

  function enqueue(work: () => Promise<void> | undefined): void {
    queue = queue.then(work).catch(reportError);
  }

  function runScript(held: HTMLScriptElement): Promise<void> | undefined {
    if (!held.isConnected) return undefined;
    const script = document.createElement('script');
    for (const { name, value } of held.attributes) {
      if (!NOT_COPIED.includes(name)) script.setAttribute(name, value);
    }
    if (held.dataset.type) script.type = held.dataset.type;
    script.text = held.text;
    const source = sourceOf(held) ?? entryOf(held)?.script_url;
    return insert(script, source, () => held.replaceWith(script));
  }

  function insert(
    script: HTMLScriptElement,
    source: string | undefined,
    place: () => void,
  ): Promise<void> | undefined {
    script.nonce = nonce;
    script.async = script.hasAttribute('async');
    if (source) {
      script.src = source;
      loaded.add(source);
    }
    const waits = source && !script.async;
    const settled = waits
      ? new Promise<void>((resolve) => {
          script.onload = script.onerror = () => resolve();
          setTimeout(resolve, SCRIPT_TIMEOUT_MS);
        })
      : undefined;
    place();
    return settled;
  }

  function show(element: HTMLElement): void {
    void placeholders.get(element)?.then((placeholder) => placeholder.remove());
    const source = sourceOf(element);
    if (source) element.setAttribute('src', source);
    element.removeAttribute('data-src');
  }

  function hold(frame: HTMLIFrameElement): void {
    const isBare =
      frame.dataset.placeholder === 'off' || entryOf(frame)?.blocking_method === 'data_src';
    if (isBare || placeholders.has(frame)) return;
    const load = () => {
      through.add(frame);
      show(frame);
    };
    placeholders.set(
      frame,
      texts().then((words) => showPlaceholder(frame, sourceOf(frame) ?? '', words, load)),
    );
  }

  function loadRegistered(): void {
    for (const { handle, category, script_url, blocking_method } of registry ?? []) {
      if (blocking_method !== 'dynamic_load' || !consent.has(category)) continue;
      enqueue(() => {
        if (loaded.has(script_url) || !consent.has(category)) return undefined;
        const script = document.createElement('script');
        script.dataset.pavisScript = handle;
        return insert(script, script_url, () => document.head.append(script));
      });
    }
  }

  const considerAll = (root: ParentNode) =>
    root.querySelectorAll<HTMLElement>(GATED).forEach(consider);

  function letAllThrough(): void {
    considerAll(document);
    loadRegistered();
  }

  const nodes = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) {
      for (const node of addedNodes) {
        if (!(node instanceof HTMLElement)) continue;
        if (node.matches(GATED)) consider(node);
        considerAll(node);
      }
    }
  });

  void Promise.all([registered, consent.ready]).then(([entries]) => {
    registry = entries;
    letAllThrough();
    // In a task of its own: the banner goes first.
    consent.onChange(() => setTimeout(letAllThrough));
    nodes.observe(document, { childList: true, subtree: true });
  });
}
