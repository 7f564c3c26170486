import type {
  PeriodUnit,
  PersonalDataDeclaration,
  RetentionAction,
} from '../../personal-data/index.ts';
import type { Db, Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { SharedWindow } from '../../platform/http/shared-window.ts';
import { formatLocalTime, toLocalDay } from '../../platform/local-time.ts';
import { RestError } from '../../platform/rest/errors.ts';
import type { Regime } from './rules.ts';

/** Who decides on the processing (GDPR Art. 4(7)); a field that was not stated is empty. */
export interface Controller {
  name: string;
  /** In lines. */
  address: string;
  email: string;
  dpo_name: string;
  dpo_email: string;
}

/** Who emails about requests come from; read before a transaction, which is held up by nothing else. */
export interface Sender {
  from_name: string;
  /** The address that receives answers; empty if there is none. */
  reply_to: string;
  controller: Controller;
}

/** What requests need to know of the site; settings and data map belong to others, who hand them in. */
export interface DsarSite {
  settings: () => Promise<{
    /** The languages of the site, the main one first. */
    consent: { languages: readonly string[] };
    dsar: { enabled: boolean; regime: Regime; auto_erase: boolean };
    mail: Sender;
    controller: Controller;
  }>;
  siteUrl: () => string;
  /** The origin of this service, where the pages are that mails link to. */
  publicUrl: () => string;
  /** The visitor id that a token shows possession of; undefined for a token that shows nothing. */
  readVisitorToken: (token: string) => Promise<string | undefined>;
  timeZone: string;
  /** Packages are kept in `packages` within it. */
  dataDir: string;
  personalData: readonly PersonalDataDeclaration[];
  /** What is processed, for GDPR Art. 15(1). */
  processing: () => Promise<ProcessingEntry[]>;
  /** The retention policies in force. */
  retentionRules: (reader: Db | Trx) => Promise<RetentionRule[]>;
  /** How many requests one address may send in a minute; undefined: no limit. */
  perMinute: number | undefined;
}

/** When records of a category are anonymised or deleted. */
export interface RetentionRule {
  category: string;
  action: RetentionAction;
  periodValue: number;
  periodUnit: PeriodUnit;
}

/** One processing of data, as GDPR Art. 15(1) and (2) ask to be told of it. Null: not stated. */
export interface ProcessingEntry {
  purpose: string;
  legalBasis: string;
  dataCategories: readonly string[];
  /** Whose data it is. */
  dataSubjects: string | null;
  recipients: readonly string[];
  thirdCountries: string | null;
  /** What protects the data there. */
  safeguards: string | null;
  retentionPeriod: string | null;
  dataSource: string | null;
  automatedDecisions: string | null;
}

/** What everything about requests works with. */
export interface Dsar {
  platform: Platform;
  site: DsarSite;
  /** The day of a moment, `YYYY-MM-DD`, and its time, `YYYY-MM-DD HH:MM:SS`, in the site's zone. */
  dayOf: (milliseconds: number) => string;
  timeOf: (milliseconds: number) => string;
  /**
   * Counts what somebody does, on a page or by the API.
   * @throws RestError 429 `rate_limited`
   */
  assertCalm: (
    what: 'intake' | 'status' | 'verify' | 'package' | 'withdraw',
    client: string,
  ) => void;
}

/** Offices and carriers share an address, and a status page may look again and again. */
const LOOKS_PER_REQUEST = 5;

export const dsarOf = (platform: Platform, site: DsarSite): Dsar => ({
  platform,
  site,
  dayOf: toLocalDay(site.timeZone),
  timeOf: formatLocalTime(site.timeZone),
  assertCalm: calmBy(platform, site.perMinute),
});

function calmBy(platform: Platform, perMinute: number | undefined): Dsar['assertCalm'] {
  if (perMinute === undefined) return () => {};
  const callers = new SharedWindow('requests', perMinute, 60_000, platform);
  const lookers = new SharedWindow(
    'request status',
    perMinute * LOOKS_PER_REQUEST,
    60_000,
    platform,
  );
  return (what, client) => {
    const window = what === 'status' ? lookers : callers;
    if (window.hit(`${what} ${client}`).allowed) return;
    const message = `Too many requests: ${window.limit} a minute are allowed. Try again in a minute.`;
    throw new RestError(429, 'rate_limited', message);
  };
}
