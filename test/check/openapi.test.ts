import { describe, expect, it } from 'vitest';
import { type Document, lintDocument } from './openapi.ts';

const document = (schema: object, pattern = '^[a-z]+$', tag = 'Things'): Document => {
  const content = { 'application/json': { schema } };
  return {
    openapi: '3.1.0',
    info: {
      title: 'An API',
      description: 'Things.',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:8787' }],
    tags: [{ name: 'Things', description: 'Things.' }],
    components: {
      schemas: { Thing: { type: 'string', pattern, examples: ['a'] } },
    },
    paths: {
      '/things': {
        get: {
          operationId: 'getThing',
          summary: 'Get a thing',
          tags: [tag],
          security: [],
          responses: { 200: { description: 'It.', content } },
        },
      },
    },
  } as Document;
};
const reference = { $ref: '#/components/schemas/Thing' };

describe('The check of OpenAPI documents', () => {
  it('has nothing against a sound one', async () => {
    expect(await lintDocument(document(reference), 'it')).toEqual([]);
  });

  it.each<[string, Document, RegExp]>([
    ['a reference that leads nowhere', document({ $ref: '#/x' }), /Redocly no-unresolved-refs/],
    [
      'an example that does not fit',
      document(reference, '^[0-9]+$'),
      /Redocly no-invalid-schema-examples/,
    ],
    [
      'a tag that is not described',
      document(reference, '^[a-z]+$', 'Else'),
      /Spectral operation-tag-defined/,
    ],
    ['an anonymous body', document({ type: 'object' }), /get \/things 200 has a schema without/],
    ['a pattern for ECMAScript alone', document(reference, '^\\p{L}+$'), /not a pattern in/],
    ['a pattern that is none', document(reference, '^(a$'), /not a pattern in/],
  ])('finds %s', async (_what, wrong, line) => {
    expect((await lintDocument(wrong, 'it')).join('\n')).toMatch(line);
  });
});
