import { type Static, type TProperties, Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { EVENT_DESCRIPTIONS, EVENT_TYPES } from '../event-types.ts';
import { type Endpoint, INACTIVE_REASONS } from './rules.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';

const URL_MAX_LENGTH = 2_000;
const fields = {
  url: Text(URL_MAX_LENGTH, {
    description:
      'An https URL without user, password and fragment. It must not redirect. http and private networks only with `PAVIS_PRIVATE_WEBHOOKS=on`.',
    examples: ['https://crm.example.com/webhooks/pavis'],
  }),
  event_types: Type.Array(OneOf(EVENT_TYPES), {
    maxItems: EVENT_TYPES.length,
    description: 'The events that it receives, at least one. See `GET /webhooks/event-types`.',
    examples: [['licence.issued', 'licence.revoked']],
  }),
};
const Description = Text(200, { minLength: 0, description: 'For your own use.' });
const IsActive = Type.Boolean({
  description: 'Inactive endpoints receive no events, also not later. Defaults to true.',
});

export const EndpointCreation = Type.Object(
  { ...fields, description: Type.Optional(Description), is_active: Type.Optional(IsActive) },
  {
    title: 'WebhookCreation',
    examples: [{ url: 'https://crm.example.com/webhooks/pavis', event_types: ['licence.issued'] }],
  },
);

export const EndpointUpdate = Type.Partial(
  Type.Object({ ...fields, description: nullable(Description), is_active: IsActive }),
  { title: 'WebhookUpdate', examples: [{ event_types: ['licence.issued', 'licence.revoked'] }] },
);

const recordFields = {
  id: Type.Integer(),
  url: Type.String(),
  description: Type.String(),
  event_types: Type.Array(OneOf(EVENT_TYPES)),
  is_active: Type.Boolean(),
  inactive_reason: nullable(
    OneOf(INACTIVE_REASONS, {
      description:
        '`gone`: it answered 410. `failing`: every attempt failed for five days. Null while it is active.',
    }),
  ),
  failing_since: nullable(Moment('The first failed attempt since the last success.', EXAMPLE)),
  created_at: Moment('When it was created.', EXAMPLE),
  updated_at: Moment('When it was last changed.', EXAMPLE),
} satisfies TProperties;

export const EndpointRecord = Type.Object(recordFields, {
  title: 'Webhook',
  description: 'An endpoint that receives events.',
});

export const EndpointWithSecret = Type.Object(
  {
    ...recordFields,
    secret: Type.String({
      description:
        'Verifies the signature of requests. It is shown only here; a new one can be created.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
    }),
  },
  { title: 'WebhookWithSecret' },
);

export const toEndpointRecord = ({
  id,
  url,
  description,
  eventTypes,
  isActive,
  inactiveReason,
  failingSince,
  createdAt,
  updatedAt,
}: Endpoint): Static<typeof EndpointRecord> => ({
  id,
  url,
  description,
  event_types: [...eventTypes],
  is_active: isActive,
  inactive_reason: inactiveReason,
  failing_since: toIsoMomentOrNull(failingSince),
  created_at: toIsoMoment(createdAt),
  updated_at: toIsoMoment(updatedAt),
});

export const EventTypeRecord = Type.Object(
  { type: OneOf(EVENT_TYPES), description: Type.String() },
  { title: 'WebhookEventType' },
);

export const listEventTypes = (): Static<typeof EventTypeRecord>[] =>
  EVENT_TYPES.map((type) => ({ type, description: EVENT_DESCRIPTIONS[type] }));
