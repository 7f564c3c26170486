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
  URL.revokeObjectURL(link.href);
}

const cell = (value: string | number | null): string =>
  `"${String(value ?? '')
    .replace(/^(?=[=+\-@\t\r])/, "'")
    .replaceAll('"', '""')}"`;
