import type { Registrar } from './items.ts';

/** What hooks hand out, by the name under which the catalogue documents it. Fields as on the wire. */
interface Payloads {
  string: string;
  Registrar: Registrar;
  ScanSummary: {
    scan_id: number;
    status: string;
    pages: number;
    findings: number;
    vendors: number;
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
    /** False leaves it out. */
    keep?: boolean;
  };
  ConsentRecord: {
    id: number;
    visitor_id: string;
    categories_accepted: string[];
    categories_rejected: string[];
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

interface HookParameter {
  readonly name: string;
  readonly type: keyof Payloads;
  readonly description: string;
}

export interface HookEntry {
  readonly name: string;
  readonly type: 'action' | 'filter';
  readonly description: string;
  /** Of a filter, the first is the value it may replace. */
  readonly parameters: readonly HookParameter[];
  /** The version of Pavis that brought it. */
  readonly since: string;
}

const ONCE =
  'Fires once, on the node that made the change, after the commit. Changes by the command line do not fire it.';

/** Every documented hook. The types of the arguments follow from it, and docs/extensions.md shows it. */
export const HOOK_CATALOGUE = [
  {
    name: 'svc_register_extensions',
    type: 'action',
    description: 'Fires once at start, when all extensions are loaded: the moment to register.',
    parameters: [
      {
        name: 'registry',
        type: 'Registrar',
        description: 'takes DSAR sources, consent scripts and vendors',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_scan_complete',
    type: 'action',
    description: 'Fires once for each scan, when it is marked as complete.',
    parameters: [
      {
        name: 'summary',
        type: 'ScanSummary',
        description: '{scan_id, status, pages, findings, vendors}, the last three as counts',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_scan_finding',
    type: 'filter',
    description:
      'Applied to each finding of a scanned page before it is saved: its category may be changed, and with keep: false it is left out.',
    parameters: [
      {
        name: 'finding',
        type: 'Finding',
        description:
          '{scan_id, resource_type, url, host, third_party, category, name, page_url, details, keep}',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_consent_recorded',
    type: 'action',
    description: 'Fires after a decision of a visitor has been stored.',
    parameters: [
      {
        name: 'record',
        type: 'ConsentRecord',
        description:
          '{id, visitor_id, categories_accepted, categories_rejected, consent_action, created_at}',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_dsar_received',
    type: 'action',
    description: 'Fires after a request of a data subject has been taken in.',
    parameters: [
      { name: 'reference', type: 'string', description: 'of the case, as DSR-20260131-7K2M9Q' },
      {
        name: 'request_type',
        type: 'string',
        description: 'access, deletion, rectification, portability or objection',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_dsar_status_changed',
    type: 'action',
    description: `Fires after the status of a request of a data subject has changed. ${ONCE}`,
    parameters: [
      {
        name: 'change',
        type: 'DsarStatusChange',
        description:
          '{reference, request_type, from, to}, the last two as statuses of GET /dsar/cases',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_settings_changed',
    type: 'action',
    description: `Fires after settings have been changed. ${ONCE}`,
    parameters: [
      {
        name: 'change',
        type: 'SettingsChange',
        description: '{sections}, the names of the groups in GET /settings that differ',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_data_map_changed',
    type: 'action',
    description: `Fires after an entry of the data map has been created, updated or deleted, for each entry. ${ONCE}`,
    parameters: [
      {
        name: 'change',
        type: 'DataMapChange',
        description: '{id, change}, the id of the entry, and created, updated or deleted',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_vendor_changed',
    type: 'action',
    description: `Fires after a vendor of the installation has been created, updated or deleted. ${ONCE}`,
    parameters: [
      {
        name: 'change',
        type: 'VendorChange',
        description: '{id, slug, change}, the last one created, updated or deleted',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_licence_changed',
    type: 'action',
    description: `Fires after a licence has been issued or changed, its activations included. ${ONCE}`,
    parameters: [
      {
        name: 'change',
        type: 'LicenceChange',
        description:
          '{id, action}, the licence identifier, and the action as the history of the licence names it, for example activated',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_retention_policies',
    type: 'filter',
    description:
      'Applied to the policies that are about to run, dry runs included: what is left out does not run.',
    parameters: [
      {
        name: 'policies',
        type: 'RetentionPolicies',
        description: 'a list of {id, name, data_category, action}',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_retention_run',
    type: 'action',
    description: 'Fires after retention policies have run, dry runs included.',
    parameters: [
      {
        name: 'result',
        type: 'RetentionResult',
        description: '{results, policies_run, total_affected, dry_run}',
      },
    ],
    since: '0.1.0',
  },
  {
    name: 'svc_security_event',
    type: 'action',
    description:
      'Fires within seconds after an event of the security log is stored, once on all nodes. Repetitions within a minute come together, with their number.',
    parameters: [
      {
        name: 'event',
        type: 'SecurityEvent',
        description:
          '{id, at, last_at, event, outcome, count, user_id, username, actor_id, actor, address, user_agent, details}, as GET /security-log lists it; count is how often it happened since the hook last fired for this id',
      },
    ],
    since: '0.1.0',
  },
] as const satisfies readonly HookEntry[];

type Entry = (typeof HOOK_CATALOGUE)[number];
type PayloadsOf<P extends readonly HookParameter[]> = {
  -readonly [I in keyof P]: Payloads[P[I]['type']];
};

type ArgumentsOf<E extends Entry> = { [H in E as H['name']]: PayloadsOf<H['parameters']> };
type Action = Extract<Entry, { type: 'action' }>;
type LiveAction = Extract<Action, { name: 'svc_register_extensions' }>;

declare module '../platform/hooks/callbacks.ts' {
  interface DataActions extends ArgumentsOf<Exclude<Action, LiveAction>> {}
  interface LiveActions extends ArgumentsOf<LiveAction> {}
  interface Filters extends ArgumentsOf<Extract<Entry, { type: 'filter' }>> {}
}
