import { Type } from 'typebox';
import type { Platform } from '../../platform/deps.ts';
import { HOOK_CATALOGUE } from '../../platform/hooks/catalogue.ts';
import { OneOf } from '../../platform/http/schemas.ts';
import type { RestApi } from '../../platform/rest/rest-api.ts';

const HookType = OneOf(['action', 'filter'], { description: 'Only hooks of this kind.' });

const Hook = Type.Object(
  {
    name: Type.String(),
    type: HookType,
    description: Type.String(),
    parameters: Type.Array(
      Type.Object({ name: Type.String(), type: Type.String(), description: Type.String() }),
    ),
    since: Type.String({ description: 'The version that brought it.' }),
  },
  { title: 'Hook' },
);

const items = (...names: string[]) =>
  Type.Array(Type.Object(Object.fromEntries(names.map((name) => [name, Type.String()]))));

const ExtensionListing = Type.Object({
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
    description: 'What was not taken, and why.',
  }),
});

/** What a developer can build on: `/developer/hooks` and `/developer/extensions`. */
export function developerRoutes(api: RestApi, { extensions }: Platform): void {
  api.add({
    method: 'GET',
    path: '/developer/hooks',
    summary: 'The documented action and filter hooks',
    args: Type.Object({ type: Type.Optional(HookType) }),
    answers: { 200: Type.Array(Hook) },
    async handle({ args: { type } }) {
      return { body: HOOK_CATALOGUE.filter((hook) => type === undefined || hook.type === type) };
    },
  });
  api.add({
    method: 'GET',
    path: '/developer/extensions',
    summary: 'What extensions have registered',
    answers: { 200: ExtensionListing },
    async handle() {
      return { body: { ...extensions.listing(), problems: extensions.problems } };
    },
  });
}
