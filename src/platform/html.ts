/** A piece of HTML: what stands in it as text is escaped already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlPart = Html | string | number | false | null | undefined | readonly HtmlPart[];

/** HTML from a template: pieces of HTML go in as they are, texts escaped, and what is nothing not at all. */
export function html(parts: TemplateStringsArray, ...values: HtmlPart[]): Html {
  return new Html(
    parts.map((part, at) => part + (at < values.length ? textOf(values[at]) : '')).join(''),
  );
}

/** A text as it may stand in HTML, within quotes too. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

function textOf(part: HtmlPart): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return part === false || part === null || part === undefined ? '' : escapeHtml(String(part));
}
