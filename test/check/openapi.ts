import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';
import { dataFolder, startServer } from '../support/process.ts';
import { DOCUMENTS } from './client-types.ts';

interface Response {
  content?: Record<string, { schema: Schema }>;
}
interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
}
export interface Document {
  paths: Record<
    string,
    Record<string, { requestBody?: Response; responses: Record<string, Response> }>
  >;
}

const redocly = await createConfig({
  extends: ['recommended'],
  // /health and the public key take nothing that a client could get wrong.
  rules: { 'operation-4xx-response': 'off' },
});
const spectral = new spectralCore.Spectral();
spectral.setRuleset({
  extends: [[rulesets.oas as RulesetDefinition, 'recommended']],
  // Who is to be contacted is the business of whoever runs the service.
  rules: { 'info-contact': 'off', 'operation-description': 'off' },
});

/** What Redocly, Spectral and we ourselves have against an OpenAPI document; a line each. */
export async function lintDocument(document: Document, name: string): Promise<string[]> {
  const source = JSON.stringify(document);
  const ofRedocly = await lintFromString({ source, config: redocly, absoluteRef: `${name}.json` });
  const ofSpectral = await spectral.run(new spectralCore.Document(source, parsers.Json, name));
  return [
    ...ofRedocly.map(({ ruleId, message, location }) => {
      const [{ pointer = '' } = {}] = location;
      return `Redocly ${ruleId}: ${pointer} ${message}`;
    }),
    ...ofSpectral.map(
      ({ code, message, path }) => `Spectral ${code}: ${path.join('.')} ${message}`,
    ),
    ...findUnnamed(document).map((place) => `${place} has a schema without a title`),
    ...findPatterns(document)
      .filter((pattern) => !isPortable(pattern))
      .map((pattern) => `${pattern} is not a pattern in ECMAScript, PCRE and Python alike`),
  ].map((line) => `${name}: ${line}`);
}

/** The bodies that programs would get anonymous types for. */
function findUnnamed({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, responses }]) =>
      Object.entries({ ...responses, body: requestBody }).flatMap(([place, response]) => {
        const schema = response?.content?.['application/json']?.schema;
        const { $ref, type } = schema?.items ?? schema ?? { type: 'string' };
        return $ref === undefined && type !== 'string' ? [`${method} ${path} ${place}`] : [];
      }),
    ),
  );
}

function findPatterns(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'pattern' && typeof each === 'string' ? [each] : findPatterns(each),
  );
}

/** Python has no `\p`, PCRE no `\u`, and named groups are written differently. Linters compile without flags. */
function isPortable(pattern: string): boolean {
  if (/\\[pPuUk]|\(\?</.test(pattern)) return false;
  try {
    return ['', 'u'].every((flag) => new RegExp(pattern, flag));
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const folder = dataFolder();
  const server = await startServer({ PAVIS_DATA_DIR: folder.path });
  const wrong: string[] = [];
  for (const { name, path } of DOCUMENTS) {
    wrong.push(...(await lintDocument((await server.http.get(path)).json, name)));
  }
  await server.stop();
  folder.remove();
  const seen = `${DOCUMENTS.length} OpenAPI documents linted, ${wrong.length} wrong`;
  process.stdout.write(`${[...wrong, seen].join('\n')}\n`);
  if (wrong.length > 0) process.exitCode = 1;
}
