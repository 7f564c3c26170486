import type { SearchRecord } from '../../src/frontends/docs/schemas.ts';
import { createIndex, type Found } from './search-index.ts';

const EXCERPT_LENGTH = 140;
/** How much of the text comes before the first match. */
const EXCERPT_BEFORE = 40;
const QUERY_MIN_LENGTH = 2;
const NOT_LOADED = 'The search could not be loaded. Check your connection, then try again.';

/** Shows the search field. Its index is loaded when it is used first. */
export function startSearch(root: URL): void {
  const place = document.querySelector<HTMLElement>('.search');
  const field = place?.querySelector('input');
  const panel = place?.querySelector<HTMLElement>('.found');
  const status = place?.querySelector('[role=status]');
  if (!place || !field || !panel || !status) return;
  place.hidden = false;

  let index: ReturnType<typeof createIndex> | undefined;
  const load = () => {
    index ??= fetch(new URL('search.json', root))
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      .then((records: SearchRecord[]) => createIndex(records));
    index.catch(() => {
      index = undefined;
    });
    return index;
  };
  const close = () => {
    panel.hidden = true;
  };
  const show = async () => {
    const query = field.value.trim();
    if (query.length < QUERY_MIN_LENGTH) return close();
    const groups = await load().then(
      (find) => find(query),
      () => undefined,
    );
    // The field has changed while the index was loaded.
    if (query !== field.value.trim()) return;
    for (const old of panel.querySelectorAll('section')) old.remove();
    status.textContent = groups ? describe(query, groups) : NOT_LOADED;
    panel.append(...(groups ?? []).map(([title, found], at) => group(title, found, at, root)));
    panel.hidden = false;
  };

  field.addEventListener('focus', () => void load().catch(() => {}));
  field.addEventListener('input', () => void show());
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest('input, textarea, select')) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
  place.addEventListener('keydown', (event) => {
    const links = [...panel.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Escape') {
      close();
      field.focus();
    } else if (event.key === 'Enter' && event.target === field) {
      event.preventDefault();
      void show().then(() => panel.querySelector('a')?.click());
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (panel.hidden || links.length === 0) return;
      event.preventDefault();
      const next = at + (event.key === 'ArrowDown' ? 1 : -1);
      (next < 0 ? field : (links[next] ?? links[at]))?.focus();
    } else return;
    event.stopPropagation();
  });
  // A result on the same page is only a jump.
  panel.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a')) close();
  });
  place.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !place.contains(relatedTarget as Node)) close();
  });
  document.addEventListener('click', ({ target }) => {
    if (!place.contains(target as Node)) close();
  });
}

function describe(query: string, groups: [string, Found[]][]): string {
  const count = groups.reduce((sum, [, found]) => sum + found.length, 0);
  if (count === 0) return `No results for “${query}”. Check the spelling, or use fewer words.`;
  return count === 1 ? '1 result' : `${count} results`;
}

function group(title: string, found: Found[], at: number, root: URL): HTMLElement {
  const section = document.createElement('section');
  const heading = document.createElement('h2');
  heading.id = `found-${at}`;
  heading.textContent = title;
  section.setAttribute('aria-labelledby', heading.id);
  const list = document.createElement('ul');
  // VoiceOver drops the role of a list without markers.
  list.role = 'list';
  list.append(...found.map((each) => result(each, root)));
  section.append(heading, list);
  return section;
}

function result({ record: { path, page, title, text }, words }: Found, root: URL): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = new URL(path, root).href;
  const name = document.createElement('b');
  name.textContent = title === page ? page : `${page}: ${title}`;
  const excerpt = document.createElement('small');
  excerpt.append(...mark(cut(text, words), words));
  link.append(name, excerpt);
  item.append(link);
  return item;
}

const toPattern = (words: string[]): RegExp =>
  new RegExp(
    `(${words.map((word) => word.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&')).join('|')})`,
    'gi',
  );

/** The part of a text around its first match. */
function cut(text: string, words: string[]): string {
  const match = words.length > 0 ? text.search(toPattern(words)) : 0;
  const start = match > EXCERPT_BEFORE ? text.indexOf(' ', match - EXCERPT_BEFORE) + 1 : 0;
  const isCut = start + EXCERPT_LENGTH < text.length;
  const part = text.slice(start, start + EXCERPT_LENGTH);
  return `${start > 0 ? '… ' : ''}${isCut ? `${part.replace(/\s\S*$/, '')} …` : part}`;
}

function mark(text: string, words: string[]): (string | HTMLElement)[] {
  if (words.length === 0) return [text];
  return text.split(toPattern(words)).map((part, at) => {
    if (at % 2 === 0) return part;
    const marked = document.createElement('mark');
    marked.textContent = part;
    return marked;
  });
}
