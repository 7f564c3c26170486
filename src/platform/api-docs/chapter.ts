import { type Html, html } from '../html.ts';
import type { Answer, Call, Chapter, OpenApi, Parameter, SecurityScheme } from './document.ts';
import { formatCurl } from './example.ts';
import { bodyFields, type Field, fieldList } from './fields.ts';
import { json, line, prose } from './markdown.ts';
import { tryItForm } from './try-it.ts';

/** Links to the operations of a chapter. */
export const callList = ({ calls }: Chapter, page: string): Html =>
  html`<ul class="calls" role="list">${calls.map(
    ({ method, path, operation }) =>
      html`<li><a href="${page}#${operation.operationId}"><span>${line(operation.summary)}</span> <code>${method} ${path}</code></a></li>`,
  )}</ul>`;

export const chapterPage = (api: OpenApi, chapter: Chapter): Html => html`<h1>${chapter.title}</h1>
<p class="lead">${line(chapter.description)}</p>
<nav aria-label="On this page">${callList(chapter, '')}</nav>
${chapter.calls.map((call) => article(api, call))}`;

function article(api: OpenApi, call: Call): Html {
  const { method, path, operation } = call;
  const { operationId: id, parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses);
  const refusals = answers.filter(([status]) => Number(status) >= 400);
  const body = requestBody?.content['application/json'];
  return html`<article aria-labelledby="${id}">
<h2 id="${id}">${line(operation.summary)}</h2>
<p class="call"><code>${method} ${path}</code></p>
${prose(operation.description)}
<p class="note">${describeAccess(api, call)}</p>
${parameters.length > 0 && html`<h3>Parameters</h3>${fieldList(parameters.map(parameterField))}`}
${body && html`<h3>Body</h3>${bodyFields(body.schema)}`}
<h3>Answer</h3>
${answers.filter(([status]) => Number(status) < 400).map(([status, answer]) => answerPart(status, answer))}
${refusals.length > 0 && html`<details><summary><span>Errors: ${refusals.map(([status]) => status).join(', ')}</span></summary><dl class="fields">${refusals.map(([status, answer]) => refusalPart(status, answer))}</dl></details>`}
<details><summary><span>Example with curl</span></summary><pre><code>${formatCurl(api, call)}</code></pre></details>
${tryItForm(api, call)}
</article>`;
}

const answerPart = (status: string, { description, content = {} }: Answer): Html =>
  html`<p><code>${status}</code> ${line(description)}</p>${Object.entries(content).map(
    ([type, { schema, example }]) =>
      html`<details><summary><span>Content, as <code>${type}</code></span></summary>${bodyFields(schema)}${example !== undefined && html`<p class="note">For example</p>${json(example)}`}</details>`,
  )}`;

const refusalPart = (status: string, { description, content = {} }: Answer): Html =>
  html`<div><dt><code>${status}</code></dt><dd>${prose(description)}${Object.values(content).map(({ example }) => example !== undefined && json(example))}</dd></div>`;

const parameterField = ({ name, in: place, required, description, schema }: Parameter): Field => ({
  name: place === 'query' ? name : `${name} (${place})`,
  schema,
  isOptional: !required,
  description: description ?? schema.description,
});

function describeAccess({ components }: OpenApi, { operation }: Call): string {
  const ways = operation.security.map((way) =>
    Object.keys(way).map((name) => {
      const scheme = components.securitySchemes[name];
      return scheme ? describeScheme(scheme) : name;
    }),
  );
  if (ways.length === 0) return 'For everybody.';
  return `With ${ways.map((way) => way.join(' and ') || 'nothing').join(', or ')}.`;
}

export function describeScheme({ type, scheme, name, in: place }: SecurityScheme): string {
  if (type === 'http') return scheme === 'basic' ? 'an application password' : 'a bearer token';
  return `the ${place} ${name}`;
}
