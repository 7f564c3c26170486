/**
 * Where spreadsheets begin to read a formula: at the beginning of a cell, and after what is another separator than the
 * comma, which in German is `;`. They read quotes at the beginning of their own cells only, so quotes do not help.
 */
const FORMULA = /(?=[=+\-@])(?<=^\s*|[;\t\r\n][\s"]*)/g;

/** CSV (RFC 4180) without formulas. */
export const toCsv = (columns: readonly string[], rows: readonly object[]): string =>
  toCsvHead(columns) + toCsvRows(columns, rows);

export const toCsvHead = (columns: readonly string[]): string =>
  `${columns.map(cell).join(',')}\r\n`;

export function toCsvRows(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) => {
    const values: Record<string, unknown> = { ...row };
    return `${columns.map((column) => cell(values[column])).join(',')}\r\n`;
  });
  return lines.join('');
}

function cell(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  const plain = text.replace(FORMULA, "'");
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
