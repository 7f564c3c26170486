import { type DefaultTreeAdapterTypes, parse } from 'parse5';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** What the registry says to visitors of one script, frame or image. */
export interface BlockingRule {
  handle: string;
  category: string;
  script_url: string;
  blocking_method: string;
}

/**
 * A page as a site's own system would send it that heeds the registry: a tag whose address is registered
 * holds itself back. What the banner loads by itself (`dynamic_load`) is taken out, so that it does not
 * run twice; a script within the page is known by an address in its text, and so is a file of the site that
 * does nothing but load others. Images within `noscript` are blocked too.
 * @param address of the page, for its relative addresses
 * @param readLoader the text of such a file, by its address; undefined for all other files
 */
export function applyBlockingRules(
  html: string,
  address: string,
  registry: readonly BlockingRule[],
  readLoader: (url: URL) => string | undefined = () => undefined,
): string {
  let text = html;
  const document = parse(html, { sourceCodeLocationInfo: true, scriptingEnabled: false });
  // From the end to the beginning, so that what is still to do stays where it was found.
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

/** The tags that load something at once, in the order of the page. */
function listLoadingTags(node: Node): Element[] {
  const tags: Element[] = [];
  if ('tagName' in node) {
    const isHeld = getAttribute(node, 'type') === 'text/plain';
    const loads = node.tagName === 'script' || getAttribute(node, 'src') !== undefined;
    if (/^(script|iframe|img)$/.test(node.tagName) && loads && !isHeld) tags.push(node);
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
  // What a scan has found has no query.
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
  // Of an attribute that is there twice, the first counts.
  return markup.replace(
    new RegExp(name, 'i'),
    `${name} type="text/plain"${type ? ` data-type="${type}"` : ''} ${mark}`,
  );
}
