import type { RenderedMail } from '../../mail/index.ts';
import type {
  PeriodUnit,
  PersonalDataDeclaration,
  RetentionAction,
} from '../../personal-data/index.ts';
import type { Announce, Db, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError } from '../../platform/errors.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';
import { formatLocalTime, toLocalDay } from '../../platform/local-time.ts';
import type { Regime } from './rules.ts';

/** The controller (GDPR Art. 4(7)); fields that are not set are empty. */
export interface Controller {
  name: string;
  /** In lines. */
  address: string;
  email: string;
  dpo_name: string;
  dpo_email: string;
}

/** The sender of emails about requests. */
export interface Sender {
  from_name: string;
  /** The address that receives answers; empty if there is none. */
  reply_to: string;
  controller: Controller;
}

/** What this slice needs of the site. Settings and the data map belong to other slices, so the caller passes them in. */
export interface DsarSite {
  settings: () => Promise<{
    /** The languages of the site, the main one first. */
    consent: { languages: readonly string[] };
    dsar: { enabled: boolean; regime: Regime; auto_erase: boolean };
    mail: Sender;
    controller: Controller;
  }>;
  siteUrl: () => string;
  /** The origin of the pages at `/privacy/`, which emails to requesters link to. */
  publicUrl: () => string;
  /** For links in emails to administrators. */
  consoleUrl: () => string;
  /** The visitor id that a token proves possession of; undefined for an invalid or expired token. */
  readVisitorToken: (token: string) => Promise<string | undefined>;
  timeZone: string;
  /** Packages are kept in `packages` within it. */
  dataDir: string;
  personalData: readonly PersonalDataDeclaration[];
  /** The processing activities, for the information that GDPR Art. 15(1) requires. */
  processing: () => Promise<ProcessingEntry[]>;
  receipts: Receipts;
  retentionRules: (reader: Db | Trx) => Promise<RetentionRule[]>;
  /** Requests that one network address may send per minute; undefined for no limit. */
  perMinute: number | undefined;
}

/** Receipts of records, which a person gets as files beside the records. */
export interface Receipts {
  /** The category of the records. */
  category: string;
  /** Oldest first, as a proof and as a readable page with the proof in it; without them if the record is not in the log yet or differs from what was logged, or the log is damaged. */
  list: (
    visitorId: string,
  ) => AsyncIterable<
    | { recordId: number; proof: string; page: string }
    | { recordId: number; missing: 'not_logged' | 'altered' | 'unproven' }
  >;
  /** One HTML file that verifies receipts; null if it is not built. */
  readVerifier: () => Promise<Buffer | null>;
}

/** When records of a category are anonymised or deleted. */
export interface RetentionRule {
  category: string;
  action: RetentionAction;
  periodValue: number;
  periodUnit: PeriodUnit;
}

/** A processing activity with the information of GDPR Art. 15(1) and (2). Null: not set. */
export interface ProcessingEntry {
  purpose: string;
  legalBasis: string;
  dataCategories: readonly string[];
  dataSubjects: string | null;
  recipients: readonly string[];
  thirdCountries: string | null;
  /** Whether these state transfers. */
  hasTransfers: boolean;
  /** Safeguards of these transfers (GDPR Art. 46). */
  safeguards: string | null;
  retentionPeriod: string | null;
  dataSource: string | null;
  automatedDecisions: string | null;
}

/** The context of all functions of this slice. */
export interface Dsar {
  platform: Platform;
  site: DsarSite;
  /** In the site's time zone: `YYYY-MM-DD`, and `YYYY-MM-DD HH:MM:SS`. */
  formatDay: (milliseconds: number) => string;
  formatTime: (milliseconds: number) => string;
  isWithinRateLimit: (action: LimitedAction, client: string) => boolean;
}

/** What an email would say to a requester without an email address, for an administrator to send another way. */
export type Letter = Pick<RenderedMail, 'subject' | 'text'>;

/** The context of a change of cases, within its transaction. */
export interface CaseChange {
  dsar: Dsar;
  trx: Trx;
  announce: Announce;
  sender: Sender;
  rules: { regime: Regime; auto_erase: boolean };
  /** Those of this change. They are not stored. */
  letters: Letter[];
  /** Epoch milliseconds. */
  at: number;
}

/** Changes cases in a transaction. The settings are read before it, to keep it short. */
export async function changeCases<T>(
  dsar: Dsar,
  work: (change: CaseChange) => Promise<T>,
): Promise<T> {
  const { datastore, clock } = dsar.platform;
  const { mail: sender, dsar: rules } = await dsar.site.settings();
  return datastore.transaction((trx, announce) =>
    work({ dsar, trx, announce, sender, rules, letters: [], at: clock.now() }),
  );
}

type LimitedAction = 'intake' | 'status' | 'verify' | 'package' | 'withdraw';

/** Offices and carriers share an address, and people reload the status page. */
const STATUS_FACTOR = 5;
const getLimit = (action: LimitedAction, perMinute: number): number =>
  action === 'status' ? perMinute * STATUS_FACTOR : perMinute;

export function createDsar(platform: Platform, site: DsarSite): Dsar {
  const { perMinute, timeZone } = site;
  const toWindow = (name: string, action: LimitedAction) =>
    perMinute === undefined
      ? undefined
      : new SharedWindow(name, getLimit(action, perMinute), 60_000, platform);
  const requestLimiter = toWindow('requests', 'intake');
  const statusLimiter = toWindow('request status', 'status');
  return {
    platform,
    site,
    formatDay: toLocalDay(timeZone),
    formatTime: formatLocalTime(timeZone),
    isWithinRateLimit: (action, client) => {
      const limiter = action === 'status' ? statusLimiter : requestLimiter;
      return limiter?.hit(`${action} ${client}`).allowed ?? true;
    },
  };
}

/** @throws DomainError 429 `rate_limited` */
export function assertWithinRateLimit(
  { isWithinRateLimit, site }: Dsar,
  action: LimitedAction,
  client: string,
): void {
  if (isWithinRateLimit(action, client)) return;
  const limit = getLimit(action, site.perMinute ?? 0);
  const message = `Too many requests: ${limit} a minute are allowed. Try again in a minute.`;
  throw new DomainError('rate_limited', 'rate_limited', message);
}
