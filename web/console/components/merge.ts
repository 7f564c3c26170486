/** A value that another user changed. It is a conflict if both users changed it differently. */
export interface Difference {
  /** Items of lists are named by their id, language or country. */
  path: readonly string[];
  base: unknown;
  mine: unknown;
  theirs: unknown;
  isConflict: boolean;
}

type Side = 'mine' | 'theirs';
type Fields = Record<string, unknown>;

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The changed fields, for a partial update. */
export const changedFields = <T extends object>(base: T, values: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([name, value]) => !isSame(value, base[name as keyof T])),
  ) as Partial<T>;

/** The key of a difference in the choices. */
export const getFieldName = ({ path }: Pick<Difference, 'path'>): string => path.join('/');

/**
 * Merges two changes of the same fields (three-way merge).
 * @param choices the side to take at each conflict, by `getFieldName`; default: mine
 * @returns the merged fields, and the differences that the other side made
 */
export function merge<T extends object>(
  base: T,
  mine: T,
  theirs: T,
  choices: Readonly<Record<string, Side>> = {},
): { merged: T; differences: Difference[] } {
  const differences: Difference[] = [];
  const merged = join(base, mine, theirs, []) as T;
  return { merged, differences };

  function join(before: unknown, my: unknown, their: unknown, path: readonly string[]): unknown {
    if (isSame(before, their)) return my;
    if (isSame(my, their)) return their;
    const sides = [before, my, their] as const;
    if (sides.every(isFields)) return joinFields(...(sides as [Fields, Fields, Fields]), path);
    if (sides.every(isKeyed)) return joinItems(...(sides as [Fields[], Fields[], Fields[]]), path);
    const isConflict = !isSame(before, my) && !sides.every(isListOfTexts);
    const found = { path, base: before, mine: my, theirs: their, isConflict };
    differences.push(found);
    if (sides.every(isListOfTexts)) return joinTexts(...(sides as [string[], string[], string[]]));
    return isConflict && choices[getFieldName(found)] !== 'theirs' ? my : their;
  }

  function joinFields(before: Fields, my: Fields, their: Fields, path: readonly string[]): Fields {
    const names = new Set([...Object.keys(their), ...Object.keys(my)]);
    const joined = [...names].map((name) => [
      name,
      join(before[name], my[name], their[name], [...path, name]),
    ]);
    return Object.fromEntries(joined.filter(([, value]) => value !== undefined));
  }

  function joinItems(
    before: Fields[],
    my: Fields[],
    their: Fields[],
    path: readonly string[],
  ): unknown[] {
    const joined = joinFields(byKey(before), byKey(my), byKey(their), path);
    const isReordered = !isSame(before.map(toKey), my.map(toKey));
    const [first, second] = isReordered ? [my, their] : [their, my];
    const order = new Set([...first, ...second].map(toKey));
    return [...order].filter((key) => key in joined).map((key) => joined[key]);
  }
}

/** Keeps additions and removals of both sides. */
const joinTexts = (before: string[], my: string[], their: string[]): string[] => [
  ...their.filter((text) => my.includes(text) || !before.includes(text)),
  ...my.filter((text) => !before.includes(text) && !their.includes(text)),
];

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const getKey = ({ id, language, country }: Fields) => id ?? language ?? country;
const toKey = (item: Fields): string => String(getKey(item));
const byKey = (items: Fields[]): Fields =>
  Object.fromEntries(items.map((item) => [toKey(item), item]));

/** Whether a value is a list of items with unique ids, languages or countries. */
const isKeyed = (value: unknown): value is Fields[] =>
  Array.isArray(value) &&
  value.every((item) => isFields(item) && getKey(item) !== undefined) &&
  new Set(value.map(toKey)).size === value.length;

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');
