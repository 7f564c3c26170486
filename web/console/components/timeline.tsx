import { formatMoment, toLabel } from './format.ts';

/** Something that was written down: who did what, and more about it by action. */
export interface TimelineEvent {
  id?: number;
  at: string;
  actor: string;
  action: string;
  details: Readonly<Record<string, unknown>>;
}

/** In a sentence, and what was said about it. */
export type EventMessage = readonly [sentence: string, said?: string];

/**
 * How each action is told, by what its details say; the text of one that is not there is empty.
 * Undefined where it says nothing.
 */
export type EventFormatters = Readonly<
  Record<
    string,
    (text: (name: string) => string, details: TimelineEvent['details']) => EventMessage | undefined
  >
>;

const ANONYMISED = 'anonymised';
const BY: Partial<Record<string, string>> = {
  system: '',
  [ANONYMISED]: '',
  requestor: 'by the requestor',
  customer: 'by the customer',
  'licence key': 'with its key',
  stripe: 'by Stripe',
};

/** An action that nobody tells yet is told by its own words, and what of its details can be read. */
export function formatEvent(
  { actor, action, details }: TimelineEvent,
  tellers: EventFormatters,
): EventMessage | undefined {
  if (actor === ANONYMISED) return [toLabel(action)];
  const tell = tellers[action];
  if (tell) return tell((name) => String(details[name] ?? ''), details);
  const readable = Object.entries(details).filter(([, value]) => typeof value !== 'object');
  return [
    toLabel(action),
    readable.map(([name, value]) => `${toLabel(name)}: ${value}`).join(', '),
  ];
}

/** What happened to one thing. */
export function ActivityTimeline({
  events,
  tellers,
}: {
  events: readonly TimelineEvent[];
  tellers: EventFormatters;
}) {
  return (
    <ol className="timeline">
      {events.map((event) => {
        const { id, at, actor, action } = event;
        const [sentence, said] = formatEvent(event, tellers) ?? [];
        return (
          sentence && (
            <li key={id ?? `${at} ${action}`}>
              <strong>{sentence}</strong> <span className="soft">{BY[actor] ?? `by ${actor}`}</span>
              <br />
              <time dateTime={at}>{formatMoment(at)}</time>
              {said && (
                <div className="small break" style={{ whiteSpace: 'pre-wrap' }}>
                  {said}
                </div>
              )}
            </li>
          )
        );
      })}
    </ol>
  );
}
