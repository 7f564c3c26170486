import { Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { describeResponse, Moment, nullable } from '../../platform/http/schemas.ts';
import { licenceInfoFields } from '../licences/index.ts';
import type { Activation } from './store.ts';

export const ActivationResult = describeResponse(
  'The site is active.',
  {
    success: Type.Boolean(),
    activation_id: Type.Integer({ description: 'Unchanged if the site was already active.' }),
    tier: Type.String({ description: 'The plan of the product.' }),
    features: licenceInfoFields.features,
  },
  {
    success: true,
    activation_id: 17,
    tier: 'pro',
    features: ['dsar', 'retention', 'reporting', 'advanced_integrations'],
  },
  'ActivationResult',
);

export const DeactivationResult = describeResponse(
  'The site is not active.',
  {
    success: Type.Boolean({ description: 'False if the site was never active.' }),
    message: Type.String({ description: 'Contains the site URL.' }),
  },
  { success: true, message: 'https://example.com is deactivated.' },
  'DeactivationResult',
);

export const ActivationRecord = Type.Object(
  {
    id: Type.Integer(),
    site_url: Type.String({ description: 'As sent by the site.' }),
    activated_at: Moment('When the site was activated.', '2026-11-21T09:30:00.000Z'),
    deactivated_at: nullable(
      Moment('When it was deactivated; null while active.', '2026-12-01T08:00:00.000Z'),
    ),
  },
  { title: 'ActivationRecord' },
);

export const toActivationRecord = (activation: Activation) => ({
  id: activation.id,
  site_url: activation.siteUrl,
  activated_at: toIsoMoment(activation.activatedAt),
  deactivated_at: toIsoMomentOrNull(activation.deactivatedAt),
});

export const ActivationChoice = Type.Object(
  {
    activation_id: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Identifier of the activation to end.',
    }),
  },
  { title: 'ActivationChoice', examples: [{ activation_id: 17 }] },
);
