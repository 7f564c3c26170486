import { type Html, type HtmlPart, html } from '../html.ts';

/** Text with code between backticks. */
export const line = (text: string): HtmlPart =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));

export const prose = (text: string | undefined): Html[] =>
  (text ?? '')
    .split(/\n{2,}/)
    .filter(Boolean)
    .map((paragraph) => html`<p>${line(paragraph)}</p>`);

export const json = (value: unknown): Html =>
  html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`;
