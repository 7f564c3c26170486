import css from './banner.css?inline';

/** Creates an element. Children are nodes or texts, never HTML. */
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

/** @param name a stable name for programs that choose for visitors, such as the rule in autoconsent.json */
export function button(text: string, onclick: () => unknown, name?: string): HTMLButtonElement {
  const made = element('button', name ? { name } : {}, text);
  made.onclick = onclick;
  return made;
}

const sheets: Record<string, CSSStyleSheet> = {};

/** Adds styles as a constructed sheet, which a strict Content Security Policy allows. All roots share it. */
export function addStyles(root: ShadowRoot, css: string): void {
  if (!sheets[css]) {
    sheets[css] = new CSSStyleSheet();
    sheets[css].replaceSync(css);
  }
  root.adoptedStyleSheets.push(sheets[css]);
}

/**
 * Attaches a shadow root with the styles of the banner.
 * @param theme default: that of the visitor's system
 */
export function attachStyled(
  host: HTMLElement,
  theme: string | undefined,
  ...children: Node[]
): ShadowRoot {
  host.style.colorScheme = theme ?? '';
  const root = host.attachShadow({ mode: 'open' });
  addStyles(root, css);
  root.append(...children);
  return root;
}
