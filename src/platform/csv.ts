/** What spreadsheets take for the start of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** A table as CSV (RFC 4180) that a spreadsheet opens without running anything of it. */
export const toCsv = (columns: readonly string[], rows: readonly object[]): string =>
  toCsvHead(columns) + toCsvRows(columns, rows);

/** The first line, with the names of the columns. */
export const toCsvHead = (columns: readonly string[]): string =>
  `${columns.map(cell).join(',')}\r\n`;

/** Further lines, of the columns that are named. */
export function toCsvRows(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) => {
    const values: Record<string, unknown> = { ...row };
    return `${columns.map((column) => cell(values[column])).join(',')}\r\n`;
  });
  return lines.join('');
}

function cell(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '');
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
