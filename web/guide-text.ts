import type { MarkedToken, Token, Tokens } from 'marked';
import type { BuiltPage } from '../src/frontends/docs/schemas.ts';

const DESCRIPTION_MIN_LENGTH = 60;
const DESCRIPTION_MAX_LENGTH = 200;

/** Whole sentences until there is enough to know what the page is about, as far as they fit. */
export function toDescription(text: string): string {
  const sentences = text.replace(/\s+/g, ' ').match(/.+?(?:(?<!\bArt)[.:](?= |$)|$)/g) ?? [];
  let description = '';
  for (const sentence of sentences) {
    if (description.length >= DESCRIPTION_MIN_LENGTH) break;
    description += sentence;
  }
  return description.length <= DESCRIPTION_MAX_LENGTH
    ? description.replace(/:$/, '.')
    : `${description.slice(0, DESCRIPTION_MAX_LENGTH).replace(/\s\S*$/, '')} …`;
}

export function listSections(
  tokens: Token[],
  ids: ReadonlyMap<Tokens.Heading, string>,
): BuiltPage['sections'] {
  const sections: BuiltPage['sections'] = [];
  for (const token of tokens) {
    if (token.type === 'heading') {
      const heading = token as Tokens.Heading;
      const id = heading.depth === 1 ? '' : (ids.get(heading) ?? '');
      sections.push({ id, title: toText(heading), text: '' });
      continue;
    }
    const last = sections.at(-1);
    if (last) last.text = `${last.text} ${toText(token)}`.replace(/\s+/g, ' ').trim();
  }
  return sections;
}

/** Plain text of a token with all it contains. */
export function toText(token: Token | Tokens.TableCell): string {
  const any = token as MarkedToken;
  if (any.type === 'table') return [any.header, ...any.rows].flat().map(toText).join(' ');
  if (any.type === 'list') return any.items.map(toText).join(' ');
  if (any.type === 'html') return '';
  if ('tokens' in token && token.tokens) {
    const isInline = any.type !== 'list_item' && any.type !== 'blockquote';
    return token.tokens.map(toText).join(isInline ? '' : ' ');
  }
  return 'text' in token ? unescapeHtml(token.text) : ' ';
}

/** What Markdown escapes within text. */
const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
