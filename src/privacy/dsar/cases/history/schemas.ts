import { Type } from 'typebox';
import { toIsoMoment } from '../../../../platform/clock.ts';
import { Moment, Text } from '../../../../platform/http/schemas.ts';
import { EXAMPLE } from '../../schemas.ts';
import type { CaseEvent } from './store.ts';

export const NoteArgs = Type.Object(
  { note: Text(5_000) },
  { title: 'DsarNote', examples: [{ note: 'Asked the shop for the invoices.' }] },
);

export const CaseEventRecord = Type.Object(
  {
    id: Type.Integer(),
    at: Moment('When it happened.', EXAMPLE),
    actor: Type.String({ description: 'A login, `requestor` or `system`.' }),
    action: Type.String({ examples: ['status_changed'] }),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'DsarEvent', description: 'An entry in the activity of a request.' },
);

export const toEventRecord = ({ at, ...event }: CaseEvent) => ({ ...event, at: toIsoMoment(at) });
