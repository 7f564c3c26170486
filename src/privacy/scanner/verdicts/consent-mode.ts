import { toPlainUrl } from '../classify/plain-url.ts';
import { isUnsent, type StateVisit, type VisitRequest } from '../observation.ts';
import type { Shortcoming } from './shortcoming.ts';

export const CONSENT_SIGNALS = [
  'ad_storage',
  'analytics_storage',
  'ad_user_data',
  'ad_personalization',
] as const;

type ConsentStatus = 'granted' | 'denied' | null;

/** What a request says about one kind of consent. */
export interface ConsentSignal {
  /** Set before the visitor chose, by `default`. */
  default: ConsentStatus;
  /** Set later, by `update`. */
  update: ConsentStatus;
  /** What applied to the request; null if it was not set. */
  in_force: ConsentStatus;
}

/** What a request to Google or Microsoft says about consent. */
export interface ConsentModeSignal {
  service: 'google' | 'microsoft';
  /** As returned by `toPlainUrl`. */
  url: string;
  at_ms: number;
  is_after_choice: boolean;
  /** The parameters as sent. */
  parameters: Record<string, string>;
  consent: Partial<Record<(typeof CONSENT_SIGNALS)[number], ConsentSignal>>;
}

const SIGNALS_MAX = 20;

/** The letters of `gcd`: default and update. Google does not document them; they follow from its tags. */
const GCD_LETTERS: Readonly<Record<string, readonly [ConsentStatus, ConsentStatus]>> = {
  l: [null, null],
  m: [null, 'denied'],
  n: [null, 'granted'],
  p: ['denied', null],
  q: ['denied', 'denied'],
  r: ['denied', 'granted'],
  t: ['granted', null],
  u: ['granted', 'denied'],
  v: ['granted', 'granted'],
};
const GCD = /^1\d([a-z])\d([a-z])\d([a-z])\d([a-z])\d/i;
const GCS = /^G1([01-])([01-])$/;
const GCS_VALUES: Readonly<Record<string, ConsentStatus>> = { 0: 'denied', 1: 'granted' };

/** Reads Google Consent Mode (`gcs`, `gcd`) and Microsoft UET Consent Mode (`asc`) from a request. */
export function readConsentMode({
  url: address,
  at,
  isAfterChoice,
}: Pick<VisitRequest, 'url' | 'at' | 'isAfterChoice'>): ConsentModeSignal | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const read = (name: string) => url.searchParams.get(name)?.slice(0, 64) ?? '';
  const [gcs, gcd, asc] = ['gcs', 'gcd', 'asc'].map(read) as [string, string, string];
  const common = {
    url: toPlainUrl(address) ?? '',
    at_ms: Math.max(0, Math.round(at)),
    is_after_choice: isAfterChoice,
  };
  if (/(?:^|\.)bing\.com$/.test(url.hostname)) {
    const status = ({ G: 'granted', D: 'denied' } as const)[asc];
    return status === undefined
      ? undefined
      : {
          service: 'microsoft',
          ...common,
          parameters: { asc },
          consent: { ad_storage: { default: null, update: null, in_force: status } },
        };
  }
  const consent = { ...readGcs(gcs), ...readGcd(gcd) };
  if (Object.keys(consent).length === 0) return undefined;
  const parameters = { ...(gcs && { gcs }), ...(gcd && { gcd }) };
  return { service: 'google', ...common, parameters, consent };
}

function readGcs(gcs: string): ConsentModeSignal['consent'] {
  const [, ad, analytics] = GCS.exec(gcs) ?? [];
  if (ad === undefined || analytics === undefined) return {};
  const toSignal = (value: string): ConsentSignal => ({
    default: null,
    update: null,
    in_force: GCS_VALUES[value] ?? null,
  });
  return { ad_storage: toSignal(ad), analytics_storage: toSignal(analytics) };
}

function readGcd(gcd: string): ConsentModeSignal['consent'] {
  const letters = GCD.exec(gcd)?.slice(1) ?? [];
  return Object.fromEntries(
    letters.flatMap((letter, at) => {
      const known = GCD_LETTERS[letter.toLowerCase()];
      if (!known) return [];
      const [initial, update] = known;
      return [[CONSENT_SIGNALS[at], { default: initial, update, in_force: update ?? initial }]];
    }),
  );
}

/** The different consent signals of a visit, those before and after the choice apart. */
export function listConsentModes({ requests }: Pick<StateVisit, 'requests'>): ConsentModeSignal[] {
  const known = new Map<string, ConsentModeSignal>();
  for (const request of requests) {
    const signal = isUnsent(request) ? undefined : readConsentMode(request);
    if (!signal) continue;
    const { service, parameters, is_after_choice } = signal;
    const key = JSON.stringify([service, parameters, is_after_choice]);
    if (!known.has(key) && known.size < SIGNALS_MAX) known.set(key, signal);
  }
  return [...known.values()];
}

const SOURCE = 'Google, consent mode documentation; ePrivacy Directive Art. 5(3)';

/** Consent that was signalled without the visitor's choice, or against it. */
export function* findConsentModeShortcomings(
  { state, outcome }: Pick<StateVisit, 'state' | 'outcome'>,
  signals: readonly ConsentModeSignal[],
): Generator<Shortcoming> {
  const moment =
    state === 'before'
      ? ({ code: 'before_choice', text: 'before any choice' } as const)
      : outcome === 'reached' && state === 'rejected'
        ? ({ code: 'after_rejection', text: 'after rejection' } as const)
        : outcome === 'reached' && state === 'withdrawn'
          ? ({ code: 'after_withdrawal', text: 'after withdrawal' } as const)
          : undefined;
  if (!moment) return;
  const counted = signals.filter(({ is_after_choice }) => is_after_choice === (state !== 'before'));
  for (const [service, name] of [
    ['google', 'Google'],
    ['microsoft', 'Microsoft'],
  ] as const) {
    const own = counted.filter((signal) => signal.service === service);
    const granted = CONSENT_SIGNALS.filter((kind) =>
      own.some(({ consent }) => consent[kind]?.in_force === 'granted'),
    );
    if (granted.length === 0) continue;
    yield {
      code: `${service}_consent_granted_${moment.code}`,
      title: `${name} is told that consent is granted ${moment.text}`,
      explanation: `Requests to ${name} report ${granted.join(', ')} as granted ${moment.text}.`,
      source:
        service === 'google'
          ? SOURCE
          : 'Microsoft Advertising, UET consent mode documentation; ePrivacy Directive Art. 5(3)',
    };
  }
}
