import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, nullable } from '../../../platform/http/schemas.ts';
import type { Passkey } from './store.ts';

const EXAMPLE = '2026-11-21T09:30:00.000Z';

export const PasskeyRecord = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created: Moment('When it was added.', EXAMPLE),
    last_used: nullable(Moment('When it was last used to sign in.', EXAMPLE)),
  },
  { title: 'Passkey', description: 'A passkey with which a user signs in.' },
);

export const toPasskeyRecord = (passkey: Passkey): Static<typeof PasskeyRecord> => ({
  id: passkey.id,
  name: passkey.name,
  created: toIsoMoment(passkey.createdAt),
  last_used: passkey.lastUsedAt === null ? null : toIsoMoment(passkey.lastUsedAt),
});
