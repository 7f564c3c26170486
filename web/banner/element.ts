import css from './banner.css?inline';

type Properties<T> = { [K in keyof T]?: T[K] };

/** Makes an element; what it holds goes in as nodes and text, never as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Properties<HTMLElementTagNameMap[K]> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

export const button = (text: string, onclick: () => void, className = ''): HTMLButtonElement =>
  element('button', { type: 'button', onclick, className }, [text]);

let sheet: CSSStyleSheet | undefined;

/** Gives an element a shadow root with the banner's styles; a constructed sheet passes a strict CSP. */
export function styled(host: HTMLElement): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  root.adoptedStyleSheets = [sheet];
  return root;
}
