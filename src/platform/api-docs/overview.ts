import { type Html, html } from '../html.ts';
import { callList, describeScheme } from './chapter.ts';
import type { DescribedApi } from './described-api.ts';
import { line, prose } from './markdown.ts';

/** The page that links to every operation; it lies beside the chapters' folders. */
export const apiOverview = (apis: DescribedApi[]): Html => html`<h1>API reference</h1>
<p class="lead">Every operation, with what it takes, what it answers and an example. What is not called optional is always there, or has to be sent.</p>
${apis.map(
  ({ name, document, api, chapters }) => html`<h2>${api.info.title}</h2>
${prose(api.info.description)}
<dl>
<dt>Address</dt><dd><code>${api.servers[0].url}</code></dd>
<dt>Version</dt><dd>${api.info.version}</dd>
<dt>Access</dt>${Object.values(api.components.securitySchemes).map((scheme) => html`<dd>With ${describeScheme(scheme)}: ${line(scheme.description)}</dd>`)}
<dt>For programs</dt><dd><a href="..${document}">OpenAPI 3.1</a></dd>
</dl>
${chapters.map(
  (chapter) => html`<h3>${chapter.title}</h3>
<p class="note">${line(chapter.description)}</p>
${callList(chapter, `${name}/${chapter.name}`)}`,
)}`,
)}`;
