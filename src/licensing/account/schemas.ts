import { Type } from 'typebox';
import { describeResponse } from '../../platform/http/schemas.ts';
import { ActivationRecord } from '../activations/index.ts';
import { licenceInfoExample, licenceInfoFields } from '../licences/index.ts';

export const bearerSecurity = [{ bearer: [] }];

export const LicenceInfoQuery = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The licence key.',
    examples: ['pv_live_Vb7Kq2LmX9TzR4WdN8cYhF3sJpG6uEaQ'],
  }),
});

export const LicenceInfo = describeResponse(
  'The licence, with every site that uses or used it. Sites that were deactivated before the licence was transferred to this customer are left out.',
  {
    ...licenceInfoFields,
    activations: Type.Array(ActivationRecord, { description: 'Oldest first.' }),
  },
  {
    ...licenceInfoExample,
    activations: [
      {
        id: 17,
        site_url: 'https://example.com',
        activated_at: '2026-11-21T09:30:00.000Z',
        deactivated_at: null,
      },
    ],
  },
  'LicenceInfo',
);

export const LicenceParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64, description: 'Licence identifier.' }),
});

export const ActivationChoice = Type.Object(
  {
    activation_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Of the activation to end.',
    }),
  },
  { title: 'ActivationChoice', examples: [{ activation_id: 17 }] },
);

export const LicencesQuery = Type.Object({
  before: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'Licence identifier, `next` of another answer: goes on with those issued before it.',
    }),
  ),
});

export const CustomerLicences = describeResponse(
  'The licences of the customer, newest first, 1,000 at most.',
  {
    licences: Type.Array(Type.Object(licenceInfoFields, { title: 'Licence' })),
    next: Type.Union([Type.String(), Type.Null()], {
      description: 'What to give as `before` to see more; null if these are the last.',
    }),
  },
  { licences: [licenceInfoExample], next: null },
  'CustomerLicences',
);
