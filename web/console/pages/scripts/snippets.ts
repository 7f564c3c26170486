import type { Script } from '../../api/types.ts';

export type ElementKind = 'script' | 'iframe' | 'img' | 'link';

type Registered = Pick<Script, 'handle' | 'label' | 'category' | 'script_url'>;

const escapeAttribute = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** A string literal that can stand within a script element. */
const toLiteral = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c');

const toTag = (name: string, attributes: readonly (readonly [string, string])[]): string =>
  `<${[name, ...attributes.map(([key, value]) => (value === '' && key !== 'alt' ? key : `${key}="${escapeAttribute(value)}"`))].join(' ')}>`;

/** The elements that each blocking method supports. */
export const ELEMENTS_BY_METHOD: Record<Script['blocking_method'], readonly ElementKind[]> = {
  type_attribute: ['script'],
  data_src: ['img', 'iframe'],
  iframe_placeholder: ['iframe'],
  dynamic_load: [],
};

/** The element that loads a finding; undefined if none does. */
export function toElementKind(resourceType: string, subtype: unknown): ElementKind | undefined {
  if (resourceType === 'script' || resourceType === 'gtm_tag') return 'script';
  if (resourceType === 'iframe') return 'iframe';
  if (resourceType === 'pixel' || subtype === 'image') return 'img';
  return subtype === 'style' ? 'link' : undefined;
}

/** The blocked form of an element that loads a registered URL. */
export function toSnippet(kind: ElementKind, script: Registered): string {
  const { handle, label, script_url: url } = script;
  const mark = ['data-pavis-script', handle] as const;
  switch (kind) {
    case 'script':
      return `${toTag('script', [['type', 'text/plain'], mark, ['src', url]])}</script>`;
    case 'iframe':
      return `${toTag('iframe', [mark, ['data-src', url], ['title', label]])}</iframe>`;
    case 'img':
      return toTag('img', [mark, ['data-src', url], ['alt', '']]);
    case 'link':
      return toStylesheetSnippet(url, script.category, []);
  }
}

/** Stylesheets have no blocked form, so a blocked script adds them. */
function toStylesheetSnippet(
  url: string,
  category: string,
  attributes: readonly (readonly [string, string])[],
): string {
  const fields = [...attributes, ['rel', 'stylesheet'], ['href', url]] as const;
  const calls = fields.map(
    ([name, value]) => `  link.setAttribute(${toLiteral(name)}, ${toLiteral(value)});`,
  );
  return [
    toTag('script', [
      ['type', 'text/plain'],
      ['data-category', category],
    ]),
    "  const link = document.createElement('link');",
    ...calls,
    '  document.head.append(link);',
    '</script>',
  ].join('\n');
}

/** Attributes that would load something by themselves, or that the snippet replaces. */
const REPLACED = /^(?:type|src|srcset|data-src|data-type|data-category|data-pavis-.*)$/;

/**
 * The blocked form of the tags that a user pastes: scripts with or without an address, frames, images and
 * stylesheets, with their other attributes.
 * @returns undefined if there is no such tag in the text
 */
export function toBlockedTags(html: string, script: Registered): string | undefined {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const tags = [...page.querySelectorAll('script, iframe, img, link[rel~=stylesheet]')];
  const blocked = tags.map((tag) => toBlockedTag(tag, script));
  return blocked.length > 0 ? blocked.join('\n') : undefined;
}

function toBlockedTag(tag: Element, { handle, category, script_url }: Registered): string {
  const name = tag.localName;
  const kept = [...tag.attributes]
    .filter((each) => !REPLACED.test(each.name))
    .map((each) => [each.name, each.value] as const);
  const type = tag.getAttribute('type');
  const source = tag.getAttribute('src') ?? tag.getAttribute('data-src');
  const isRegistered = source?.split('?')[0] === script_url.split('?')[0];
  const mark = isRegistered
    ? (['data-pavis-script', handle] as const)
    : (['data-category', category] as const);
  if (name === 'link') {
    const others = kept.filter(([key]) => key !== 'rel' && key !== 'href');
    return toStylesheetSnippet(tag.getAttribute('href') ?? '', category, others);
  }
  if (name !== 'script') {
    const held = [mark, ...kept, ['data-src', source ?? ''] as const];
    return `${toTag(name, held)}${name === 'iframe' ? '</iframe>' : ''}`;
  }
  const attributes = [
    ['type', 'text/plain'] as const,
    // The banner gives a script its own type back, which modules need.
    ...(type && type !== 'text/plain' ? [['data-type', type] as const] : []),
    mark,
    ...kept,
    ...(source === null ? [] : [['src', source] as const]),
  ];
  return `${toTag('script', attributes)}${tag.textContent}</script>`;
}
