import { Type } from 'typebox';
import { OneOf } from '../../platform/http/schemas.ts';

export const HookType = OneOf(['action', 'filter'], { description: 'Only hooks of this type.' });

export const Hook = Type.Object(
  {
    name: Type.String(),
    type: HookType,
    description: Type.String(),
    parameters: Type.Array(
      Type.Object({ name: Type.String(), type: Type.String(), description: Type.String() }),
    ),
    since: Type.String({ description: 'The version that added it.' }),
  },
  { title: 'Hook' },
);

const items = (...names: string[]) =>
  Type.Array(Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))));

export const ExtensionListing = Type.Object(
  {
    extensions: Type.Object({
      dsar_sources: items('id', 'label'),
      consent_scripts: items('handle', 'label'),
      vendors: items('slug', 'name'),
    }),
    totals: Type.Object({
      dsar_sources: Type.Integer(),
      consent_scripts: Type.Integer(),
      vendors: Type.Integer(),
    }),
    problems: Type.Array(Type.Object({ extension: Type.String(), message: Type.String() }), {
      description: 'Registrations that were rejected, with the reason.',
    }),
  },
  { title: 'ExtensionsListing' },
);
