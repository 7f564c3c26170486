import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Public fields of a script registry entry. */
export interface BlockingRule {
  handle: string;
  category: string;
  script_url: string;
  blocking_method: string;
}

/**
 * Applies the script registry to a page, as a CMS would: tags with a registered URL are blocked until consent. Scripts
 * that the banner loads (`dynamic_load`) are removed, so that they do not run twice. Inline scripts, and files that only
 * load other scripts, match by a URL in their text. Images in `noscript` are blocked, too.
 * @param address URL of the page, to resolve relative URLs
 * @param readLoader returns the text of a loader file; undefined for other files
 */
export function applyBlockingRules(
  html: string,
  address: string,
  registry: readonly BlockingRule[],
  readLoader: (url: URL) => string | undefined = () => undefined,
): string {
  let text = html;
  const document = parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false });
  // From the end, so that earlier offsets stay valid.
  for (const tag of listLoadingTags(document).reverse()) {
    const entry = registry.find((each) => matchesRule(each, tag, { address, readLoader }));
    const at = tag.sourceCodeLocation;
    if (!entry || !at?.startTag) continue;
    const before = text.slice(0, at.startOffset);
    const after = text.slice(at.endOffset);
    if (entry.blocking_method === 'dynamic_load') text = before + after;
    else text = before + blockTag(tag, entry, text.slice(at.startOffset, at.endOffset)) + after;
  }
  return text;
}

const getAttribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((each) => each.name === name)?.value;

/** Tags that load a resource immediately, in document order. */
function listLoadingTags(node: Node): Element[] {
  const tags: Element[] = [];
  if ('tagName' in node) {
    const isBlocked = getAttribute(node, 'type') === 'text/plain';
    const loads = node.tagName === 'script' || getAttribute(node, 'src') !== undefined;
    if (/^(script|iframe|img)$/.test(node.tagName) && loads && !isBlocked) tags.push(node);
  }
  if ('childNodes' in node) tags.push(...node.childNodes.flatMap(listLoadingTags));
  return tags;
}

interface Surroundings {
  address: string;
  readLoader: (url: URL) => string | undefined;
}

function matchesRule(
  { script_url }: BlockingRule,
  tag: Element,
  { address, readLoader }: Surroundings,
): boolean {
  const src = getAttribute(tag, 'src');
  if (src === undefined) {
    return tag.childNodes.some((each) => 'value' in each && each.value.includes(script_url));
  }
  const url = URL.parse(src, address);
  if (url === null) return false;
  // URLs from a scan have no query.
  if ([url.href, url.origin + url.pathname].includes(script_url)) return true;
  return tag.tagName === 'script' && readLoader(url)?.includes(script_url) === true;
}

function blockTag(tag: Element, { handle, category }: BlockingRule, markup: string): string {
  const name = `<${tag.tagName}`;
  if (tag.tagName !== 'script') {
    return markup.replace(/\ssrc(?=\s*=)/i, ` data-category="${category}" data-src`);
  }
  const mark =
    getAttribute(tag, 'src') === undefined
      ? `data-category="${category}"`
      : `data-pavis-script="${handle}"`;
  const type = getAttribute(tag, 'type');
  // If an attribute occurs twice, browsers use the first.
  return markup.replace(
    new RegExp(name, 'i'),
    `${name} type="text/plain"${type ? ` data-type="${type}"` : ''} ${mark}`,
  );
}
