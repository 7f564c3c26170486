import { attribute, baseUrlOf, elementsOf, parseDocument } from './document.ts';

/** Where the links of a page lead, in the order of the document, as absolute addresses. */
export function linksIn(html: string, pageUrl: string): string[] {
  const root = parseDocument(html);
  const baseUrl = baseUrlOf(root, pageUrl);
  const links = new Set<string>();
  for (const { element } of elementsOf(root)) {
    const href =
      element.tagName === 'a' || element.tagName === 'area'
        ? attribute(element, 'href')
        : element.tagName === 'meta'
          ? refreshOf(element)
          : element.tagName === 'link'
            ? otherLanguageOf(element)
            : undefined;
    const url = href === undefined ? null : URL.parse(href, baseUrl);
    if (url) links.add(url.href);
  }
  return [...links];
}

const refreshOf = (element: Parameters<typeof attribute>[0]): string | undefined =>
  attribute(element, 'http-equiv')?.toLowerCase() === 'refresh'
    ? /url\s*=\s*["']?([^"']+)/i.exec(attribute(element, 'content') ?? '')?.[1]
    : undefined;

/** The same page in another language: `<link rel="alternate" hreflang>`. */
const otherLanguageOf = (element: Parameters<typeof attribute>[0]): string | undefined =>
  /(^|\s)alternate(\s|$)/i.test(attribute(element, 'rel') ?? '') &&
  attribute(element, 'hreflang') !== undefined
    ? attribute(element, 'href')
    : undefined;
