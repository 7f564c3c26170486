import type { Consent } from './consent.ts';
import { button, element } from './element.ts';
import { showPlaceholder } from './placeholder.ts';
import type { RegisteredScript, Texts } from './wire.ts';

const HELD = 'script[type="text/plain"],[data-src]';
const NOT_COPIED = /^(data-)?(type|src)$|^nonce$/;

interface BlockingOptions {
  consent: Consent;
  registered: Promise<RegisteredScript[] | undefined>;
  texts: () => Promise<Texts>;
  /** Of the banner's own tag; scripts need it where the site has a strict CSP. */
  nonce: string;
  /** Of the banner, for what stands in place of embedded content. */
  theme: string | undefined;
}

/**
 * Activates blocked tags in the order of the page, each once its category is accepted. Tags of an unknown category
 * stay blocked.
 */
export function startBlocking({ consent, registered, texts, nonce, theme }: BlockingOptions): void {
  const through = new WeakSet<Element>();
  const placeholders = new WeakMap<Element, Promise<() => void>>();
  let registry: RegisteredScript[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const ownSource = (held: HTMLElement) => held.dataset.src ?? held.getAttribute('src');

  /** What the registry knows of a tag, by the handle it names or by its address. */
  const entryOf = (held: HTMLElement): RegisteredScript | undefined =>
    registry.find(
      ({ handle, script_url }) =>
        handle === held.dataset.pavisScript || script_url === ownSource(held),
    );

  const sourceOf = (held: HTMLElement): string =>
    ownSource(held) ?? entryOf(held)?.script_url ?? '';

  const categoryOf = (held: HTMLElement): string =>
    held.dataset.pavisCategory ?? held.dataset.category ?? entryOf(held)?.category ?? '';

  function consider(held: HTMLElement): void {
    const category = categoryOf(held);
    if (through.has(held)) return;
    if (!consent.has(category)) {
      if (held instanceof HTMLIFrameElement && consent.status?.categories[category])
        hold(held, category);
    } else if (held instanceof HTMLScriptElement) {
      through.add(held);
      // Asked again when its turn comes: meanwhile the visitor may have thought better of it.
      const work = () => held.isConnected && consent.has(category) && run(held);
      queue = queue.then(work).catch(reportError);
    } else show(held);
  }

  function run(held: HTMLScriptElement): Promise<unknown> | undefined {
    const script = document.createElement('script');
    for (const { name, value } of held.attributes) {
      if (!NOT_COPIED.test(name)) script.setAttribute(name, value);
    }
    script.type = held.dataset.type ?? '';
    script.text = held.text;
    script.nonce = nonce;
    script.async = held.hasAttribute('async');
    const source = sourceOf(held);
    const settled = new Promise((resolve) => {
      script.onload = script.onerror = resolve;
      // One that neither loads nor fails does not hold up those after it.
      setTimeout(resolve, 5_000);
    });
    if (source) script.src = source;
    held.replaceWith(script);
    return source && !script.async ? settled : undefined;
  }

  function show(held: HTMLElement): void {
    through.add(held);
    void placeholders.get(held)?.then((remove) => remove());
    held.setAttribute('src', sourceOf(held));
  }

  function hold(frame: HTMLIFrameElement, category: string): void {
    const isBare =
      frame.dataset.placeholder === 'off' || entryOf(frame)?.blocking_method === 'data_src';
    if (isBare || placeholders.has(frame)) return;
    placeholders.set(
      frame,
      texts().then((words) =>
        showPlaceholder(frame, sourceOf(frame), words, theme, [
          button(words.load_text, () => {
            show(frame);
            frame.focus();
          }),
          button(
            words.always_text.replace('{category}', words.categories[category]?.label as string),
            () => consent.set([...consent.state.accepted, category], 'placeholder'),
          ),
        ]),
      ),
    );
  }

  const considerAll = (root: ParentNode) =>
    root.querySelectorAll<HTMLElement>(HELD).forEach(consider);

  const nodes = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!(node instanceof HTMLElement)) continue;
      if (node.matches(HELD)) consider(node);
      considerAll(node);
    }
  });

  void Promise.all([registered, consent.ready]).then(([entries = []]) => {
    registry = entries;
    for (const { handle, blocking_method } of entries) {
      const held = { type: 'text/plain', 'data-pavis-script': handle };
      if (blocking_method === 'dynamic_load') document.head.append(element('script', held));
    }
    considerAll(document);
    // In a task of its own: the banner goes first.
    consent.onChange(() => setTimeout(considerAll, 0, document));
    nodes.observe(document, { childList: true, subtree: true });
  });
}
