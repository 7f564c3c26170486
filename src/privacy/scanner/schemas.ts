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
const ScanId = Type.Integer({ minimum: 1, description: 'As `start` gave it.' });
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const StartArgs = Type.Object(
  {
    scan_depth: Type.Integer({
      minimum: 0,
      maximum: 5,
      default: 1,
      description: '0 is the home page alone; n follows its links n deep.',
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
      description: 'Only findings of this type; vendors and hosts stay those of the whole scan.',
    }),
  ),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Findings in one answer.' }),
  ),
  page,
  offset,
});

export const ScanArgs = Type.Object({
  compare_with: Type.Optional(
    Type.Integer({ minimum: 1, description: 'An earlier scan to compare this one with.' }),
  ),
});

const robotsExcluded = count('Further pages that robots.txt keeps out of the scan.');
const notice = nullable(
  Type.String({
    description: 'What the scan leaves out and how to change that, in words; null if nothing.',
  }),
);
const httpStatus = nullable(
  Type.Integer({ description: 'The HTTP status of the page’s answer; null without an answer.' }),
);

export const StartAnswer = Type.Object(
  {
    scan_id: Type.Integer(),
    urls: Type.Array(Type.String()),
    total: count('How many `urls` there are.'),
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
    url: Type.String({ description: 'Without the values of its query.' }),
    host: Type.String(),
    third_party: Type.Boolean({ description: 'Not of the site itself.' }),
    vendor: nullable(Type.Object({ id: Type.Integer(), slug: Type.String(), name: Type.String() })),
    category: nullable(Type.String({ description: 'A consent category, where it is known.' })),
    name: Type.String({ description: 'A cookie’s name, a container’s id, else whose it is.' }),
    page_url: Type.String(),
    first_seen: Moment('When a scan of this site first found it.', EXAMPLE_MOMENT),
    consent_state: OneOf(['before', 'after'], {
      description: 'Whether it was at work before the visitor had agreed to anything.',
    }),
    needs_consent: Type.Boolean({ description: 'It came before consent, and should not have.' }),
    blocked: Type.Boolean({ description: 'In the page, but waiting for consent.' }),
    sources: Type.Array(Type.String(), { description: 'How it was seen.' }),
    details: Type.Object(
      {},
      { additionalProperties: true, description: 'More, by type; never a value of a cookie.' },
    ),
    ...evaluationFields,
  },
  { title: 'ScanFinding', description: 'One thing on one page.' },
);

const banner = nullable(
  OneOf(['accepted', 'not_accepted', 'not_found'], {
    description:
      'What became of the page’s consent banner. `not_accepted`: one is there, but no button of it is safe to press, or pressing it changed nothing; what loads after consent is not among the findings then. Null where nobody looked for one: on pages that could not be looked at, or without a browser.',
  }),
);

export const PageScanAnswer = Type.Object(
  {
    url: Type.String(),
    findings: Type.Array(FindingRecord),
    count: count('How many `findings` there are.'),
    http_status: httpStatus,
    banner,
    partial: Type.Boolean({ description: 'Something was cut short: there may be more.' }),
    discovered: Type.Array(Type.String(), {
      description:
        'Pages that scripts of this page link to, newly added to the scan. Scan them too before you complete it.',
    }),
    error: Type.Optional(Type.String({ description: 'Why the page could not be looked at.' })),
  },
  { title: 'PageScanResult' },
);

const status = OneOf(SCAN_STATUSES, {
  description:
    '`queued`: waits for the server to run it. `started`: is being looked at. `interrupted`: the process that ran it is gone. `failed`: see `error`.',
});
const unseen = nullable(
  Type.String({ description: 'What could not be seen, where there was no browser to look with.' }),
);
const moments = {
  started_at: Moment('When the scan was started.', EXAMPLE_MOMENT),
  completed_at: nullable(Moment('When it was completed.', EXAMPLE_MOMENT)),
};

export const CompleteAnswer = Type.Object(
  {
    scan_id: Type.Integer(),
    status,
    pages: count('Pages that were looked at.'),
    findings: count('Findings on all pages together.'),
    vendors: count('Vendors behind them.'),
  },
  { title: 'ScanCompletionResult' },
);

/** What every answer says of a scan as a whole. */
const commonFields = {
  scan_id: Type.Integer(),
  status,
  site_url: Type.String(),
  depth: Type.Integer(),
  engine: Type.String({ description: 'What looked at the pages.' }),
  unseen,
  robots_excluded: robotsExcluded,
  notice,
  runner: OneOf(['client', 'server', 'command'], {
    description: 'Who looks at the pages: a client by `scan-page`, the server, or `pavis scan`.',
  }),
  error: nullable(Type.String({ description: 'Why the scan failed or was interrupted.' })),
  ...moments,
  pages: count('Pages that were looked at.'),
  pages_failed: count('Pages that could not be looked at.'),
  pages_planned: count('All pages of the scan.'),
  findings: count('Findings on all pages together.'),
  before_consent: count('Findings that came before consent and need it.'),
};

const scanFields = { ...commonFields, vendors: count('Vendors behind them.') };

const PageRecord = Type.Object(
  {
    url: Type.String(),
    state: OneOf(['planned', 'scanned', 'failed'], {
      description: '`failed`: the page could not be looked at; `error` says why.',
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
    total: count('Findings that the filter leaves.'),
    urls: Type.Array(PageRecord, { description: 'Every page of the scan.' }),
    failed_pages: Type.Array(
      Type.Object({ url: Type.String(), http_status: httpStatus, error: Type.String() }),
      { description: 'The pages that could not be looked at.' },
    ),
    open: openCount,
    results: Type.Array(FindingRecord),
    types: Type.Array(
      Type.Object({
        resource_type: OneOf(RESOURCE_TYPES),
        count: count('Findings.'),
        before_consent: count('Of those, how many came before consent and need it.'),
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
        before_consent: count('Of those, how many came before consent and need it.'),
        pages: count('Pages with such findings.'),
        resource_types: Type.Array(Type.String()),
        in_data_map: Type.Boolean({ description: 'The data map has an active entry of it.' }),
      }),
    ),
    unknown_hosts: Type.Array(
      Type.Object({
        host: Type.String(),
        count: count('Findings.'),
        before_consent: count('Of those, how many came before consent and need it.'),
      }),
      { description: 'Hosts of others that no vendor is known for.' },
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
    pages: count('Pages that have it.'),
  },
  { title: 'ComparedResource' },
);

export const ScanDetail = Type.Object(
  {
    ...scanFields,
    urls: Type.Array(PageRecord),
    comparison: Type.Optional(
      Type.Object({
        with: Type.Integer({ description: 'The scan that this one is compared with.' }),
        new: Type.Array(ComparedResource),
        gone: Type.Array(ComparedResource),
        same: count('Things that both scans have.'),
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
