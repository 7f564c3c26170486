import { Type } from 'typebox';
import { toIsoMoment } from '../../platform/clock.ts';
import { URL_MAX_LENGTH } from '../../platform/http/limits.ts';
import { deletionSchema, Moment, nullable, OneOf } from '../../platform/http/schemas.ts';
import { paginationArgs } from '../../platform/rest/pagination.ts';
import { RESOURCE_TYPES } from './classify/finding.ts';
import { evaluationFields, openCount, toEvaluationFields } from './decisions/schemas.ts';
import type { EvaluateFinding } from './decisions/service.ts';
import type { SavedFinding } from './findings/store.ts';
import { describeUnseen, getScanNotice } from './results/rules.ts';
import type { Resource } from './results/store.ts';
import type { ScanSummary } from './results/summary.ts';
import { SCAN_STATUSES } from './status.ts';
import type { Scan, ScanCounts, ScanPage } from './store.ts';

const EXAMPLE_MOMENT = '2026-11-21T09:30:00.000Z';
const ScanId = Type.Integer({ minimum: 1, description: 'The `scan_id` that `start` returned.' });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const StartArgs = Type.Object(
  {
    scan_depth: Type.Integer({
      minimum: 0,
      maximum: 5,
      default: 1,
      description: 'Crawl depth: 0 scans the home page only, n follows links up to n levels deep.',
    }),
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

const { page, offset } = paginationArgs();

/** All findings come at once unless a page of them is asked for. */
export const ResultsArgs = Type.Object({
  resource_type: Type.Optional(
    OneOf(RESOURCE_TYPES, {
      description: 'Only findings of this type. Vendors and hosts always describe the whole scan.',
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: 'Findings per response. All findings are returned if it is missing.',
    }),
  ),
  page,
  offset,
});

export const ScanArgs = Type.Object({
  compare_with: Type.Optional(
    Type.Integer({ minimum: 1, description: 'An earlier scan to compare this one with.' }),
  ),
});

const robotsExcluded = count('Pages excluded by robots.txt.');
const notice = nullable(
  Type.String({
    description:
      'Message about excluded pages and how to include them; null if no page is excluded.',
  }),
);
const httpStatus = nullable(
  Type.Integer({ description: 'HTTP status of the page; null if there was no response.' }),
);

export const StartAnswer = Type.Object(
  {
    scan_id: Type.Integer(),
    urls: Type.Array(Type.String()),
    total: count('Number of `urls`.'),
    robots_excluded: robotsExcluded,
    notice,
  },
  { title: 'ScanStartResult' },
);

export const FindingRecord = Type.Object(
  {
    id: Type.Integer(),
    scan_id: Type.Integer(),
    resource_type: OneOf(RESOURCE_TYPES),
    url: Type.String({ description: 'URL without the values of query parameters.' }),
    host: Type.String(),
    third_party: Type.Boolean({ description: 'Whether it belongs to another site.' }),
    vendor: nullable(Type.Object({ id: Type.Integer(), slug: Type.String(), name: Type.String() })),
    category: nullable(Type.String({ description: 'Consent category; null if unknown.' })),
    name: Type.String({
      description: 'Cookie name or container ID, otherwise the name of the vendor or host.',
    }),
    page_url: Type.String(),
    first_seen: Moment('When a scan of this site first found it.', EXAMPLE_MOMENT),
    consent_state: OneOf(['before', 'after'], {
      description: '`before`: loaded before consent. `after`: loaded only after consent.',
    }),
    needs_consent: Type.Boolean({
      description: 'Loaded before consent although it requires consent.',
    }),
    blocked: Type.Boolean({ description: 'In the page, but blocked until consent.' }),
    sources: Type.Array(Type.String(), {
      description: 'How it was detected: `network`, `dom`, `html`, `header`, `script`, `inferred`.',
    }),
    details: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'Further fields that depend on the type. Cookie values are never included.',
      },
    ),
    ...evaluationFields,
  },
  { title: 'ScanFinding', description: 'A resource that a scan found on one page.' },
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
const moments = {
  started_at: Moment('When the scan was started.', EXAMPLE_MOMENT),
  completed_at: nullable(Moment('When the scan was completed.', EXAMPLE_MOMENT)),
};

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
const commonFields = {
  scan_id: Type.Integer(),
  status,
  site_url: Type.String(),
  depth: Type.Integer(),
  engine: Type.String({
    description: 'Browser that scanned the pages, or `html` without a browser.',
  }),
  unseen,
  robots_excluded: robotsExcluded,
  notice,
  runner: OneOf(['client', 'server', 'command'], {
    description:
      'What runs the scan: a client that calls `scan-page`, the server, or `pavis scan`.',
  }),
  error: nullable(Type.String({ description: 'Why the scan failed or was interrupted.' })),
  ...moments,
  pages: count('Pages scanned.'),
  pages_failed: count('Pages that could not be scanned.'),
  pages_planned: count('All pages of the scan, including pages not scanned yet.'),
  findings: count('Findings on all pages.'),
  before_consent: count('Findings that loaded before consent although they require it.'),
};

const scanFields = { ...commonFields, vendors: count('Vendors of these findings.') };

const PageRecord = Type.Object(
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

export const Results = Type.Object(
  {
    ...commonFields,
    total: count('Findings that match the filter.'),
    urls: Type.Array(PageRecord, { description: 'All pages of the scan.' }),
    failed_pages: Type.Array(
      Type.Object({ url: Type.String(), http_status: httpStatus, error: Type.String() }),
      { description: 'Pages that could not be scanned.' },
    ),
    open: openCount,
    results: Type.Array(FindingRecord),
    types: Type.Array(
      Type.Object({
        resource_type: OneOf(RESOURCE_TYPES),
        count: count('Findings.'),
        before_consent: count('Findings that loaded before consent although they require it.'),
        open: openCount,
      }),
    ),
    vendors: Type.Array(
      Type.Object({
        vendor_id: Type.Integer(),
        slug: Type.String(),
        name: Type.String(),
        category: Type.String(),
        purpose: Type.String(),
        data_categories: Type.Array(Type.String()),
        default_retention: Type.String(),
        count: count('Findings.'),
        before_consent: count('Findings that loaded before consent although they require it.'),
        pages: count('Pages with such findings.'),
        resource_types: Type.Array(Type.String()),
        in_data_map: Type.Boolean({
          description: 'Whether the data map has an active entry for the vendor.',
        }),
      }),
    ),
    unknown_hosts: Type.Array(
      Type.Object({
        host: Type.String(),
        count: count('Findings.'),
        before_consent: count('Findings that loaded before consent although they require it.'),
      }),
      { description: 'Third-party hosts without a known vendor.' },
    ),
  },
  { title: 'ScanResults' },
);

export const ScanRecord = Type.Object(scanFields, { title: 'Scan' });

export const DeletedScan = deletionSchema(ScanRecord);

const ComparedResource = Type.Object(
  {
    resource_type: Type.String(),
    url: Type.String(),
    host: Type.String(),
    name: Type.String(),
    pages: count('Pages with the resource.'),
  },
  { title: 'ComparedResource' },
);

export const ScanDetail = Type.Object(
  {
    ...scanFields,
    urls: Type.Array(PageRecord),
    comparison: Type.Optional(
      Type.Object({
        with: Type.Integer({ description: 'The earlier scan.' }),
        new: Type.Array(ComparedResource),
        gone: Type.Array(ComparedResource),
        same: count('Number of resources in both scans.'),
      }),
    ),
  },
  { title: 'ScanDetail' },
);

export const toFindingRecord = (finding: SavedFinding, evaluate: EvaluateFinding) => ({
  id: finding.id,
  scan_id: finding.scanId,
  resource_type: finding.resourceType,
  url: finding.url,
  host: finding.host,
  third_party: finding.thirdParty,
  vendor: finding.vendor,
  category: finding.category,
  name: finding.name,
  page_url: finding.pageUrl,
  first_seen: toIsoMoment(finding.firstSeen),
  consent_state: finding.consentState,
  needs_consent: finding.needsConsent,
  blocked: finding.blocked,
  sources: finding.sources,
  details: finding.details,
  ...toEvaluationFields(evaluate(finding)),
});

const toMoments = ({ startedAt, completedAt }: Scan) => ({
  started_at: toIsoMoment(startedAt),
  completed_at: completedAt === null ? null : toIsoMoment(completedAt),
});

const toCommonFields = (scan: Scan, counts: ScanCounts) => ({
  scan_id: scan.id,
  status: scan.status,
  site_url: scan.siteUrl,
  depth: scan.depth,
  engine: scan.engine,
  unseen: describeUnseen(scan.engine),
  robots_excluded: scan.robotsExcluded,
  notice: getScanNotice(scan),
  runner: scan.runner,
  error: scan.error,
  ...toMoments(scan),
  pages: counts.pages,
  pages_failed: counts.pagesFailed,
  pages_planned: counts.pagesPlanned,
  findings: counts.findings,
  before_consent: counts.beforeConsent,
});

export const toScanRecord = (scan: Scan, counts: ScanCounts) => ({
  ...toCommonFields(scan, counts),
  vendors: counts.vendors,
});

export const toPageRecord = (page: ScanPage & { findings: number }) => ({
  url: page.url,
  state: page.state,
  http_status: page.httpStatus,
  banner: page.banner,
  partial: page.partial,
  error: page.error,
  findings: page.findings,
});

export const toComparedResource = ({ resourceType, url, host, name, pages }: Resource) => ({
  resource_type: resourceType,
  url,
  host,
  name,
  pages,
});

/** The answer of `results`. */
export const toResults = (
  { scan, counts, pages, types, vendors, unknownHosts, open, evaluate }: ScanSummary,
  { findings, total }: { findings: readonly SavedFinding[]; total: number },
) => ({
  ...toCommonFields(scan, counts),
  total,
  urls: pages.map(toPageRecord),
  failed_pages: pages.flatMap(({ url, httpStatus: http_status, error }) =>
    error === null ? [] : [{ url, http_status, error }],
  ),
  open,
  results: findings.map((finding) => toFindingRecord(finding, evaluate)),
  types: types.map(({ resourceType, count: of, beforeConsent, open: undecided }) => ({
    resource_type: resourceType,
    count: of,
    before_consent: beforeConsent,
    open: undecided,
  })),
  vendors: vendors.map((tally) => ({
    vendor_id: tally.vendor.id,
    slug: tally.vendor.slug,
    name: tally.vendor.name,
    category: tally.vendor.category,
    purpose: tally.vendor.purpose,
    data_categories: tally.vendor.dataCategories,
    default_retention: tally.vendor.defaultRetention,
    count: tally.count,
    before_consent: tally.beforeConsent,
    pages: tally.pages,
    resource_types: tally.resourceTypes,
    in_data_map: tally.inDataMap,
  })),
  unknown_hosts: unknownHosts.map(({ host, count: of, beforeConsent }) => ({
    host,
    count: of,
    before_consent: beforeConsent,
  })),
});
