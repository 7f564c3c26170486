import { Type } from 'typebox';
import { URL_MAX_LENGTH } from '../../../platform/http/limits.ts';
import { describeResponse, Moment, Text } from '../../../platform/http/schemas.ts';
import { EXAMPLE_KEY, licenceInfoFields } from '../../licences/index.ts';

const OLD_KEY_MAX_LENGTH = 256;

export const ExchangeRequest = Type.Object(
  {
    licence_key: Text(OLD_KEY_MAX_LENGTH, {
      description: 'The old key, as the system before had issued it.',
    }),
    site_url: Text(URL_MAX_LENGTH, { description: 'The site: an http or https URL.' }),
    product: Type.Optional(
      Text(64, {
        description:
          'The slug of your product. The key of another product then gets the same 404 as an unknown key. Needed if licences of several products have the same old key.',
      }),
    ),
  },
  {
    title: 'ExchangeRequest',
    examples: [
      { licence_key: '80e15db5-c796-436b-850c-8f9c98a48abe', site_url: 'https://example.com' },
    ],
  },
);

export const ExchangeResult = describeResponse(
  'The new key. The site is active.',
  {
    licence_key: Type.String({
      description:
        'The new key. Store it instead of the old one. All sites of a licence get the same.',
    }),
    activation_id: Type.Integer({ description: 'Unchanged if the site was already active.' }),
    product: Type.String({ description: 'The slug of the product.' }),
    tier: Type.String({ description: 'The plan of the product.' }),
    features: licenceInfoFields.features,
    repeatable_until: Moment(
      'Until when this site can repeat the request, for example after a lost response.',
      '2026-11-28T09:30:00.000Z',
    ),
  },
  {
    licence_key: EXAMPLE_KEY,
    activation_id: 17,
    product: 'pavis',
    tier: 'pro',
    features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
    repeatable_until: '2026-11-28T09:30:00.000Z',
  },
  'ExchangeResult',
);
