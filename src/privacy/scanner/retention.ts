import type { PersonalDataDeclaration } from '../../personal-data/index.ts';
import { logDeletion } from '../consent-log/index.ts';

/** Scans with their pages and findings. They hold no personal data. */
export const scanFindings: PersonalDataDeclaration = {
  category: 'scan_findings',
  label: 'Scans with their findings',
  table: 'scans',
  due: 'started_at',
  personal: {},
  impersonal: [
    'status',
    'site_url',
    'engine',
    'runner',
    'error',
    'lease_holder',
    'states',
    'started_by',
    'crawl_limit',
  ],
  // Anonymising changes nothing that the log commits to.
  beforeRemoval: async (trx, removal) =>
    removal.action === 'delete'
      ? { where: await logDeletion(trx, 'scans', removal) }
      : { where: removal.where },
  parts: [
    {
      table: 'scan_findings',
      parent: 'scan_id',
      personal: {},
      impersonal: [
        'thing',
        'resource_type',
        'url',
        'host',
        'category',
        'name',
        'consent_state',
        'sources',
        'details',
        'states',
        'verdicts',
        'verdict',
        'evidence',
      ],
    },
    {
      table: 'scan_visits',
      parent: 'scan_id',
      personal: {},
      impersonal: ['state', 'outcome', 'error', 'signals', 'banner', 'picture_sha256'],
    },
    {
      table: 'scan_pages',
      parent: 'scan_id',
      personal: {},
      impersonal: ['url', 'state', 'error', 'banner'],
    },
  ],
  policy: {
    name: 'Scans: 2 years',
    periodValue: 2,
    periodUnit: 'years',
    action: 'delete',
  },
};
