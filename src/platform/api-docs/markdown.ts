import { type Html, type HtmlPart, html } from '../html.ts';

/** A line of a description: what stands between backticks is code. */
export const line = (text: string): HtmlPart =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

/** A description: its paragraphs, which empty lines part. */
export const prose = (text: string | undefined): Html[] =>
  (text ?? '')
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((paragraph) => html`<p>${line(paragraph)}</p>`);

/** A value as JSON, to be read. */
export const json = (value: unknown): Html =>
  html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`;
