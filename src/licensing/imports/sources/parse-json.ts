import { InvalidFile } from './entry.ts';

export interface JsonEntry {
  line: number;
  fields: Readonly<Record<string, unknown>>;
}

/**
 * The objects of a JSON list. The list may stand in the member `data`, as pages of APIs have it, and there may be a list of
 * such pages.
 * @throws InvalidFile
 */
export function parseJsonEntries(text: string): JsonEntry[] {
  const content = parse(text.replace(/^\uFEFF/, ''));
  const pages = Array.isArray(content) ? content : [content];
  const items = pages.flatMap((page) => (Array.isArray(page?.data) ? page.data : [page]));
  return items.map((fields, at) => {
    if (fields === null || typeof fields !== 'object' || Array.isArray(fields))
      throw new InvalidFile('The file must be a JSON list of objects.');
    return { line: at + 1, fields };
  });
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidFile('The file is not JSON.');
  }
}
