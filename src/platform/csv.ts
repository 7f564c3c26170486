/** Spreadsheets read such cells as formulas. */
const FORMULA = /^[=+\-@\t\r]/;

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
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
