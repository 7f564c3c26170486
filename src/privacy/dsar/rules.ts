import { randomInt } from 'node:crypto';
import { DAY_MS } from '../../platform/durations.ts';

export const REQUEST_TYPES = [
  'access',
  'deletion',
  'rectification',
  'portability',
  'objection',
] as const;
export type RequestType = (typeof REQUEST_TYPES)[number];

/** Whether the data is sent as a file. */
export const hasPackage = (type: RequestType): boolean =>
  type === 'access' || type === 'portability';

/** How a request reached the controller. */
export const CHANNELS = ['web', 'email', 'phone', 'letter', 'in_person', 'representative'] as const;
export type Channel = (typeof CHANNELS)[number];

export const CASE_STATUSES = [
  'received',
  'in_progress',
  'on_hold',
  'completed',
  'rejected',
  'withdrawn',
] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const REGIME_NAMES = ['gdpr', 'uk', 'ccpa', 'lgpd'] as const;
export type Regime = (typeof REGIME_NAMES)[number];

/**
 * Whether a request is one to opt out under the CCPA, which needs neither reasons nor a verified identity: work starts on
 * receipt (11 CCR §7026(d) and (f)).
 */
export const isOptOut = (type: RequestType, regime: Regime): boolean =>
  type === 'objection' && regime === 'ccpa';

/** Whether the requester must confirm the address. Opt-outs that an earlier version received still wait for it. */
export const needsConfirmation = ({
  requestType,
  regime,
  status,
}: {
  requestType: RequestType;
  regime: Regime;
  status: CaseStatus;
}): boolean => status === 'received' || !isOptOut(requestType, regime);

interface GroundRule {
  /** Whether a request can be put on hold on this ground. */
  holds?: true;
  /** The types of request that can be refused on this ground. */
  refuses?: readonly RequestType[];
  /** Whether an erasure can be refused in a single source on this ground. */
  keeps?: true;
  /** Whether a request to opt out under the CCPA cannot be refused on this ground (11 CCR §7026). */
  noOptOut?: true;
  /** The Article of the GDPR. */
  article?: string;
}

const DELETION = ['deletion'] as const;

const GROUND_RULES = {
  identity: {
    holds: true,
    refuses: REQUEST_TYPES,
    // An opt-out needs no verified identity.
    noOptOut: true,
    article: 'Art. 11(2), 12(2) and 12(6)',
  },
  clarification: { holds: true },
  legal_hold: { holds: true },
  unfounded: { refuses: REQUEST_TYPES, article: 'Art. 12(5)' },
  excessive: { refuses: REQUEST_TYPES, article: 'Art. 12(5)' },
  no_data: { refuses: REQUEST_TYPES },
  not_controller: { refuses: REQUEST_TYPES, article: 'Art. 4(7)' },
  still_needed: { refuses: DELETION, keeps: true, article: 'Art. 17(1)(a)' },
  freedom_of_expression: { refuses: DELETION, keeps: true, article: 'Art. 17(3)(a)' },
  legal_obligation: { refuses: DELETION, keeps: true, article: 'Art. 17(3)(b)' },
  public_health: { refuses: DELETION, keeps: true, article: 'Art. 17(3)(c)' },
  archiving: { refuses: DELETION, keeps: true, article: 'Art. 17(3)(d)' },
  legal_claims: { refuses: DELETION, keeps: true, article: 'Art. 17(3)(e)' },
  // An opt-out needs no reasons, so none outweigh them.
  compelling_grounds: { refuses: ['objection'], noOptOut: true, article: 'Art. 21(1)' },
  rights_of_others: { refuses: ['access', 'portability'], article: 'Art. 15(4) and 20(4)' },
  exemption: { refuses: REQUEST_TYPES, keeps: true, article: 'Art. 23' },
  other: { holds: true, refuses: REQUEST_TYPES, keeps: true },
} as const satisfies Record<string, GroundRule>;
export type Ground = keyof typeof GROUND_RULES;
export const GROUNDS = Object.keys(GROUND_RULES) as Ground[];

const getRule = (ground: Ground): GroundRule => GROUND_RULES[ground];
export const HOLD_GROUNDS = GROUNDS.filter((ground) => getRule(ground).holds);
export const KEEP_GROUNDS = GROUNDS.filter((ground) => getRule(ground).keeps);
export const listRefusalGrounds = (type: RequestType, regime: Regime): Ground[] =>
  GROUNDS.filter((ground) => {
    const { refuses, noOptOut } = getRule(ground);
    return refuses?.includes(type) && !(noOptOut && isOptOut(type, regime));
  });

/**
 * An Article as the texts of a regime cite it, before the abbreviation of the GDPR. The UK GDPR has the same Articles;
 * undefined under other laws.
 */
export function citeArticle(article: string | undefined, regime: Regime): string | undefined {
  if (article === undefined) return undefined;
  return { gdpr: article, uk: `${article} UK`, ccpa: undefined, lgpd: undefined }[regime];
}

/** The Article that allows a ground; undefined under laws other than the GDPR and the UK GDPR. */
export const findArticle = (ground: Ground, regime: Regime): string | undefined =>
  citeArticle(getRule(ground).article, regime);

export type RightsLaw = Exclude<Regime, 'lgpd'>;

