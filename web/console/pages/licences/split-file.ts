/** A part of a file that one request can hold, and what to add to its line numbers. */
export interface FilePart {
  content: string;
  offset: number;
}

/** In characters. Even with three bytes each, they fit into a request. */
const PART_LENGTH = 60_000;

/** Splits a CSV or JSON file into parts. The server reports invalid JSON. */
export function splitFile(text: string, partLength = PART_LENGTH): FilePart[] {
  if (text.length <= partLength) return [{ content: text, offset: 0 }];
  return /^[\uFEFF\s]*[[{]/.test(text) ? splitJson(text, partLength) : splitCsv(text, partLength);
}

function splitJson(text: string, partLength: number): FilePart[] {
  const items = readItems(text);
  if (!items) return [{ content: text, offset: 0 }];
  const parts: FilePart[] = [];
  let part: string[] = [];
  let length = 0;
  const close = (next: number) => {
    if (part.length > 0) parts.push({ content: `[${part.join()}]`, offset: next - part.length });
    part = [];
    length = 0;
  };
  for (const [at, item] of items.entries()) {
    const json = JSON.stringify(item);
    if (length + json.length > partLength) close(at);
    part.push(json);
    length += json.length + 1;
  }
  close(items.length);
  return parts;
}

/** A list, an object with the list in `data`, or a list of such objects (pages of an API). */
function readItems(text: string): unknown[] | undefined {
  try {
    const content = JSON.parse(text.replace(/^\uFEFF/, ''));
    const pages = Array.isArray(content) ? content : [content];
    return pages.flatMap((page) => (Array.isArray(page?.data) ? page.data : [page]));
  } catch {
    return undefined;
  }
}

/** Each part has the header and what can precede it: empty lines, the separator. A quoted cell can contain line breaks. */
function splitCsv(text: string, partLength: number): FilePart[] {
  // As the server does: the separator that the first line names, or the one of the header.
  const head = /^[\uFEFF\r\n]*([^\r\n]*)/.exec(text)?.[1] ?? '';
  const named = /^"?sep=([,;:|\t])"?$/i.exec(head)?.[1];
  const separator = named ?? [',', ';'].find((each) => head.includes(each)) ?? '\t';
  // A quote within a cell, as in `5" screen`, is a character of it.
  const record = new RegExp(
    `(?:[^"\r\n]|(?<=^\uFEFF?|[${separator}\r\n])"(?:[^"]|"")*(?:"|$)|")*(?:\r\n|\r|\n|$)`,
    'g',
  );
  const lines = (text.match(record) ?? []).filter((line) => line !== '');
  const first = lines.findIndex((line) => line.trim() !== '');
  const header = lines.splice(0, first + (named ? 2 : 1)).join('');
  const headerLines = countLines(header);
  const parts: FilePart[] = [];
  let content = header;
  let offset = 0;
  let line = headerLines;
  for (const row of lines) {
    if (content.length + row.length > partLength && content !== header) {
      parts.push({ content, offset });
      content = header;
      offset = line - headerLines;
    }
    content += row;
    line += countLines(row);
  }
  if (content !== header || parts.length === 0) parts.push({ content, offset });
  return parts;
}

const countLines = (text: string): number => (text.match(/\r\n|\r|\n/g) ?? []).length;
