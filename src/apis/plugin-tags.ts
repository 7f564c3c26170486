import type { Tag } from '../platform/rest/openapi.ts';

/** The tags of the plugin REST API, in the order of its documentation. */
export const TAGS: Tag[] = [
  ['consent', 'Consent', 'Consent choices of visitors, consent records and statistics.'],
  ['settings', 'Settings', 'Settings of the site, and every version of the banner.'],
  ['scanner', 'Scanner', 'Scans of the site and their findings.'],
  ['vendors', 'Vendors', 'The vendor library, built-in and custom.'],
  ['data-map', 'Data map', 'Records of processing activities (GDPR Art. 30).'],
  [
    'declaration',
    'Declaration',
    'Vendors, cookies and storage that the latest scan observed, for visitors.',
  ],
  ['scripts', 'Scripts', 'Scripts that are blocked until consent.'],
  ['dsar', 'Subject requests', 'Data subject requests, from intake to data package.'],
  ['retention', 'Retention', 'Retention policies, legal holds and retention runs.'],
  ['mail', 'Mail', 'Queued, sent and failed emails.'],
  ['webhooks', 'Webhooks', 'Addresses of other programs that receive events.'],
  ['webhook-deliveries', 'Webhook deliveries', 'The delivery log of webhooks.'],
  ['licence', 'Licence of the site', 'The Pavis licence of this site.'],
  ['developer', 'Developer', 'Hooks and registered extensions.'],
  ['users', 'Users', 'Users, application passwords and user activity.'],
  ['security-log', 'Security log', 'Sign-ins, rejected credentials, user changes and exports.'],
].map(([name = '', title = '', description = '']) => ({ name, title, description }));
