import { type RawBuilder, sql } from 'kysely';
import type { AnyDb } from './database.ts';
import { getEngine } from './dialect.ts';

/** Spellings beside a letter's one capital; Turkish has four letters i. */
const MORE_CAPITALS: Record<string, string[]> = { σ: ['ς'], i: ['İ', 'ı'] };

const isOneLetter = (text: string): boolean => [...text].length === 1;

function foldLetter(letter: string): string {
  if (letter === 'İ') return 'i';
  const folded = letter.toUpperCase().toLowerCase();
  return isOneLetter(folded) ? folded : letter;
}

/** Each letter of a text with all its spellings: `'Öl'` is `['öÖ', 'lL']`. */
function listSpellings(text: string): string[] {
  return Array.from(text.normalize('NFC').replace(/[ßẞ]/g, 'ss'), (letter) => {
    const small = foldLetter(letter);
    const all = [small, small.toUpperCase(), ...(MORE_CAPITALS[small] ?? []), letter];
    return [...new Set(all)].filter(isOneLetter).join('');
  });
}

// Only letters have several spellings, so a class never needs an escape.
const asRegex = (spellings: string[]): string =>
  spellings.map((each) => (isOneLetter(each) ? asLiteral(each) : `[${each}]`)).join('');
const asLiteral = (letter: string): string => letter.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
const asGlob = (spellings: string[]): string =>
  spellings.map((each) => (/[*?[]/.test(each) || !isOneLetter(each) ? `[${each}]` : each)).join('');

/** Lists every spelling, because the case functions of SQLite and of PostgreSQL's collation "C" know ASCII only. */
function matches(
  db: AnyDb,
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

/** Whether each word of a text is in one of the columns. Case is folded by Unicode, with ß as ss, on both engines. */
export function anyContains(
  db: AnyDb,
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

/** Whether a column starts with a text, with case folded as in `anyContains`. */
export const startsWith = (db: AnyDb, column: string, text: string): RawBuilder<boolean> =>
  matches(db, column, text, 'start');
