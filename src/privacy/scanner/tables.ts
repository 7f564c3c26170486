import type { Generated } from 'kysely';
import type { ResourceType } from './classify/finding.ts';
import type { ScanState, StateVisit } from './observation.ts';
import type { Verdict } from './verdicts/verdict.ts';

export const SCAN_STATUSES = [
  'queued',
  'started',
  'completed',
  'cancelled',
  'interrupted',
  'failed',
] as const;

/** `proof`: a scan that checks findings at once after a decision to block them. */
export const SCAN_STARTERS = ['request', 'schedule', 'proof'] as const;

/** What keeps pages of a site out of a scan besides robots.txt. `variants`: addresses that differ only in their query. */
export const CRAWL_LIMITS = ['time', 'max_pages', 'variants', 'sitemaps'] as const;
export type CrawlLimit = (typeof CRAWL_LIMITS)[number];

export interface ScanTable {
  id: Generated<number>;
  status: (typeof SCAN_STATUSES)[number];
  site_url: string;
  depth: number;
  /** Name of the engine, for example `html`. */
  engine: string;
  started_at: number;
  completed_at: number | null;
  /** Pages that robots.txt keeps out of the scan. */
  robots_excluded: Generated<number>;
  /** Null if none kept pages out, and for scans before this was recorded. */
  crawl_limit: Generated<CrawlLimit | null>;
  runner: Generated<'client' | 'server' | 'command'>;
  /** Error message, if it failed or was interrupted. */
  error: Generated<string | null>;
  /** The process that runs it; null if none does or a client runs it. */
  lease_holder: Generated<string | null>;
  leased_until: Generated<number>;
  /** How often a process took it over from one that had ended. */
  takeovers: Generated<number>;
  anonymised_at: Generated<number | null>;
  /** JSON: list of states. */
  states: Generated<string>;
  started_by: Generated<(typeof SCAN_STARTERS)[number]>;
}

export interface ScanPageTable {
  id: Generated<number>;
  scan_id: number;
  /** Unique within the scan. */
  url: string;
  state: 'planned' | 'scanned' | 'failed';
  partial: 0 | 1;
  error: string | null;
  /** Null without a response. */
  http_status: number | null;
  /** State of the consent banner; null if the scan did not look for one. */
  banner: 'accepted' | 'not_accepted' | 'not_found' | null;
  /** Links from the home page; null for pages that only a sitemap or a client names. */
  distance: number | null;
}

export interface ScanFindingTable {
  id: Generated<number>;
  scan_id: number;
  page_id: number;
  /** Hash that identifies the resource on all pages. Unique within the page. */
  thing: string;
  resource_type: ResourceType;
  /** Without query values. */
  url: string;
  host: string;
  third_party: 0 | 1;
  /** The vendor may have been deleted. */
  vendor_id: number | null;
  category: string | null;
  name: string;
  consent_state: 'before' | 'after';
  needs_consent: 0 | 1;
  blocked: 0 | 1;
  /** JSON: list of texts */
  sources: string;
  /** JSON: object */
  details: string;
  /** When a scan of this site first found the resource. */
  first_seen: number;
  /** JSON: states in which it was at work. */
  states: Generated<string>;
  /** JSON: all verdicts, the first one also in `verdict`. */
  verdicts: Generated<string>;
  /** Null: not in states that allow one. */
  verdict: Generated<Verdict | null>;
  /** At work despite rejection or after withdrawal. */
  broken_promise: Generated<0 | 1>;
  /** JSON: list of evidence. */
  evidence: Generated<string>;
}

/** One visit of a page in one state. */
export interface ScanVisitTable {
  id: Generated<number>;
  scan_id: number;
  page_id: number;
  /** Unique within the page. */
  state: ScanState;
  outcome: StateVisit['outcome'];
  error: string | null;
  clicks: number;
  duration_ms: number;
  visited_at: number;
  /** Gzipped JSON: requests, cookies and storage, without values of queries and cookies. */
  recording: Uint8Array;
  /** JSON: Google Consent Mode and TCF signals. */
  signals: string;
  /** JSON: the measured banner with its shortcomings; in `before` only. */
  banner: string | null;
  /** JPEG */
  picture: Uint8Array | null;
  picture_sha256: string | null;
}

/** All decisions. The latest decision about a resource applies. */
export interface FindingDecisionTable {
  id: Generated<number>;
  decided_at: number;
  /** A login, or the command line. */
  actor: string;
  site_url: string;
  /** The same value as in findings; `cookie PATTERN` for a cookie classification. */
  thing: string;
  resource_type: string;
  name: string;
  url: string;
  decision: 'blocked' | 'necessary' | 'ignored' | 'open' | 'classified' | 'unclassified';
  reason: string | null;
  anonymised_at: Generated<number | null>;
}

export interface CookieClassificationTable {
  id: Generated<number>;
  /** A name. `*` matches any characters. */
  pattern: string;
  /** A consent category. */
  category: string;
  purpose: string;
  created_at: number;
  updated_at: number;
}

declare module '../../platform/db/database.ts' {
  interface Database {
    scans: ScanTable;
    scan_pages: ScanPageTable;
    scan_findings: ScanFindingTable;
    scan_visits: ScanVisitTable;
    finding_decisions: FindingDecisionTable;
    cookie_classifications: CookieClassificationTable;
  }
}
