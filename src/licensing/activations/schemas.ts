import { Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { describeResponse, Moment, OneOf } from '../../platform/http/schemas.ts';
import { TIER_NAMES } from '../licences/index.ts';
import type { Activation } from './store.ts';

export const ActivationResult = describeResponse(
  'The site is active.',
  {
    success: Type.Boolean(),
    activation_id: Type.Integer({ description: 'The same when the site was active already.' }),
    tier: OneOf(TIER_NAMES),
    features: Type.Array(Type.String(), { description: 'What the tier gives.' }),
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
  'The site is not active (any more).',
  {
    success: Type.Boolean({ description: 'False if the site never was active.' }),
    message: Type.String({ description: 'Names the site URL.' }),
  },
  { success: true, message: 'https://example.com is deactivated.' },
  'DeactivationResult',
);

export const ActivationRecord = Type.Object(
  {
    id: Type.Integer(),
    site_url: Type.String({ description: 'As it was sent.' }),
    activated_at: Moment('When the site took its slot.', '2026-11-21T09:30:00.000Z'),
    deactivated_at: Type.Union([
      Moment('When it gave it back.', '2026-12-01T08:00:00.000Z'),
      Type.Null(),
    ]),
  },
  { title: 'ActivationRecord' },
);

export const toActivationRecord = (activation: Activation) => ({
  id: activation.id,
  site_url: activation.siteUrl,
  activated_at: toIsoMoment(activation.activatedAt),
  deactivated_at: activation.deactivatedAt === null ? null : toIsoMoment(activation.deactivatedAt),
});
