import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { describeResponse, Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { EXAMPLE_KEY } from '../licences/index.ts';

const Slug = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The slug of the product. Default: the default product.',
});

export const TrialsQuery = Type.Object({ product: Type.Optional(Slug) });

export const Trials = describeResponse(
  'The trials of the product that need no card; an empty list if it has none.',
  {
    product: Type.String({ description: 'The slug of the product.' }),
    trials: Type.Array(
      Type.Object(
        {
          tier: Type.String({ description: 'The plan of the product.' }),
          plan: Type.String({ description: 'The name of the plan for people.' }),
          days: Type.Integer({ minimum: 1 }),
          sites: Type.Integer({ minimum: 1, description: 'Sites of the licence.' }),
          features: Type.Array(Type.String()),
          description: nullable(Type.String({ description: 'What buyers read of the plan.' })),
        },
        { title: 'OfferedTrial' },
      ),
    ),
  },
  {
    product: 'forms-pro',
    trials: [
      {
        tier: 'pro',
        plan: 'Pro',
        days: 14,
        sites: 3,
        features: ['export'],
        description: 'All features for small teams.',
      },
    ],
  },
  'Trials',
);
export type Trials = Static<typeof Trials>;

export const TrialRequest = Type.Object(
  {
    email: Text(254, { description: 'The email address for the licence key.' }),
    site_url: Text(URL_MAX_LENGTH, {
      description: 'The public address of the site: an http or https URL.',
    }),
    product: Type.Optional(Slug),
    tier: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'The plan. Default: the first one with a trial that needs no card.',
      }),
    ),
  },
  {
    title: 'TrialRequest',
    examples: [{ email: 'ada@example.com', site_url: 'https://example.com', product: 'forms-pro' }],
  },
);

export const TRIAL_REQUESTED =
  'An email is on its way to this address, unless many have been sent to it today.';

export const TrialRequested = describeResponse(
  'The request was accepted, whether or not the address or the site has had a trial.',
  { message: Type.String() },
  { message: TRIAL_REQUESTED },
  'TrialRequested',
);

export const TrialConfirmation = Type.Object(
  { token: Text(8_192, { description: 'The `token` in the link of the email.' }) },
  {
    title: 'TrialConfirmation',
    examples: [{ token: 'pW1mPq0b3uX9yR2cT7vK5sN8dF4gH6jL1zA0xC9vB3M' }],
  },
);

export const TrialStarted = describeResponse(
  'The trial has started.',
  {
    id: Type.String({ description: 'Licence identifier.' }),
    licence_key: Type.String({ description: 'The key, shown only here and in the email.' }),
    mode: OneOf(['live', 'test']),
    product: Type.String({ description: 'The slug of the product.' }),
    tier: Type.String({ description: 'The plan of the product.' }),
    plan: Type.String({ description: 'The name of the plan for people.' }),
    sites_allowed: Type.Integer({ minimum: 1 }),
    expires_at: Moment('When the trial ends by itself.', '2026-12-05T09:30:00.000Z'),
  },
  {
    id: 'lic_Qh3vXk81LmRt0PzA',
    licence_key: EXAMPLE_KEY,
    mode: 'live',
    product: 'forms-pro',
    tier: 'pro',
    plan: 'Pro',
    sites_allowed: 3,
    expires_at: '2026-12-05T09:30:00.000Z',
  },
  'TrialStarted',
);
export type TrialStarted = Static<typeof TrialStarted>;
