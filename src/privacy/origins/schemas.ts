import { Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { Moment } from '../../platform/http/schemas.ts';
import type { RefusedOrigin } from './store.ts';

export const RefusedOriginRecord = Type.Object(
  {
    id: Type.Integer(),
    origin: Type.String({ description: 'Scheme, host and port.' }),
    requests: Type.Integer({ description: 'How many requests were refused.' }),
    first_at: Moment('The first refused request.', '2026-11-21T09:30:00.000Z'),
    last_at: Moment('The latest refused request.', '2026-11-21T10:30:00.000Z'),
  },
  {
    title: 'RefusedOrigin',
    description: 'An origin whose pages were refused because it is not allowed.',
  },
);

export const toRefusedOriginRecord = (refused: RefusedOrigin) => ({
  id: refused.id,
  origin: refused.origin,
  requests: refused.requests,
  first_at: toIsoMoment(refused.first_at),
  last_at: toIsoMoment(refused.last_at),
});
