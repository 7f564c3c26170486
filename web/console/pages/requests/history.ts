import { formatCount, formatDay, toLabel } from '../../components/format.ts';
import type { EventFormatters, EventMessage } from '../../components/timeline.tsx';
import { formatGround } from './grounds.ts';
import type { Task } from './types.ts';

/** Formatters for the events of a request; its tasks name the sources. */
export function createEventFormatters(tasks: readonly Task[]): EventFormatters {
  const getLabel = (source: string): string =>
    tasks.find((task) => task.source === source)?.label ?? toLabel(source);
  return {
    received: 'Request sent',
    entered: (text) => [
      'Request added manually',
      // Retention removed the day until it was declared a fact.
      [
        toLabel(text('channel')),
        text('received_on') && `received on ${formatDay(text('received_on'))}`,
      ]
        .filter(Boolean)
        .join(', '),
    ],
    withdrawal_requested: 'Withdrawal link sent',
    identity_established: 'Identity established',
    identity_verified: 'Email confirmed',
    acknowledged_together: (text) => [
      `Acknowledged in one email with other requests (${text('requests')})`,
    ],
    link_sent: (text) => [
      text('purpose') === 'confirm' ? 'New confirmation link sent' : 'New download link sent',
    ],
    confirmation_reminded: 'Reminder to confirm the email address sent',
    request_expired: 'Expired: email address not confirmed within 30 days',
    requester_erased: 'Personal data of the requester erased',
    status_changed: (text) => [
      `Status changed from ${toLabel(text('from'))} to ${toLabel(text('to'))}`,
      [text('ground') && formatGround(text('ground')), text('reason')].filter(Boolean).join(': '),
    ],
    hold_changed: (text) => [
      'Reason for the pause changed',
      [text('ground') && formatGround(text('ground')), text('reason')].filter(Boolean).join(': '),
    ],
    erasure_decided: (_text, details) => formatErasureDecision(getLabel, details),
    extended: (text) => [
      `Deadline extended from ${formatDay(text('from'))} to ${formatDay(text('to'))}`,
      text('reason'),
    ],
    assigned: (text) => [
      text('to') ? `Assigned to ${text('to')}` : `Unassigned from ${text('from')}`,
    ],
    note: (text) => ['Note', text('note')],
    package_opened: 'Package downloaded',
    package_downloaded: 'Package downloaded',
    task_done: (text, details) => formatDone(getLabel(text('source')), text('result'), details),
    task_skipped: (text) => [
      `Left out: ${getLabel(text('source'))}`,
      [text('ground') && formatGround(text('ground')), text('reason')].filter(Boolean).join(': '),
    ],
    task_pending: (text) => [`Retry requested: ${getLabel(text('source'))}`, text('reason')],
    task_retried: (text) => [`Failed, will be retried: ${getLabel(text('source'))}`, text('error')],
    task_failed: (text) => [`Failed: ${getLabel(text('source'))}`, text('error')],
  };
}

/** The decision of an administrator about an erasure. */
interface ErasureDecision {
  approved?: readonly string[];
  refused?: readonly { source: string; ground: string; reason: string }[];
}

function formatErasureDecision(
  getLabel: (source: string) => string,
  { approved = [], refused = [] }: ErasureDecision,
): EventMessage {
  const kept = refused.map(
    ({ source, ground, reason }) => `${getLabel(source)}: ${formatGround(ground)}: ${reason}`,
  );
  return [
    approved.length > 0
      ? `Erasure approved: ${formatCount(approved.length, 'source')}`
      : 'Erasure refused',
    kept.length > 0 ? `Refused: ${kept.join('; ')}` : '',
  ];
}

/** The result of a task, from a source of the server or of an extension. */
interface Outcome {
  kind?: string;
  records?: number;
  erased?: number;
  anonymised?: number;
  kept?: readonly { count: number; reason: string }[];
}

/** Undefined where a source has no data: the list of sources shows that. */
function formatDone(label: string, result: string, outcome: Outcome): EventMessage | undefined {
  const { kind, records = 0, erased = 0, anonymised = 0, kept = [] } = outcome;
  if (kind === 'package') return ['Package created'];
  if (kind === 'manual') return [`Done: ${label}`, result];
  if (records > 0) return [`${formatCount(records, 'record')} collected: ${label}`];
  if (erased + anonymised + kept.length === 0) return undefined;
  return [
    `${erased} erased, ${anonymised} anonymised: ${label}`,
    kept.map(({ count, reason }) => `${count} kept: ${reason}`).join(', '),
  ];
}
