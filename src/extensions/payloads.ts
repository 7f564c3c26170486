import type { Registrar } from './items.ts';

/** A resource that a scan found and the scan before it did not. */
interface WorseResource {
  resource_type: string;
  name: string;
  url: string;
  host: string;
  vendor: string | null;
  category: string | null;
  page_urls: string[];
}

/** The arguments of hooks, by the type name in the catalogue. */
export interface Payloads {
  string: string;
  Registrar: Registrar;
  ScanSummary: {
    scan_id: number;
    status: string;
    pages: number;
    findings: number;
    vendors: number;
  };
  ScanRegression: {
    scan_id: number;
    previous_scan_id: number;
    new_without_consent: WorseResource[];
    broken_promises: (WorseResource & { verdicts: string[] })[];
    unknown_vendors: { host: string }[];
  };
  Finding: {
    scan_id: number;
    resource_type: string;
    url: string;
    host: string;
    third_party: boolean;
    category: string | null;
    name: string | null;
    page_url: string;
    details: Record<string, unknown>;
    /** States of the scan in which it was at work. */
    states: string[];
    /** With the category that Pavis gave it; null if there is none. A changed category can change it. */
    verdict: string | null;
    /** False drops the finding. */
    keep?: boolean;
  };
  ConsentRecord: {
    id: number;
    visitor_id: string;
    categories_accepted: string[];
    categories_rejected: string[];
    /** Vendors that were chosen otherwise than their category. */
    vendors_accepted: string[];
    vendors_rejected: string[];
    consent_action: string;
    created_at: string;
  };
  SecurityEvent: {
    id: number;
    at: string;
    last_at: string;
    event: string;
    outcome: string;
    count: number;
    user_id: number | null;
    username: string | null;
    actor_id: number | null;
    actor: string | null;
    address: string | null;
    user_agent: string | null;
    details: Record<string, unknown>;
  };
  DsarStatusChange: { reference: string; request_type: string; from: string; to: string };
  SettingsChange: { sections: string[] };
  DataMapChange: { id: number; change: 'created' | 'updated' | 'deleted' };
  VendorChange: { id: number; slug: string; change: 'created' | 'updated' | 'deleted' };
  LicenceChange: { id: string; action: string };
  RetentionPolicies: { id: number; name: string; data_category: string; action: string }[];
  RetentionResult: {
    results: {
      policy_name: string;
      data_category: string;
      action: string;
      records_affected: number;
    }[];
    policies_run: number;
    total_affected: number;
    dry_run: boolean;
  };
}
