import { type Kysely, type RawBuilder, sql } from 'kysely';
import { getEngine } from './dialect.ts';

/** What differs from a small letter in case only, beside its one capital; Turkish has four letters i. */
const MORE_CAPITALS: Record<string, string[]> = { σ: ['ς'], i: ['İ', 'ı'] };

const isOneLetter = (text: string): boolean => [...text].length === 1;

function foldLetter(letter: string): string {
  if (letter === 'İ') return 'i';
  const folded = letter.toUpperCase().toLowerCase();
  return isOneLetter(folded) ? folded : letter;
}

/** Each letter of a text with all that it may be written as: `'Öl'` is `['öÖ', 'lL']`. */
function listSpellings(text: string): string[] {
  return Array.from(text.normalize('NFC').replace(/[ßẞ]/g, 'ss'), (letter) => {
    const small = foldLetter(letter);
    const all = [small, small.toUpperCase(), ...(MORE_CAPITALS[small] ?? []), letter];
    return [...new Set(all)].filter(isOneLetter).join('');
  });
}

// Only what has no case is alone, and only letters have: a class never needs an escape.
const asRegex = (spellings: string[]): string =>
  spellings.map((each) => (isOneLetter(each) ? asLiteral(each) : `[${each}]`)).join('');
const asLiteral = (letter: string): string => letter.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
const asGlob = (spellings: string[]): string =>
  spellings.map((each) => (/[*?[]/.test(each) || !isOneLetter(each) ? `[${each}]` : each)).join('');

/**
 * The database is told every spelling, because what its own case functions know depends on its
 * collations: none but ASCII in SQLite and in PostgreSQL's "C".
 */
function matches(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  column: string,
  text: string,
  where: 'start' | 'anywhere',
): RawBuilder<boolean> {
  const spellings = listSpellings(text);
  const value = spellings.includes('sS')
    ? sql`replace(replace(${sql.ref(column)}, 'ß', 'ss'), 'ẞ', 'ss')`
    : sql.ref(column);
  return getEngine(db) === 'postgres'
    ? sql<boolean>`${value} ~ ${(where === 'start' ? '^' : '') + asRegex(spellings)}`
    : sql<boolean>`${value} glob ${`${where === 'start' ? '' : '*'}${asGlob(spellings)}*`}`;
}

/**
 * Whether each word of a text is in one of the columns, whatever the case of either; nothing in the text
 * has a special meaning. Case is folded by Unicode, with ß as ss, and alike on both engines.
 */
export function anyContains(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  columns: readonly string[],
  text: string,
): RawBuilder<boolean> {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const found = words.map((word) => {
    const places = columns.map((column) => matches(db, column, word, 'anywhere'));
    return sql`(${sql.join(places, sql` or `)})`;
  });
  return words.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(found, sql` and `)})`;
}

/** Whether a column starts with a text, with case folded as `anyContains` does. */
export function startsWith(
  // biome-ignore lint/suspicious/noExplicitAny: any schema will do
  db: Kysely<any>,
  column: string,
  text: string,
): RawBuilder<boolean> {
  return matches(db, column, text, 'start');
}
