import { type DefaultTreeAdapterTypes, defaultTreeAdapter, parse, parseFragment } from 'parse5';

type Parent = DefaultTreeAdapterTypes.ParentNode;
export type Element = DefaultTreeAdapterTypes.Element;

export interface ElementInContext {
  element: Element;
  hidden: boolean;
  inNoscript: boolean;
  form?: Element;
}

/** The limit of browsers. Parsing time grows with the square of the depth. */
const MAX_DEPTH = 512;
class TooDeep extends Error {}

/** Parses HTML. The document ends where it exceeds the nesting limit of browsers. */
export function parseDocument(html: string): Parent {
  let depth = 0;
  const document = defaultTreeAdapter.createDocument();
  const treeAdapter = {
    ...defaultTreeAdapter,
    createDocument: () => document,
    onItemPush: () => {
      if (++depth > MAX_DEPTH) throw new TooDeep();
    },
    onItemPop: () => {
      depth--;
    },
  };
  try {
    return parse(html, { treeAdapter });
  } catch (error) {
    if (error instanceof TooDeep) return document;
    throw error;
  }
}

/** All elements in document order, including those in `noscript`. */
export function* walkElements(root: Parent): Generator<ElementInContext> {
  const open: (Omit<ElementInContext, 'element'> & { node: DefaultTreeAdapterTypes.Node })[] = [];
  const push = (parent: Parent, place: Omit<ElementInContext, 'element'>) => {
    for (const node of parent.childNodes.toReversed()) open.push({ ...place, node });
  };
  push(root, { hidden: false, inNoscript: false });
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, ...place } = next;
    if (!('tagName' in node)) continue;
    yield { element: node, ...place };
    if (node.tagName === 'noscript') {
      push(parseFragment(getText(node)), { ...place, inNoscript: true });
    } else {
      push(node, {
        ...place,
        hidden: place.hidden || isHidden(node),
        ...(node.tagName === 'form' && { form: node }),
      });
    }
  }
}

export const getAttribute = (element: Element, name: string): string | undefined =>
  element.attrs.find((each) => each.name === name)?.value;

export const getText = (element: Element): string =>
  element.childNodes
    .map((node) => (node.nodeName === '#text' && 'value' in node ? node.value : ''))
    .join('');

/** By its attributes; style sheets are not read. */
export const isHidden = (element: Element): boolean =>
  getAttribute(element, 'hidden') !== undefined ||
  /(display\s*:\s*none|visibility\s*:\s*hidden)/i.test(getAttribute(element, 'style') ?? '');

/** The base of relative URLs. */
export function getBaseUrl(root: Parent, documentUrl: string): string {
  for (const { element } of walkElements(root)) {
    const href = element.tagName === 'base' ? getAttribute(element, 'href') : undefined;
    if (href !== undefined) return toWebUrl(href, documentUrl) ?? documentUrl;
  }
  return documentUrl;
}

const WEB = new Set(['http:', 'https:', 'ws:', 'wss:']);

/** An absolute web URL without fragment, user and password; undefined for other URLs. */
export function toWebUrl(text: string | undefined, base: string): string | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const url = URL.parse(text, base);
  if (!url || !WEB.has(url.protocol)) return undefined;
  url.hash = '';
  url.username = '';
  url.password = '';
  return url.href;
}
