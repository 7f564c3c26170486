import css from './banner.css?inline';

/** Creates an element. Children are nodes or texts, never HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const name in attributes) made.setAttribute(name, attributes[name] as string);
  made.append(...children);
  return made;
}

export function button(text: string, onclick: () => unknown): HTMLButtonElement {
  const made = element('button', {}, text);
  made.onclick = onclick;
  return made;
}

/** Adds styles as a constructed sheet, which a strict Content Security Policy allows. */
export function addStyles(root: DocumentOrShadowRoot, css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets.push(sheet);
  return sheet;
}

/** How a shadow root differs from the styles of the banner. */
export interface Dress {
  /** `light` or `dark`. Default: that of the styles. */
  theme?: string | undefined;
  styles?: string | undefined;
}

/** Attaches a shadow root with the styles of the banner. */
export function attachStyled(
  host: HTMLElement,
  { theme, styles = '' }: Dress,
  ...children: Node[]
): ShadowRoot {
  host.style.colorScheme = theme ?? '';
  const root = host.attachShadow({ mode: 'open' });
  addStyles(root, css + styles);
  root.append(...children);
  return root;
}
