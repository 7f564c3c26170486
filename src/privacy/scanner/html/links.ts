import { getAttribute, getBaseUrl, parseDocument, walkElements } from './document.ts';

/** Links of a page in document order, as absolute URLs. */
export function listLinks(html: string, pageUrl: string): string[] {
  const root = parseDocument(html);
  const baseUrl = getBaseUrl(root, pageUrl);
  const links = new Set<string>();
  for (const { element } of walkElements(root)) {
    const href =
      element.tagName === 'a' || element.tagName === 'area'
        ? getAttribute(element, 'href')
        : element.tagName === 'meta'
          ? findRefreshUrl(element)
          : element.tagName === 'link'
            ? findAlternateUrl(element)
            : undefined;
    const url = href === undefined ? null : URL.parse(href, baseUrl);
    if (url) links.add(url.href);
  }
  return [...links];
}

const findRefreshUrl = (element: Parameters<typeof getAttribute>[0]): string | undefined =>
  getAttribute(element, 'http-equiv')?.toLowerCase() === 'refresh'
    ? /url\s*=\s*["']?([^"']+)/i.exec(getAttribute(element, 'content') ?? '')?.[1]
    : undefined;

/** `<link rel="alternate" hreflang>`. */
const findAlternateUrl = (element: Parameters<typeof getAttribute>[0]): string | undefined =>
  /(^|\s)alternate(\s|$)/i.test(getAttribute(element, 'rel') ?? '') &&
  getAttribute(element, 'hreflang') !== undefined
    ? getAttribute(element, 'href')
    : undefined;
