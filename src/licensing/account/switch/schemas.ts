import { type Static, Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../../platform/http/limits.ts';
import { describeResponse, Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { LICENCE_STATUSES } from '../../licences/index.ts';

const SITE_URL = 'The site to activate: an http or https URL.';

export const SwitchQuery = Type.Object({
  site_url: Text(URL_MAX_LENGTH, {
    description: SITE_URL,
    examples: ['https://shop.example.com'],
  }),
});

export const SwitchOptions = describeResponse(
  'The sites among which the customer chooses one to deactivate.',
  {
    id: Type.String({ description: 'Licence identifier.' }),
    product: Type.String({ description: 'The slug of the product.' }),
    plan: Type.String({ description: 'The name of the plan for people.' }),
    status: OneOf(LICENCE_STATUSES, {
      description: 'A site can be activated only while the licence is `active`.',
    }),
    sites_allowed: Type.Integer({ minimum: 1 }),
    sites_used: Type.Integer({ minimum: 0 }),
    site_active: Type.Boolean({ description: 'Whether the site is active already.' }),
    sites: Type.Array(
      Type.Object(
        {
          activation_id: Type.Integer(),
          site_url: Type.String({ description: 'As sent by the site.' }),
          activated_at: Moment('When the site was activated.', '2026-11-21T09:30:00.000Z'),
        },
        { title: 'SwitchableSite' },
      ),
      { description: 'The active sites that use a slot, oldest first.' },
    ),
  },
  {
    id: 'lic_Qh3vXk81LmRt0PzA',
    product: 'pavis',
    plan: 'Pro',
    status: 'active',
    sites_allowed: 1,
    sites_used: 1,
    site_active: false,
    sites: [
      {
        activation_id: 17,
        site_url: 'https://example.com',
        activated_at: '2026-11-21T09:30:00.000Z',
      },
    ],
  },
  'SwitchOptions',
);
export type SwitchOptions = Static<typeof SwitchOptions>;

export const SwitchRequest = Type.Object(
  {
    site_url: Text(URL_MAX_LENGTH, { description: SITE_URL }),
    activation_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The activation to end first. Not needed if a slot is free.',
      }),
    ),
  },
  {
    title: 'SwitchRequest',
    examples: [{ site_url: 'https://shop.example.com', activation_id: 17 }],
  },
);

export const SwitchResult = describeResponse(
  'The site is active.',
  {
    success: Type.Literal(true),
    activation_id: Type.Integer({ description: 'Unchanged if the site was already active.' }),
    deactivated: nullable(
      Type.String({ description: 'The URL of the site that was deactivated; null if none was.' }),
    ),
    message: Type.String(),
  },
  {
    success: true,
    activation_id: 18,
    deactivated: 'https://example.com',
    message: 'https://example.com is deactivated. https://shop.example.com is active.',
  },
  'SwitchResult',
);
