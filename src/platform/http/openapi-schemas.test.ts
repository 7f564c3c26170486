import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { nameSchemas, resolveReferences } from './openapi-schemas.ts';

const Vendor = Type.Object(
  { title: Type.String() },
  { title: 'Vendor', examples: [{ title: 'A' }] },
);
const named = (...schemas: object[]) =>
  nameSchemas({ info: { title: 'An API' }, components: { headers: {} }, paths: schemas });

describe('The schemas of a document', () => {
  it('stand once under their titles, those within others too', () => {
    const List = Type.Object({ vendors: Type.Array(Vendor) }, { title: 'VendorList' });
    expect(named(List, Vendor)).toEqual({
      info: { title: 'An API' },
      paths: [{ $ref: '#/components/schemas/VendorList' }, { $ref: '#/components/schemas/Vendor' }],
      components: {
        headers: {},
        schemas: {
          Vendor: {
            type: 'object',
            properties: { title: { type: 'string' } },
            required: ['title'],
            examples: [{ title: 'A' }],
          },
          VendorList: {
            type: 'object',
            properties: {
              vendors: { type: 'array', items: { $ref: '#/components/schemas/Vendor' } },
            },
            required: ['vendors'],
          },
        },
      },
    });
  });

  it('keep descriptions of their own beside the reference', () => {
    const { paths, components } = named(
      Type.String({ title: 'Id', description: 'Of a vendor.' }),
      Type.String({ title: 'Id', description: 'Of a scan.' }),
    ) as { paths: object[]; components: { schemas?: object } };
    expect(paths[1]).toEqual({ $ref: '#/components/schemas/Id', description: 'Of a scan.' });
    expect(components.schemas).toEqual({ Id: { type: 'string' } });
  });

  it('are refused where two that differ have one title', () => {
    expect(() => named(Vendor, Type.Object({}, { title: 'Vendor' }))).toThrow(
      'Two schemas have the title Vendor',
    );
  });

  it('say of a map what its values are', () => {
    expect(named(Type.Record(Type.String(), Type.Integer())).paths).toEqual([
      { type: 'object', additionalProperties: { type: 'integer' } },
    ]);
  });

  it('are the same again when the references are resolved', () => {
    const { title: _title, ...plain } = Vendor as { title?: string };
    expect(resolveReferences(named(Vendor)).paths).toEqual([JSON.parse(JSON.stringify(plain))]);
  });
});
