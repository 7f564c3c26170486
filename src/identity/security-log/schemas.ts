import { type Static, Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { toRecord } from '../../platform/http/record.ts';
import { Moment, nullable, OneOf, Text } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import { EXPORT_FORMATS } from '../../platform/rest/response.ts';
import { getOutcome, OUTCOME_NAMES, SECURITY_EVENTS } from './events.ts';
import type { EventFilter, LoggedEvent } from './store.ts';

const EXAMPLE = '2026-11-22T09:30:00.000Z';

const filterArgs = {
  event: Type.Optional(
    Type.Array(OneOf(SECURITY_EVENTS), { description: 'Return these events only.' }),
  ),
  user: Type.Optional(
    Text(100, {
      description: 'The login, or its beginning, of the account or of the user who acted.',
    }),
  ),
  address: Type.Optional(Text(64, { description: 'The IP address, or its beginning.' })),
  date_from: Type.Optional(
    Type.String({ format: 'date', description: 'The first day, in the time zone of the site.' }),
  ),
  date_to: Type.Optional(Type.String({ format: 'date', description: 'The last day.' })),
};

export const EventQuery = Type.Object({ ...filterArgs, ...paginationArgs() });

export const EventExport = Type.Object({
  ...filterArgs,
  format: OneOf(EXPORT_FORMATS, { default: 'csv' }),
});

type FilterArgs = Pick<Static<typeof EventExport>, keyof typeof filterArgs>;

/** What a query asks for, in the store's terms. */
export const toEventFilter = (
  { event, user, address, date_from, date_to }: FilterArgs,
  timeZone: string,
): EventFilter => ({
  events: event,
  user,
  address,
  from: date_from ? startOfDay(date_from, timeZone) : undefined,
  before: date_to ? startOfDay(date_to, timeZone, 1) : undefined,
});

const startOfDay = (day: string, timeZone: string, days = 0): number =>
  Temporal.PlainDate.from(day).add({ days }).toZonedDateTime(timeZone).epochMilliseconds;

export const SecurityEventRecord = Type.Object(
  {
    id: Type.Integer(),
    at: Moment('When it happened first.', EXAMPLE),
    last_at: Moment('When it happened last, within the same minute.', EXAMPLE),
    event: OneOf(SECURITY_EVENTS),
    outcome: OneOf(OUTCOME_NAMES),
    count: Type.Integer({
      description: 'Number of occurrences. Repetitions within a minute are one record.',
    }),
    user_id: nullable(Type.Integer({ description: 'Id of the affected account.' })),
    username: nullable(
      Type.String({
        description:
          'The login of the account. Null for an unknown login: the text is not stored, since it may be a password.',
      }),
    ),
    actor_id: nullable(Type.Integer({ description: 'Id of the user who did it.' })),
    actor: nullable(
      Type.String({
        description: 'Login of the user who did it, or the command line. Null if unauthenticated.',
      }),
    ),
    address: nullable(
      Type.String({
        description:
          'The IP address, for IPv6 its /64. Null on the command line, once retention has removed it, and where attempts from several addresses are counted together.',
      }),
    ),
    user_agent: nullable(Type.String({ description: 'The User-Agent header.' })),
    details: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'SecurityEvent', description: 'A security event.' },
);

export const toSecurityEventRecord = (event: LoggedEvent): Static<typeof SecurityEventRecord> =>
  toRecord(SecurityEventRecord, {
    ...event,
    at: toIsoMoment(event.at),
    lastAt: toIsoMoment(event.lastAt),
    outcome: getOutcome(event.event),
    username: event.login,
  });
