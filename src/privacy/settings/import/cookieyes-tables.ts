import { isObject, type Node, toRoot } from './nodes.ts';

/** The tables of the plugin without the prefix of the installation, and how the parts of a file are named. */
const TABLES = {
  cky_banners: 'banners',
  cky_cookie_categories: 'categories',
  cky_cookies: 'cookies',
};
/** Columns that hold JSON. */
const JSON_COLUMNS = ['settings', 'contents', 'name', 'description', 'duration', 'meta'];

/** The tables of CookieYes 3 as one object, also from a JSON export of phpMyAdmin. */
export function decodeCookieYes({ value }: Node): Node {
  const parts = Array.isArray(value) ? readTables(value) : isObject(value) ? value : {};
  return toRoot(
    Object.fromEntries(
      Object.entries(parts).map(([name, rows]) => [
        name,
        Array.isArray(rows) ? rows.map(decodeRow) : rows,
      ]),
    ),
  );
}

/** phpMyAdmin writes `[{"type": "table", "name": "wp_cky_banners", "data": […]}, …]`. */
function readTables(entries: readonly unknown[]): Record<string, unknown> {
  const tables = entries.filter(isObject).filter(({ type }) => type === 'table');
  return Object.fromEntries(
    Object.entries(TABLES).flatMap(([table, part]) => {
      const found = tables.find(({ name }) => typeof name === 'string' && name.endsWith(table));
      return found ? [[part, found.data]] : [];
    }),
  );
}

function decodeRow(row: unknown): unknown {
  if (!isObject(row)) return row;
  const read = Object.entries(row).map(([name, field]): [string, unknown] => [
    name,
    JSON_COLUMNS.includes(name) && typeof field === 'string' ? (readJson(field) ?? field) : field,
  ]);
  return Object.fromEntries(read);
}

function readJson(text: string): object | undefined {
  try {
    const read = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}
