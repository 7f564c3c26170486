export interface CsvRow {
  /** The line number in an editor: from 1, including the header. */
  line: number;
  values: Record<string, string>;
  cells: number;
}

/**
 * Parses CSV as spreadsheets write it: RFC 4180, with or without a byte order mark, separated by commas or, if the header
 * has none, by semicolons. Empty lines are ignored.
 * @throws SyntaxError for a quote that is not closed
 */
export function parseCsv(text: string): { columns: string[]; rows: CsvRow[] } {
  const content = text.replace(/^\uFEFF/, '');
  const head = /^[^\r\n]*/.exec(content)?.[0] ?? '';
  const lines = readLines(content, head.includes(',') ? ',' : ';');
  const columns = (lines[0]?.cells ?? []).map((name) => name.trim().toLowerCase());
  const rows = lines.slice(1).map(({ line, cells }) => ({
    line,
    cells: cells.length,
    values: Object.fromEntries(columns.map((name, at) => [name, (cells[at] ?? '').trim()])),
  }));
  return { columns, rows };
}

function readLines(text: string, separator: string): { line: number; cells: string[] }[] {
  const lines: { line: number; cells: string[] }[] = [];
  // A cell, quoted or not, and its end.
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\r\n][^${separator}\r\n]*|))(${separator}|\r\n|\n|\r|$)`,
    'y',
  );
  let line = 1;
  let current = { line, cells: [] as string[] };
  while (cell.lastIndex < text.length || current.cells.length > 0) {
    const match = cell.exec(text);
    if (!match) throw new SyntaxError(`Line ${line}: a quote is not closed, or text follows one.`);
    const [, quoted, plain = '', end = ''] = match;
    current.cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    line += (match[0].match(/\r\n|\n|\r/g) ?? []).length;
    if (end === separator) continue;
    if (current.cells.some((each) => each.trim() !== '')) lines.push(current);
    if (end === '') break;
    current = { line, cells: [] };
  }
  return lines;
}
