import { COLUMNS, SOURCES, type Term } from './names.ts';
import { texts as deTexts } from './texts.de.ts';
import { VALUES } from './values.ts';

type Texts = Readonly<Record<string, string>>;

/** The names of columns and values in one language, by the machine names that the JSON files have. */
export interface Terms {
  sources: Texts;
  columns: Texts;
  values: Readonly<Record<string, Texts>>;
  /** Translations of the English texts in the data map of a new installation. */
  texts: Texts;
  yes: string;
  no: string;
  /** Shown for a date that means "no end". */
  never: string;
}

/** Without a prototype: `constructor` and other members of objects can be columns and values, and have no term. */
const mapValues = <A, B>(object: Record<string, A>, map: (value: A) => B): Record<string, B> =>
  Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)])),
  );
const toTexts = (texts: Texts): Texts => mapValues(texts, (text) => text);

function createTerms(language: 0 | 1): Omit<Terms, 'texts' | 'yes' | 'no' | 'never'> {
  const pick = (terms: Record<string, Term>): Texts => mapValues(terms, (term) => term[language]);
  return { sources: pick(SOURCES), columns: pick(COLUMNS), values: mapValues(VALUES, pick) };
}

export const en: Terms = {
  ...createTerms(0),
  texts: toTexts({}),
  yes: 'Yes',
  no: 'No',
  never: 'No end',
};
export const de: Terms = {
  ...createTerms(1),
  texts: toTexts(deTexts),
  yes: 'Ja',
  no: 'Nein',
  never: 'Kein Ende',
};
