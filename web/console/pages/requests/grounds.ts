import { formatDay } from '../../components/format.ts';
import type { Case, Task } from './types.ts';

type Kept = Task['kept'][number];

export type Ground = NonNullable<Case['ground']>;
type RequestType = Case['request_type'];

interface Choice {
  value: Ground;
  label: string;
}

/** Grounds for pausing a request. */
export const HOLD_GROUNDS: readonly Choice[] = [
  { value: 'identity', label: 'Identity not established' },
  { value: 'clarification', label: 'Clarification needed' },
  { value: 'legal_hold', label: 'Legal hold' },
  { value: 'other', label: 'Other' },
];

/** What a pause means for the deadline and for the requester (GDPR Art. 12(3) and (6)). */
export function describeHold(
  ground: string,
  reason: string,
  { regime, overdue }: Pick<Case, 'regime' | 'overdue'>,
): string {
  const pauses = ground === 'identity' && (regime === 'gdpr' || regime === 'uk');
  const asks =
    ground === 'identity' || ground === 'clarification' || (ground === '' && reason !== '');
  const clock = pauses ? 'The deadline is paused.' : 'The deadline keeps running.';
  return [
    overdue ? 'The deadline has passed and is not paused.' : clock,
    asks
      ? 'The requester is asked to reply.'
      : 'The requester is informed that they need not do anything.',
  ].join(' ');
}

/** Grounds for refusing an erasure (GDPR Art. 17). */
export const KEEP_GROUNDS: readonly Choice[] = [
  { value: 'legal_obligation', label: 'Legal obligation, Art. 17(3)(b)' },
  { value: 'legal_claims', label: 'Legal claims, Art. 17(3)(e)' },
  { value: 'still_needed', label: 'Still needed for its purpose, Art. 17(1)(a)' },
  { value: 'freedom_of_expression', label: 'Freedom of expression, Art. 17(3)(a)' },
  { value: 'public_health', label: 'Public health, Art. 17(3)(c)' },
  { value: 'archiving', label: 'Archiving, research, statistics, Art. 17(3)(d)' },
  { value: 'exemption', label: 'Statutory exemption' },
  { value: 'other', label: 'Other' },
];

const ALL_TYPES: readonly Choice[] = [
  { value: 'unfounded', label: 'Manifestly unfounded, Art. 12(5)' },
  { value: 'excessive', label: 'Excessive, Art. 12(5)' },
  { value: 'identity', label: 'Identity not established, Art. 12(6)' },
  { value: 'no_data', label: 'No personal data held' },
  { value: 'not_controller', label: 'Not the controller' },
];
const EXCEPTIONS: readonly Choice[] = [
  { value: 'exemption', label: 'Statutory exemption' },
  { value: 'other', label: 'Other' },
];
const RIGHTS_OF_OTHERS: readonly Choice[] = [
  { value: 'rights_of_others', label: 'Rights of others, Art. 15(4), 20(4)' },
];
const BY_TYPE: Record<RequestType, readonly Choice[]> = {
  access: [...RIGHTS_OF_OTHERS, ...EXCEPTIONS],
  portability: [...RIGHTS_OF_OTHERS, ...EXCEPTIONS],
  deletion: KEEP_GROUNDS,
  rectification: EXCEPTIONS,
  objection: [
    { value: 'compelling_grounds', label: 'Compelling grounds, Art. 21(1)' },
    ...EXCEPTIONS,
  ],
};

/** An opt-out of the CCPA needs no verified identity and is not weighed against others (11 CCR §7026). */
const NO_OPT_OUT = ['identity', 'compelling_grounds'];

/** Grounds for refusing a request. */
export const listRefusalGrounds = ({
  request_type,
  regime,
}: Pick<Case, 'request_type' | 'regime'>): readonly Choice[] =>
  [...ALL_TYPES, ...BY_TYPE[request_type]].filter(
    ({ value }) => regime !== 'ccpa' || request_type !== 'objection' || !NO_OPT_OUT.includes(value),
  );

/** The legal basis on which a source keeps records despite an erasure request. */
const KEPT_ARTICLES: Readonly<Record<string, string>> = {
  in_use: 'Art. 17(1)(a)',
  contract: 'Art. 6(1)(b)',
  open_order: 'Art. 6(1)(b)',
  open_request: 'Art. 17(3)(b)',
  legal_hold: 'Art. 17(3)(e)',
  evidence: 'Art. 17(3)(b) and (e)',
  statutory_retention: 'Art. 17(3)(b)',
  console_account: 'Art. 6(1)(f)',
};

/** Records that are kept, with the reason, the legal basis and the end of their retention. */
export function formatKept({ count, reason, ground, until }: Kept): string {
  const basis = ground && (KEPT_ARTICLES[ground] ?? formatGround(ground));
  const more = [basis, until && `until ${formatDay(until)}`].filter(Boolean).join(', ');
  return `${count} kept: ${reason}${more && ` (${more})`}`;
}

const LABELS = new Map(
  [...HOLD_GROUNDS, ...ALL_TYPES, ...Object.values(BY_TYPE).flat()].map(
    ({ value, label }) => [value as string, label] as const,
  ),
);

/** The label of a ground; a ground that only a source knows keeps its own name. */
export const formatGround = (ground: string): string =>
  LABELS.get(ground) ?? ground.replaceAll('_', ' ');
