/** Safari starts a download later than the click. */
const REVOKE_AFTER_MS = 60_000;

/** Saves rows as a CSV file whose cells spreadsheets do not interpret as formulas. */
export function saveCsv(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): void {
  const lines = [columns.join(), ...rows.map((row) => row.map(cell).join())];
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_AFTER_MS);
}

const cell = (value: string | number | null): string =>
  `"${String(value ?? '')
    .replace(/^(?=[=+\-@\t\r])/, "'")
    .replaceAll('"', '""')}"`;
