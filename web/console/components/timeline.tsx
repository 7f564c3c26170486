import { Text, Timeline } from '@mantine/core';
import { formatMoment, toLabel } from './format.ts';

/** An entry of an audit log. The details depend on the action. */
export interface TimelineEvent {
  id?: number;
  at: string;
  actor: string;
  action: string;
  details: Readonly<Record<string, unknown>>;
}

/** A sentence, and a text that a user entered, for example a reason. */
export type EventMessage = readonly [sentence: string, text?: string];

/**
 * Messages of events, by action: a sentence, or what formats the details. `text` returns an empty string for an absent
 * detail. Events without a message are hidden.
 */
export type EventFormatters = Readonly<
  Record<
    string,
    | string
    | ((
        text: (name: string) => string,
        details: TimelineEvent['details'],
      ) => EventMessage | undefined)
  >
>;

const ACTORS: Partial<Record<string, string>> = {
  system: '',
  anonymised: '',
  requestor: 'by the requester',
  customer: 'by the customer',
  'licence key': 'with its key',
  stripe: 'by Stripe',
};

/** Without a formatter, the message is the name of the action with its details. */
export function formatEvent(
  { action, details }: TimelineEvent,
  formatters: EventFormatters,
): EventMessage | undefined {
  const format = formatters[action];
  if (typeof format === 'string') return [format];
  // Retention removes details: without them, only the action is certain.
  if (Object.keys(details).length === 0) return [toLabel(action)];
  if (format) return format((name) => String(details[name] ?? ''), details);
  const readable = Object.entries(details).filter(([, value]) => typeof value !== 'object');
  return [
    toLabel(action),
    readable.map(([name, value]) => `${toLabel(name)}: ${value}`).join(', '),
  ];
}

/** The audit log of a record. */
export function ActivityTimeline({
  events,
  formatters,
}: {
  events: readonly TimelineEvent[];
  formatters: EventFormatters;
}) {
  const messages = events.flatMap((event) => {
    const [sentence, text] = formatEvent(event, formatters) ?? [];
    return sentence ? [{ event, sentence, text }] : [];
  });
  return (
    <Timeline role="list" active={messages.length}>
      {messages.map(({ event: { id, at, actor, action }, sentence, text }) => (
        <Timeline.Item key={id ?? `${at} ${action}`} role="listitem" title={sentence}>
          <Text size="sm" c="dimmed">
            <time dateTime={at}>{formatMoment(at)}</time> {ACTORS[actor] ?? `by ${actor}`}
          </Text>
          {text && <Text className="multiline">{text}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