/** The law that texts about rights and remedies follow. Those of the GDPR fit the LGPD, too (Art. 18 and 22). */
export const getRightsLaw = (regime: Regime): RightsLaw => (regime === 'lgpd' ? 'gdpr' : regime);

/** The links that an administrator can send again. */
export const LINK_PURPOSES = ['confirm', 'download'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

/** The lifetime of links in emails. */
export const LINK_MS = 7 * DAY_MS;

interface RegimeRule {
  term: Temporal.DurationLike;
  /** Also counted from receipt; undefined: the deadline cannot be extended. */
  extendedTerm?: Temporal.DurationLike;
  /** The grounds of a hold that pause the deadline. */
  pauses: readonly Ground[];
}

const GDPR_RULE: RegimeRule = {
  term: { months: 1 },
  extendedTerm: { months: 3 },
  pauses: ['identity'],
};

/** The time for an opt-out under the CCPA, which cannot be extended (11 CCR §7026(f)(1)). */
const OPT_OUT_BUSINESS_DAYS = 15;

/** GDPR Art. 12(3) and (6); 11 CCR §7021; LGPD Art. 19. Art. 12A of the UK GDPR also pauses for a clarification of access requests, which is not used. */
const REGIMES: Record<Regime, RegimeRule> = {
  gdpr: GDPR_RULE,
  uk: GDPR_RULE,
  ccpa: { term: { days: 45 }, extendedTerm: { days: 90 }, pauses: [] },
  lgpd: { term: { days: 15 }, pauses: [] },
};

export interface Term {
  /** `YYYY-MM-DD` */
  receivedOn: string;
  requestType: RequestType;
  regime: Regime;
  extended: boolean;
  pausedDays: number;
}

/**
 * The last day for the answer: the same day of the month, or the last day of a shorter month
 * (Regulation 1182/71 Art. 3(2)(c)). Weekends do not extend it, except that of an opt-out under the CCPA.
 */
export function getDeadline(given: Term): string {
  const { requestType, regime, extended, pausedDays } = given;
  const { term, extendedTerm } = REGIMES[regime];
  const receivedOn = Temporal.PlainDate.from(given.receivedOn);
  if (isOptOut(requestType, regime))
    return addBusinessDays(receivedOn, OPT_OUT_BUSINESS_DAYS).toString();
  return receivedOn
    .add((extended && extendedTerm) || term)
    .add({ days: pausedDays })
    .toString();
}

/** Holidays count, because states differ in them: the deadline is never later than the law's. */
function addBusinessDays(from: Temporal.PlainDate, days: number): Temporal.PlainDate {
  const weekday = Math.min(from.dayOfWeek, 5);
  const weekends = Math.floor((weekday - 1 + days) / 5);
  return from.add({ days: weekday - from.dayOfWeek + days + 2 * weekends });
}

/** Whether the last day for the answer is over. Both are `YYYY-MM-DD`. */
export const isOverdue = ({ deadline, today }: { deadline: string; today: string }): boolean =>
  deadline < today;

export const isExtensible = (type: RequestType, regime: Regime): boolean =>
  REGIMES[regime].extendedTerm !== undefined && !isOptOut(type, regime);

export const pausesDeadline = (regime: Regime, ground: string | null): boolean =>
  REGIMES[regime].pauses.some((each) => each === ground);

/** The ground of a hold. A reason without a ground is a question to the requester. */
export const toHoldGround = (
  ground: Ground | null | undefined,
  reason: string | undefined,
): Ground | null => ground ?? (reason ? 'clarification' : null);

/** Whether a hold ends with an answer from the requester. */
export const asksRequester = (ground: string | null): ground is 'identity' | 'clarification' =>
  ground === 'identity' || ground === 'clarification';

export const countDays = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(to, { largestUnit: 'days' }).days;

const TRANSITIONS: Record<CaseStatus, readonly CaseStatus[]> = {
  received: ['in_progress', 'on_hold', 'rejected', 'withdrawn'],
  in_progress: ['on_hold', 'completed', 'rejected', 'withdrawn'],
  on_hold: ['in_progress', 'rejected', 'withdrawn'],
  completed: ['in_progress'],
  rejected: ['in_progress'],
  withdrawn: ['in_progress'],
};

const CLOSED: readonly CaseStatus[] = ['completed', 'rejected', 'withdrawn'];

export const isClosed = (status: CaseStatus): boolean => CLOSED.includes(status);

export const listTransitions = (status: CaseStatus): readonly CaseStatus[] => TRANSITIONS[status];

/** Refusing (GDPR Art. 12(4)) and reopening need a reason. */
export const needsReason = (from: CaseStatus, to: CaseStatus): boolean =>
  to === 'rejected' || isClosed(from);

/** `in_progress` as `In Progress`. */
export const formatStatus = (status: CaseStatus): string =>
  status.replaceAll('_', ' ').replace(/\b\w/g, (letter) => letter.toUpperCase());

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** For example `DSR-20260131-7K2M9Q`. */
export function createReference(day: string): string {
  const code = Array.from({ length: 6 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `DSR-${day.replaceAll('-', '')}-${code}`;
}

/** A typed reference in its stored form; undefined if it is none. */
export function readReference(text: string): string | undefined {
  const reference = text.trim().toUpperCase();
  return /^DSR-\d{8}-[A-Z0-9]{6}$/.test(reference) ? reference : undefined;
}

/** Null for an empty list. */
export function getMedian(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
