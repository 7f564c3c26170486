import { type Static, Type } from 'typebox';
import { describeResponse, nullable, Text } from '../../platform/http/schemas.ts';
import { ActivationRecord } from '../activations/index.ts';
import { EXAMPLE_KEY, licenceInfoExample, licenceInfoFields } from '../licences/index.ts';

export const LicenceInfoQuery = Type.Object({
  key: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'The licence key.',
    examples: [EXAMPLE_KEY],
  }),
});

export const LicenceInfo = describeResponse(
  'The licence and its activation history. Sites that were deactivated before a transfer to this customer are left out.',
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
export type LicenceInfo = Static<typeof LicenceInfo>;

export const NewKeyResult = describeResponse(
  'The email with the new key is queued.',
  { success: Type.Literal(true), message: Type.String() },
  { success: true, message: 'A new key is on its way to your email address.' },
  'NewKeyResult',
);

export const LicenceFile = describeResponse(
  'A licence file, which the public keys of the server verify offline. It contains no key and no customer data.',
  {
    file: Type.String({ description: 'A JWT, signed with Ed25519.' }),
    valid_until: Type.String({ format: 'date-time' }),
  },
  { file: 'eyJhbGciOiJFZERTQSIsInR5cCI6…', valid_until: '2026-12-27T09:30:00.000Z' },
  'LicenceFile',
);

export const LicencesQuery = Type.Object({
  before: Type.Optional(
    Text(64, {
      description: 'The `next` of the previous response: lists licences issued before it.',
    }),
  ),
  search: Type.Optional(
    Text(200, {
      minLength: 0,
      description: 'Part of an identifier, a masked key or the URL of an active site; or a key.',
    }),
  ),
});

export const CustomerLicences = describeResponse(
  'The licences of the customer, newest first, at most 1,000.',
  {
    licences: Type.Array(Type.Object(licenceInfoFields, { title: 'Licence' })),
    next: nullable(
      Type.String({ description: 'Value of `before` for more licences; null if there are none.' }),
    ),
  },
  { licences: [licenceInfoExample], next: null },
  'CustomerLicences',
);
