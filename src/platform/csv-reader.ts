export interface CsvRow {
  /** The line number in an editor: from 1, including the header. */
  line: number;
  values: Record<string, string>;
  cells: number;
}

/**
 * Parses CSV as spreadsheets write it: RFC 4180, with or without a byte order mark, separated by commas or, if the header
 * has none, by semicolons or tabs. A first line such as `sep=;`, which Excel writes and obeys, names another separator.
 * Empty lines are ignored, and so are columns without a name at the end.
 * @throws SyntaxError for a quote that is not closed, and for text that was not UTF-8
 */
export function parseCsv(text: string): { columns: string[]; rows: CsvRow[] } {
  const content = text.replace(/^\uFEFF/, '');
  assertUtf8(content);
  const [start = '', head = ''] = /^[\r\n]*([^\r\n]*)/.exec(content) ?? [];
  const named = /^"?sep=([,;:|\t])"?$/i.exec(head)?.[1];
  const separator = named ?? [',', ';'].find((each) => head.includes(each)) ?? '\t';
  const lines = readLines(content, separator, named === undefined ? 0 : start.length);
  const names = (lines[0]?.cells ?? []).map((name) => name.trim().toLowerCase());
  const columns = names.slice(0, countUsed(names));
  const rows = lines.slice(1).map(({ line, cells }) => ({
    line,
    cells: Math.max(countUsed(cells), Math.min(cells.length, columns.length)),
    values: Object.fromEntries(columns.map((name, at) => [name, (cells[at] ?? '').trim()])),
  }));
  return { columns, rows };
}

/** The number of cells without the empty ones at the end. */
const countUsed = (cells: readonly string[]): number =>
  cells.findLastIndex((each) => each.trim() !== '') + 1;

/** Reading other bytes as UTF-8 leaves replacement characters. */
function assertUtf8(text: string): void {
  const at = text.search(/[\uFFFD\0]/);
  if (at < 0) return;
  const line = (text.slice(0, at).match(/\r\n|\n|\r/g)?.length ?? 0) + 1;
  throw new SyntaxError(`Line ${line}: the file is not UTF-8. In Excel, save it as "CSV UTF-8".`);
}

/** @param from where reading begins: at 0, or at the end of the line that names the separator */
function readLines(
  text: string,
  separator: string,
  from: number,
): { line: number; cells: string[] }[] {
  const lines: { line: number; cells: string[] }[] = [];
  // A cell, quoted or not, and its end.
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\r\n][^${separator}\r\n]*|))([${separator}]|\r\n|\n|\r|$)`,
    'y',
  );
  cell.lastIndex = from;
  let line = text.slice(0, from).split(/\r\n|\n|\r/).length;
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
