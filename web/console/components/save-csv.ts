/** As `src/platform/csv.ts`, which says why: the test beside this file holds both to the same text. */
const FORMULA = /(?=[=+\-@])(?<=^\s*|[;\t\r\n][\s"]*)/g;

type Rows = readonly (readonly (string | number | null)[])[];

/** Safari starts a download later than the click. */
const REVOKE_AFTER_MS = 60_000;

/** Saves rows as a CSV file whose cells spreadsheets do not interpret as formulas. */
export function saveCsv(name: string, columns: readonly string[], rows: Rows): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([toCsv(columns, rows)], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}

/** CSV (RFC 4180) without formulas. */
export const toCsv = (columns: readonly string[], rows: Rows): string =>
  [columns, ...rows].map((row) => `${row.map(cell).join()}\r\n`).join('');

function cell(value: string | number | null): string {
  const plain = String(value ?? '').replace(FORMULA, "'");
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
