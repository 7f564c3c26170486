import { formatCount, formatDay, toLabel } from '../../components/format.ts';
import type { EventFormatters, EventMessage } from '../../components/timeline.tsx';
import { formatGround } from './grounds.ts';
import type { Task } from './types.ts';

/** How what happened to a request is told; its tasks say what their sources are called. */
export function tellersOf(tasks: readonly Task[]): EventFormatters {
  const labelOf = (source: string): string =>
    tasks.find((task) => task.source === source)?.label ?? toLabel(source);
  return {
    received: () => ['Request sent'],
    entered: (text) => [
      'Request entered by hand',
      `${toLabel(text('channel'))}, received on ${formatDay(text('received_on'))}`,
    ],
    withdrawal_requested: () => ['Link to withdraw sent'],
    identity_established: () => ['Identity established'],
    identity_verified: () => ['Address confirmed'],
    acknowledged_together: (text) => [
      `Acknowledged in one email with other requests (${text('requests')})`,
    ],
    link_sent: (text) => [
      text('purpose') === 'confirm' ? 'New confirmation link sent' : 'New download link sent',
    ],
    confirmation_reminded: () => ['Reminded to confirm the address'],
    request_expired: () => ['Expired: nobody confirmed the address within 30 days'],
    requester_erased: () => ['Personal data of the requester erased'],
    status_changed: (text) => [
      `Status changed from ${toLabel(text('from'))} to ${toLabel(text('to'))}`,
      [text('ground') && formatGround(text('ground')), text('reason')].filter(Boolean).join(': '),
    ],
    hold_changed: (text) => [
      'Reason of the pause changed',
      [text('ground') && formatGround(text('ground')), text('reason')].filter(Boolean).join(': '),
    ],
    erasure_decided: (_text, details) => decidedOf(labelOf, details),
    extended: (text) => [
      `Deadline moved from ${formatDay(text('from'))} to ${formatDay(text('to'))}`,
      text('reason'),
    ],
    assigned: (text) => [text('to') ? `Given to ${text('to')}` : `Taken from ${text('from')}`],
    note: (text) => ['Note', text('note')],
    package_opened: () => ['Package downloaded'],
    package_downloaded: () => ['Package downloaded'],
    task_done: (text, details) => doneOf(labelOf(text('source')), text('result'), details),
    task_skipped: (text) => [
      `Left out: ${labelOf(text('source'))}`,
      [text('ground') && formatGround(text('ground')), text('reason')].filter(Boolean).join(': '),
    ],
    task_pending: (text) => [`To be tried again: ${labelOf(text('source'))}`, text('reason')],
    task_retried: (text) => [
      `Did not work, and is tried again: ${labelOf(text('source'))}`,
      text('error'),
    ],
    task_failed: (text) => [`Given up: ${labelOf(text('source'))}`, text('error')],
  };
}

/** What an administrator has decided about an erasure. */
interface Decided {
  approved?: readonly string[];
  refused?: readonly { source: string; ground: string; reason: string }[];
}

function decidedOf(
  labelOf: (source: string) => string,
  { approved = [], refused = [] }: Decided,
): EventMessage {
  const kept = refused.map(
    ({ source, ground, reason }) => `${labelOf(source)}: ${formatGround(ground)}: ${reason}`,
  );
  return [
    approved.length > 0
      ? `Erasure approved: ${formatCount(approved.length, 'source')}`
      : 'Erasure refused',
    kept.length > 0 ? `Refused: ${kept.join('; ')}` : '',
  ];
}

/** As the server's own sources and those of extensions leave it behind. */
interface Outcome {
  kind?: string;
  records?: number;
  erased?: number;
  anonymised?: number;
  kept?: readonly { count: number; reason: string }[];
}

/** Where nothing was to be done, the list of the sources says so. */
function doneOf(label: string, result: string, outcome: Outcome): EventMessage | undefined {
  const { kind, records = 0, erased = 0, anonymised = 0, kept = [] } = outcome;
  if (kind === 'package') return ['Package made'];
  if (kind === 'manual') return [`Done: ${label}`, result];
  if (records > 0) return [`${formatCount(records, 'record')} collected: ${label}`];
  if (erased + anonymised + kept.length === 0) return undefined;
  return [
    `${erased} erased, ${anonymised} anonymised: ${label}`,
    kept.map(({ count, reason }) => `${count} kept: ${reason}`).join(', '),
  ];
}
