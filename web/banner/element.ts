import css from './banner.css?inline';

/** Makes an element; what it holds goes in as nodes and text, never as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

export function button(text: string, onclick: () => unknown): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text);
  made.onclick = onclick;
  return made;
}

let sheet: CSSStyleSheet | undefined;

/**
 * Gives an element a shadow root with the banner's styles, in the colours of `theme` or else of the
 * visitor's system; a constructed sheet passes a strict CSP.
 */
export function styled(
  host: HTMLElement,
  theme: string | undefined,
  ...children: Node[]
): ShadowRoot {
  host.style.colorScheme = theme ?? '';
  const root = host.attachShadow({ mode: 'open' });
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  root.adoptedStyleSheets = [sheet];
  root.append(...children);
  return root;
}
