import { Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../platform/clock.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { toRecord } from '../../platform/http/record.ts';
import { deletionSchema, Moment, nullable, OneOf } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import { FindingRecord } from './findings/schemas.ts';
import { SCAN_STATES } from './observation.ts';
import { describeUnseen, getScanNotice } from './results/rules.ts';
import type { Scan, ScanCounts, ScanPage } from './store.ts';
import { CRAWL_LIMITS, SCAN_STARTERS, SCAN_STATUSES } from './tables.ts';

const ScanId = Type.Integer({ minimum: 1, description: 'The `scan_id` that `start` returned.' });
export const count = (description: string) => Type.Integer({ minimum: 0, description });

export const StartArgs = Type.Object(
  {
    scan_depth: Type.Integer({
      minimum: 0,
      maximum: 5,
      default: 1,
      description: 'Crawl depth: 0 scans the home page only, n follows links up to n levels deep.',
    }),
    states: Type.Optional(
      Type.Array(OneOf(SCAN_STATES), {
        uniqueItems: true,
        description:
          'States in which each page is visited. Default: the setting `scanner.states`. `before`: before any choice, always included. `accepted`, `rejected`: after accepting or rejecting all. `withdrawn`: after accepting and then withdrawing. `gpc`: with Global Privacy Control and no choice.',
      }),
    ),
  },
  { title: 'ScanStart' },
);

export const PageScanArgs = Type.Object(
  {
    scan_id: ScanId,
    url: Type.String({
      format: 'uri',
      maxLength: URL_MAX_LENGTH,
      description: 'A page of the protected site.',
    }),
  },
  { title: 'PageScan', examples: [{ scan_id: 1, url: 'https://example.com/' }] },
);

export const CompleteArgs = Type.Object({ scan_id: ScanId }, { title: 'ScanCompletion' });

const robotsExcluded = count('Pages excluded by robots.txt that the crawl before the scan found.');
const crawlLimit = nullable(
  OneOf(CRAWL_LIMITS, {
    description:
      'What keeps other pages of the site out of the scan, or may do so. `time`: the crawl reached its time limit, which is 8 seconds for `start` and 30 seconds for scans on the server. `max_pages`: the setting `scanner.max_pages`. `variants`: of addresses that differ only in their query, ten are scanned. `sitemaps`: sitemaps were not read completely; the scanner reads 20, of each up to 5 MB and 10,000 pages, and waits 3 seconds for each. If there are several, it is the first of `time`, `max_pages`, `sitemaps` and `variants`. Null if there was no such limit.',
  }),
);
const notice = nullable(
  Type.String({
    description:
      'Message about pages that are left out and how to include them; null if none are known.',
  }),
);
export const httpStatus = nullable(
  Type.Integer({ description: 'HTTP status of the page; null if there was no response.' }),
);

export const StartAnswer = Type.Object(
  {
    scan_id: Type.Integer(),
    urls: Type.Array(Type.String()),
    total: count('Number of `urls`.'),
    robots_excluded: robotsExcluded,
    crawl_limit: crawlLimit,
    notice,
  },
  { title: 'ScanStartResult' },
);

const banner = nullable(
  OneOf(['accepted', 'not_accepted', 'not_found'], {
    description:
      'What happened to the consent banner of the page. `not_accepted`: there is a banner, but no accept button that is safe to click, or clicking it had no effect. Resources that load after consent are then missing from the findings. Null for pages that could not be scanned and for scans without a browser.',
  }),
);

export const PageScanAnswer = Type.Object(
  {
    url: Type.String(),
    findings: Type.Array(FindingRecord),
    count: count('Number of `findings`.'),
    http_status: httpStatus,
    banner,
    partial: Type.Boolean({
      description: 'The page was not scanned completely: there may be more findings.',
    }),
    discovered: Type.Array(Type.String(), {
      description:
        'Pages that scripts of this page link to, added to the scan. Scan them before you complete the scan.',
    }),
    error: Type.Optional(Type.String({ description: 'Why the page could not be scanned.' })),
  },
  { title: 'PageScanResult' },
);

const status = OneOf(SCAN_STATUSES, {
  description:
    '`queued`: the server will run it. `started`: running, or not yet completed by a client. `interrupted`: the process that ran it ended. `failed`: see `error`.',
});
const unseen = nullable(
  Type.String({
    description:
      'What the scan could not detect because no browser was available; null if a browser was used.',
  }),
);
export const CompleteAnswer = Type.Object(
  {
    scan_id: Type.Integer(),
    status,
    pages: count('Pages scanned.'),
    findings: count('Findings on all pages.'),
    vendors: count('Vendors of these findings.'),
  },
  { title: 'ScanCompletionResult' },
);

/** Fields of a scan in all responses. */
export const commonFields = {
  scan_id: Type.Integer(),
  status,
  site_url: Type.String(),
  depth: Type.Integer(),
  engine: Type.String({
    description: 'Browser that scanned the pages, or `html` without a browser.',
  }),
  unseen,
  robots_excluded: robotsExcluded,
  crawl_limit: crawlLimit,
  notice,
  runner: OneOf(['client', 'server', 'command'], {
    description:
      'What runs the scan: a client that calls `scan-page`, the server, or `pavis scan`.',
  }),
  error: nullable(Type.String({ description: 'Why the scan failed or was interrupted.' })),
  states: Type.Array(OneOf(SCAN_STATES), {
    description: 'States in which each page is visited.',
  }),
  started_by: OneOf(SCAN_STARTERS, {
    description:
      '`request`: a person or program. `schedule`: the setting `scanner.schedule`. `proof`: a decision to block findings, to check their pages at once.',
  }),
  started_at: Moment('When the scan was started.'),
  completed_at: nullable(Moment('When the scan was completed.')),
  pages: count('Pages scanned.'),
  pages_failed: count('Pages that could not be scanned.'),
  pages_planned: count('All pages of the scan, including pages not scanned yet.'),
  findings: count('Findings on all pages.'),
  before_consent: count('Findings that loaded before consent although they require it.'),
  broken_promises: count('Findings at work although the visitor rejected, or withdrew consent.'),
  resources: Type.Object(
    {
      total: count('Resources on all pages.'),
      before_consent: count('Those that loaded before consent although they require it.'),
      broken_promises: count('Those at work although the visitor rejected, or withdrew consent.'),
    },
    {
      description:
        'The same by resource: one that several pages load is several findings, but one resource.',
    },
  ),
};

export const scanFields = { ...commonFields, vendors: count('Vendors of these findings.') };

export const PageRecord = Type.Object(
  {
    url: Type.String(),
    state: OneOf(['planned', 'scanned', 'failed'], {
      description: '`failed`: the page could not be scanned, see `error`.',
    }),
    http_status: httpStatus,
    banner,
    partial: Type.Boolean(),
    error: nullable(Type.String()),
    findings: count('Findings on the page.'),
  },
  { title: 'ScanPage' },
);

export const ScanListArgs = Type.Object({
  started_by: Type.Optional(
    Type.Array(OneOf(SCAN_STARTERS), {
      description: 'Only scans that were started in one of these ways. Default: all scans.',
    }),
  ),
  status: Type.Optional(
    Type.Array(OneOf(SCAN_STATUSES), {
      description: 'Only scans with one of these statuses. Default: all scans.',
    }),
  ),
  protected_site: Type.Optional(
    Type.Boolean({
      description:
        'If true, only scans of the protected site: `pavis scan` can scan others. Default: all scans.',
    }),
  ),
  ...paginationArgs(),
});

export const ScanRecord = Type.Object(scanFields, { title: 'Scan' });

export const DeletedScan = deletionSchema(ScanRecord);

/** The fields that all responses about a scan have. */
export const toScanFields = (scan: Scan, counts: ScanCounts) => ({
  ...scan,
  ...counts,
  resources: {
    total: counts.resources.total,
    before_consent: counts.resources.beforeConsent,
    broken_promises: counts.resources.brokenPromises,
  },
  scanId: scan.id,
  unseen: describeUnseen(scan.engine),
  notice: getScanNotice(scan),
  startedAt: toIsoMoment(scan.startedAt),
  completedAt: toIsoMomentOrNull(scan.completedAt),
});

export const toScanRecord = (scan: Scan, counts: ScanCounts) =>
  toRecord(ScanRecord, toScanFields(scan, counts));

export const toPageRecord = (page: ScanPage & { findings: number }) => toRecord(PageRecord, page);
