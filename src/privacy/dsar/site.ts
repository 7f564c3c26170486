import type { Platform } from '../../platform/deps.ts';
import { dayIn, timeIn } from '../../platform/local-time.ts';
import type { RecordType } from '../../platform/records/index.ts';
import type { Regime } from './rules.ts';

/** What requests need to know of the site; settings and data map belong to others, who hand them in. */
export interface DsarSite {
  settings: () => Promise<{
    dsar: { enabled: boolean; regime: Regime };
    mail: { from_name: string; reply_to: string };
  }>;
  siteUrl: () => string;
  /** The origin of this service, where the pages are that mails link to. */
  publicUrl: () => string;
  timeZone: string;
  /** Packages are kept in `packages` within it. */
  dataDir: string;
  recordTypes: readonly RecordType[];
  /** What is processed, for GDPR Art. 15(1). */
  processing: () => Promise<ProcessingEntry[]>;
  /** How many requests one address may send in a minute; undefined: no limit. */
  perMinute: number | undefined;
}

export interface ProcessingEntry {
  purpose: string;
  legalBasis: string;
  dataCategories: readonly string[];
  recipient: string;
  retentionPeriod: string;
}

/** What everything about requests works with. */
export interface Dsar {
  platform: Platform;
  site: DsarSite;
  /** The day of a moment, `YYYY-MM-DD`, and its time, `YYYY-MM-DD HH:MM:SS`, in the site's zone. */
  dayOf: (milliseconds: number) => string;
  timeOf: (milliseconds: number) => string;
}

export const dsarOf = (platform: Platform, site: DsarSite): Dsar => ({
  platform,
  site,
  dayOf: dayIn(site.timeZone),
  timeOf: timeIn(site.timeZone),
});
