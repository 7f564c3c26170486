import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type HtmlNode = DefaultTreeAdapterTypes.Node;

const BLOCKS = /^(?:p|div|li|ul|ol|br|tr|h[1-6]|section)$/;
const HIDDEN = /^(?:script|style|template|noscript|iframe)$/;
/** The class of the label beside a category of vanilla-cookieconsent that cannot be switched off. */
const BADGE = /(?:^|\s)pm__badge(?:\s|$)/;
/** What `Text` of the settings does not accept. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export interface HtmlText {
  text: string;
  hadMarkup: boolean;
  links: { href: string; text: string }[];
  /** The text of a badge, which is not part of `text`. */
  badge: string;
}

/** Reads HTML as plain text with line breaks. It never throws. */
export function readHtml(html: string): HtmlText {
  const hadMarkup = /<[a-z!/]/i.test(html);
  const parts: string[] = [];
  const badges: string[] = [];
  const links: HtmlText['links'] = [];
  // Without recursion, because a text can be nested deeply.
  const open: { node: HtmlNode; into: string[] }[] = [{ node: parseFragment(html), into: parts }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, into } = next;
    if (node.nodeName === '#text') {
      into.push((node as DefaultTreeAdapterTypes.TextNode).value);
      continue;
    }
    if (HIDDEN.test(node.nodeName) || !('childNodes' in node)) continue;
    const attributes = 'attrs' in node ? node.attrs : [];
    const get = (name: string) => attributes.find((each) => each.name === name)?.value ?? '';
    if (BLOCKS.test(node.nodeName)) into.push('\n');
    if (node.nodeName === 'a') links.push({ href: get('href').trim(), text: textWithin(node) });
    const inner = BADGE.test(get('class')) ? badges : into;
    for (const child of node.childNodes.toReversed()) open.push({ node: child, into: inner });
  }
  return { text: tidy(parts.join('')), hadMarkup, links, badge: tidy(badges.join('')) };
}

function textWithin(node: HtmlNode): string {
  const texts: string[] = [];
  const open = [node];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.nodeName === '#text') texts.push((next as DefaultTreeAdapterTypes.TextNode).value);
    else if ('childNodes' in next) open.push(...next.childNodes.toReversed());
  }
  return tidy(texts.join(''));
}

const tidy = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(CONTROLS, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
