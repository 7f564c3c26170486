import { Text, Timeline } from '@mantine/core';
import { formatMoment, toLabel } from './format.ts';

/** An entry of an audit log: who did what, and details by action. */
export interface TimelineEvent {
  id?: number;
  at: string;
  actor: string;
  action: string;
  details: Readonly<Record<string, unknown>>;
}

/** A sentence, and the text that was given with it, such as a reason. */
export type EventMessage = readonly [sentence: string, text?: string];

/**
 * The message for each action, from its details; `text` gives an absent detail as an empty string.
 * Undefined leaves the event out.
 */
export type EventFormatters = Readonly<
  Record<
    string,
    (text: (name: string) => string, details: TimelineEvent['details']) => EventMessage | undefined
  >
>;

const ANONYMISED = 'anonymised';
const ACTORS: Partial<Record<string, string>> = {
  system: '',
  [ANONYMISED]: '',
  requestor: 'by the requester',
  customer: 'by the customer',
  'licence key': 'with its key',
  stripe: 'by Stripe',
};

/** An action without a formatter is named by itself, with its readable details. */
export function formatEvent(
  { actor, action, details }: TimelineEvent,
  formatters: EventFormatters,
): EventMessage | undefined {
  if (actor === ANONYMISED) return [toLabel(action)];
  const format = formatters[action];
  if (format) return format((name) => String(details[name] ?? ''), details);
  const readable = Object.entries(details).filter(([, value]) => typeof value !== 'object');
  return [
    toLabel(action),
    readable.map(([name, value]) => `${toLabel(name)}: ${value}`).join(', '),
  ];
}

/** The audit log of one record. */
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
