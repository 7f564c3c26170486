import { type Html, html } from '../html.ts';
import type { Call, OpenApi, Parameter, Schema } from './document.ts';

/**
 * A form that sends a GET request; the script of the pages shows it. Empty for other methods.
 * @returns fields with their documented defaults, and one for each credential that is a header
 */
export function tryItForm(api: OpenApi, { method, path, operation }: Call): Html | false {
  if (method !== 'GET') return false;
  const { operationId, parameters = [], security } = operation;
  const schemes = new Set(security.flatMap((way) => Object.keys(way)));
  const credentials = [...schemes].flatMap((name) => listCredentials(api, name));
  const prefix = new URL(api.servers[0].url).pathname.replace(/\/$/, '');
  const fields = [...parameters, ...credentials].map((each, at) =>
    field(each, `${operationId}-${at}`),
  );
  return html`<details class="try" hidden><summary><span>Try it</span></summary>
<form data-path="${prefix}${path}" data-session="${schemes.has('nonce') ? 'optional' : ''}">
${schemes.has('nonce') && html`<p class="note" data-signed-in></p>`}
<div class="pair">${fields}</div>
<button class="small">Send the request</button>
<p class="call" role="status"></p>
<div class="answer"></div>
</form></details>`;
}

function listCredentials({ components }: OpenApi, name: string): Parameter[] {
  const scheme = components.securitySchemes[name];
  if (!scheme) return [];
  const { type, scheme: kind, name: header = '', in: place, description } = scheme;
  const schema = { type: 'string' };
  if (type === 'http' && kind === 'bearer')
    return [{ name: 'Bearer token', in: 'bearer', required: false, description, schema }];
  // The session of the console brings its own nonce.
  if (place !== 'header' || name === 'nonce') return [];
  return [{ name: header, in: 'header', required: false, description, schema }];
}

function field({ name, in: place, required, schema }: Parameter, id: string): Html {
  const values = listValues(schema);
  const given = schema.default === undefined ? '' : String(schema.default);
  const attributes = html`id="${id}" name="${name}" data-in="${place}"${required && html` required`}`;
  return html`<div class="field"><label for="${id}"><code>${name}</code>${!required && html` <span class="optional">optional</span>`}</label>
${
  values
    ? html`<select ${attributes}>${given === '' && html`<option value=""></option>`}${values.map((value) => html`<option${value === given && html` selected`}>${value}</option>`)}</select>`
    : html`<input ${attributes} value="${given}" autocomplete="off" spellcheck="false">`
}</div>
`;
}

/** The values that a parameter may have, where they are listed. */
function listValues({ enum: values, type }: Schema): string[] | undefined {
  if (type === 'boolean') return ['true', 'false'];
  return type === 'array' ? undefined : values?.map(String);
}
