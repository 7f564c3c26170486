import type { Payloads } from './payloads.ts';

interface HookParameter {
  readonly name: string;
  readonly type: keyof Payloads;
  readonly description: string;
}

export interface HookEntry {
  readonly name: string;
  readonly type: 'action' | 'filter';
  readonly description: string;
  /** The first parameter of a filter is the value. */
  readonly parameters: readonly HookParameter[];
  /** The first version of Pavis with the hook. */
  readonly since: string;
}

type Parameters = readonly HookParameter[];

const action = <const N extends string, const P extends Parameters>(
  name: N,
  description: string,
  ...parameters: P
) => ({ name, type: 'action', description, parameters, since: getFirstVersion(name) }) as const;

const filter = <const N extends string, const P extends Parameters>(
  name: N,
  description: string,
  ...parameters: P
) => ({ name, type: 'filter', description, parameters, since: getFirstVersion(name) }) as const;

/** Hooks that version 0.1.0 did not have. */
const ADDED: Readonly<Record<string, string>> = {
  svc_scan_regression: '0.2.0',
  svc_dsar_status_changed: '0.2.0',
  svc_settings_changed: '0.2.0',
  svc_data_map_changed: '0.2.0',
  svc_vendor_changed: '0.2.0',
  svc_licence_changed: '0.2.0',
  svc_security_event: '0.2.0',
};

const getFirstVersion = (name: string): string => ADDED[name] ?? '0.1.0';

const ONCE =
  'Fires once, on the node that made the change, after the commit. Changes by the command line do not fire it.';

/** Every documented hook, as in docs/extensions.md. The types of the arguments are derived from it. */
export const HOOK_CATALOGUE = [
  action(
    'svc_register_extensions',
    'Fires once at start, after all extensions are loaded. Register items here.',
    {
      name: 'registry',
      type: 'Registrar',
      description: 'registers DSAR sources, consent scripts and vendors',
    },
  ),
  action(
    'svc_scan_complete',
    'Fires once for each scan, when it is complete. This includes scans that only check blocked findings: in GET /scanner/scans/{id} their started_by is proof.',
    {
      name: 'summary',
      type: 'ScanSummary',
      description: '{scan_id, status, pages, findings, vendors}, the last three as counts',
    },
  ),
  action(
    'svc_scan_regression',
    'Fires when a completed scan of the whole site found something worse than the comparable scan before it: at least as deep, and also with or without a browser. Fires once, on the node that completed the scan, after the commit.',
    {
      name: 'regression',
      type: 'ScanRegression',
      description:
        '{scan_id, previous_scan_id, new_without_consent, broken_promises, unknown_vendors}. The first two lists have {resource_type, name, url, host, vendor, category, page_urls}, broken_promises also verdicts; unknown_vendors has {host}',
    },
  ),
  filter(
    'svc_scan_finding',
    'Applied to each finding of a page before it is saved. Change category to reclassify it, or set keep to false to drop it.',
    {
      name: 'finding',
      type: 'Finding',
      description:
        '{scan_id, resource_type, url, host, third_party, category, name, page_url, details, states, verdict, keep}',
    },
  ),
  action('svc_consent_recorded', 'Fires after a consent record is stored.', {
    name: 'record',
    type: 'ConsentRecord',
    description:
      '{id, visitor_id, categories_accepted, categories_rejected, vendors_accepted, vendors_rejected, consent_action, created_at}',
  }),
  action(
    'svc_dsar_received',
    'Fires after a data subject request is received.',
    {
      name: 'reference',
      type: 'string',
      description: 'of the case, for example DSR-20260131-7K2M9Q',
    },
    {
      name: 'request_type',
      type: 'string',
      description: 'access, deletion, rectification, portability or objection',
    },
  ),
  action(
    'svc_dsar_status_changed',
    `Fires after the status of a data subject request has changed. ${ONCE}`,
    {
      name: 'change',
      type: 'DsarStatusChange',
      description:
        '{reference, request_type, from, to}, the last two as statuses of GET /dsar/cases',
    },
  ),
  action('svc_settings_changed', `Fires after settings have changed. ${ONCE}`, {
    name: 'change',
    type: 'SettingsChange',
    description: '{sections}, the names of the changed sections of GET /settings',
  }),
  action(
    'svc_data_map_changed',
    `Fires after a data map entry is created, updated or deleted. ${ONCE}`,
    {
      name: 'change',
      type: 'DataMapChange',
      description: '{id, change}, the id of the entry, and created, updated or deleted',
    },
  ),
  action('svc_vendor_changed', `Fires after a vendor is created, updated or deleted. ${ONCE}`, {
    name: 'change',
    type: 'VendorChange',
    description: '{id, slug, change}, the last one created, updated or deleted',
  }),
  action(
    'svc_licence_changed',
    `Fires after a licence or one of its activations is created or changed. ${ONCE}`,
    {
      name: 'change',
      type: 'LicenceChange',
      description:
        '{id, action}, the id of the licence, and the action as in its history, for example activated',
    },
  ),
  filter(
    'svc_retention_policies',
    'Applied to the policies of a run, dry runs included. Policies that are removed from the list do not run.',
    {
      name: 'policies',
      type: 'RetentionPolicies',
      description: 'a list of {id, name, data_category, action}',
    },
  ),
  action('svc_retention_run', 'Fires after a retention run, dry runs included.', {
    name: 'result',
    type: 'RetentionResult',
    description: '{results, policies_run, total_affected, dry_run}',
  }),
  action(
    'svc_security_event',
    'Fires on one node, within seconds after a security event is stored. Repetitions within a minute fire it together, with their number.',
    {
      name: 'event',
      type: 'SecurityEvent',
      description:
        '{id, at, last_at, event, outcome, count, user_id, username, actor_id, actor, address, user_agent, details}, as in GET /security-log. count is the number of occurrences since the hook last fired for this id',
    },
  ),
] satisfies readonly HookEntry[];

type Entry = (typeof HOOK_CATALOGUE)[number];
type Payload<P extends Parameters> = { -readonly [I in keyof P]: Payloads[P[I]['type']] };
type Arguments<E extends Entry> = { [H in E as H['name']]: Payload<H['parameters']> };
type Action = Extract<Entry, { type: 'action' }>;
type LiveAction = Extract<Action, { name: 'svc_register_extensions' }>;

declare module '../platform/hooks/callbacks.ts' {
  interface DataActions extends Arguments<Exclude<Action, LiveAction>> {}
  interface LiveActions extends Arguments<LiveAction> {}
  interface Filters extends Arguments<Extract<Entry, { type: 'filter' }>> {}
}
