import type { Generated } from 'kysely';

export interface ScanTable {
  id: Generated<number>;
  status: 'queued' | 'started' | 'completed' | 'cancelled' | 'interrupted' | 'failed';
  site_url: string;
  depth: number;
  /** What looks at the pages. */
  engine: string;
  started_at: number;
  completed_at: number | null;
  /** Pages that robots.txt keeps out of the scan. */
  robots_excluded: Generated<number>;
  /** Who looks at its pages: a client by the API, a server, or the command line. */
  runner: Generated<'client' | 'server' | 'command'>;
  /** Why it failed or was interrupted, in a sentence. */
  error: Generated<string | null>;
  /** The process that is at it; null when none is, or a client runs it. */
  lease_holder: Generated<string | null>;
  leased_until: Generated<number>;
  /** How often a process took it over from one that was gone. */
  takeovers: Generated<number>;
  anonymised_at: Generated<number | null>;
}

export interface ScanPageTable {
  id: Generated<number>;
  scan_id: number;
  /** Unique within the scan. */
  url: string;
  state: 'planned' | 'scanned' | 'failed';
  partial: 0 | 1;
  error: string | null;
  /** Of the answer; null where there was none. */
  http_status: number | null;
  /** What became of its consent banner; null where nobody looked for one. */
  banner: 'accepted' | 'not_accepted' | 'not_found' | null;
  /** Links from the home page; null for pages that only a sitemap or a client names. */
  distance: number | null;
}

export interface ScanFindingTable {
  id: Generated<number>;
  scan_id: number;
  page_id: number;
  /** What was found, wherever it is found: a hash. Unique within the page. */
  thing: string;
  resource_type: string;
  /** Without values of its query. */
  url: string;
  host: string;
  third_party: 0 | 1;
  /** Of a vendor that may have been deleted since. */
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
  /** When a scan of this site first found the thing. */
  first_seen: number;
}

/** Every decision that was ever made: the latest about a thing applies. */
export interface FindingDecisionTable {
  id: Generated<number>;
  decided_at: number;
  /** A login, or the command line. */
  actor: string;
  site_url: string;
  /** As in the findings; of a cookie classification `cookie PATTERN`. */
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
  /** A name; `*` stands for any characters. */
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
    finding_decisions: FindingDecisionTable;
    cookie_classifications: CookieClassificationTable;
  }
}
