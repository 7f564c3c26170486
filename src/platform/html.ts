/** Escaped HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/** A template tag that escapes texts. `Html` is inserted unchanged; false, null and undefined are left out. */
export function html(parts: TemplateStringsArray, ...values: HtmlPart[]): Html {
  return new Html(
    parts.map((part, at) => part + (at < values.length ? toText(values[at]) : '')).join(''),
  );
}

/** For text and quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function toText(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(toText).join('');
  return part === false || part === null || part === undefined ? '' : escapeHtml(String(part));
}
