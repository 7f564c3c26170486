import { Type } from 'typebox';
import { describeResponse, OneOf } from '../../platform/http/schemas.ts';
import { expiryFields, licenceInfoFields } from '../licences/index.ts';
import { VALIDATION_STATES } from './rules.ts';

export const ValidationResult = describeResponse(
  'The result for a known licence.',
  {
    valid: Type.Boolean({ description: 'Whether the licence is valid for this site now.' }),
    tier: Type.String({ description: 'The plan of the product.' }),
    sites_allowed: Type.Integer({ minimum: 1 }),
    sites_used: Type.Integer({ minimum: 0 }),
    expires_at: expiryFields.expires_at,
    message: Type.String({ description: 'The reason, for people.' }),
    site_active: Type.Boolean({ description: 'Whether this site is activated.' }),
    paid_until: expiryFields.paid_until,
    mode: OneOf(['live', 'test']),
    product: Type.String({ description: 'The slug of the product.' }),
    features: licenceInfoFields.features,
    state: OneOf(VALIDATION_STATES, {
      description:
        'The reason, for programs. `not_activated`: the site can be activated. `grace`: the paid period has ended.',
    }),
  },
  {
    valid: true,
    tier: 'pro',
    sites_allowed: 3,
    sites_used: 1,
    expires_at: '2027-11-21T00:00:00.000Z',
    message: 'Licence is active for this site.',
    site_active: true,
    paid_until: '2027-11-21T00:00:00.000Z',
    mode: 'live',
    product: 'pavis',
    features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
    state: 'active',
  },
  'ValidationResult',
);
