import { type Entry, InvalidFile } from './entry.ts';

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

/** Members of an object as text, a list as lines. A value that holds an object or another list is the error of the entry. */
export function readMembers(
  fields: JsonEntry['fields'],
  names: readonly string[],
): Pick<Entry, 'values' | 'error'> {
  const texts = names.map((name) => [name, toText(fields[name])] as const);
  const wrong = texts.find(([, text]) => text === undefined);
  return {
    values: Object.fromEntries(texts.map(([name, text]) => [name, text ?? ''])),
    ...(wrong && {
      error: `${wrong[0]} must be text, a number, true, false, null or a list of these.`,
    }),
  };
}

function toText(value: unknown): string | undefined {
  const parts = Array.isArray(value) ? value : [value];
  if (parts.some((part) => part !== null && typeof part === 'object')) return undefined;
  return parts.map((part) => String(part ?? '').trim()).join('\n');
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidFile('The file is not JSON.');
  }
}
