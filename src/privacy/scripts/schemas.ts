import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { Flag, Moment, NonBlankText, OneOf, SLUG, Text } from '../../platform/http/schemas.ts';
import type { Script, ScriptFields } from './store.ts';

/** How a script is blocked; the first is the default. */
const BLOCKING_METHODS = [
  'type_attribute',
  'data_src',
  'iframe_placeholder',
  'dynamic_load',
] as const;

/** White space and control characters. */
const NO_BLANKS = '^[^\\s\\x00-\\x1f\\x7f-\\x9f]*$';

/** In requests a boolean is accepted, too. */
const GivenFlag = (description: string) => Type.Union([Flag, Type.Boolean()], { description });

const fields = {
  handle: Type.String({ pattern: SLUG, description: 'Unique.' }),
  label: NonBlankText(200, { description: 'Display name.' }),
  category: Text(64, {
    description: 'The consent category that must be accepted; one of those of the settings.',
  }),
  script_url: Type.String({
    maxLength: 2_048,
    pattern: NO_BLANKS,
    description: 'Address of the script: an http or https URL without user name and password.',
  }),
  blocking_method: OneOf(BLOCKING_METHODS, {
    description: `How the script is blocked until consent. Default: ${BLOCKING_METHODS[0]}.`,
  }),
};

/** A stored address can have characters that a URI escapes. */
const script_url = Type.String({ ...fields.script_url, format: 'uri' });

const is_active = GivenFlag('Whether the banner loads it after consent. Default: 1.');

export const ScriptFilterArgs = {
  category: Type.Optional(
    Text(64, {
      description: 'Only scripts of this category, which can have been removed from the settings.',
    }),
  ),
  is_active: Type.Optional(GivenFlag('Only active (1) or inactive (0) scripts.')),
  search: Type.Optional(Text(200, { minLength: 0, description: 'Part of a handle or label.' })),
};

export const ScriptCreation = Type.Object(
  {
    ...fields,
    script_url,
    blocking_method: Type.Optional(fields.blocking_method),
    is_active: Type.Optional(is_active),
  },
  {
    title: 'ScriptCreation',
    examples: [
      {
        handle: 'ada',
        label: 'Ada Analytics',
        category: 'analytics',
        script_url: 'https://cdn.example.com/ada.js',
      },
    ],
  },
);

/** Absent fields stay unchanged. */
export const ScriptUpdate = Type.Partial(ScriptCreation, {
  title: 'ScriptUpdate',
  examples: [{ category: 'marketing' }],
});

export const toScriptFields = (args: Static<typeof ScriptCreation>): ScriptFields => ({
  handle: args.handle,
  label: args.label,
  category: args.category,
  scriptUrl: args.script_url,
  blockingMethod: args.blocking_method ?? BLOCKING_METHODS[0],
  isActive: Boolean(args.is_active ?? true),
});

export const ScriptRecord = Type.Object(
  {
    id: Type.Integer(),
    ...fields,
    is_active: Flag,
    source: OneOf(['custom', 'extension'], {
      description:
        'Who registered it. A script of an extension can be changed only in the extension.',
    }),
    created_at: Moment('When it was registered.', '2026-11-21T09:30:00.000Z'),
    updated_at: Moment('When it was last changed.', '2026-11-21T09:30:00.000Z'),
  },
  { title: 'Script', description: 'A script that is blocked until consent.' },
);

export const PublicScript = Type.Object(fields, {
  title: 'BlockedScript',
  description: 'An active script that is blocked until consent.',
});

export const toPublicScript = (script: Script) => ({
  handle: script.handle,
  label: script.label,
  category: script.category,
  script_url: script.scriptUrl,
  blocking_method: script.blockingMethod,
});

export const toScriptRecord = (script: Script) => ({
  id: script.id,
  ...toPublicScript(script),
  is_active: script.isActive ? 1 : 0,
  source: script.extension === null ? 'custom' : 'extension',
  created_at: toIsoMoment(script.createdAt),
  updated_at: toIsoMoment(script.updatedAt),
});
