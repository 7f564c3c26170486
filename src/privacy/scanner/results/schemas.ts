import { Type } from 'typebox';
import { toRecord } from '../../../platform/http/record.ts';
import { OneOf } from '../../../platform/http/schemas.ts';
import { paginationArgs } from '../../../platform/rest/pagination.ts';
import { RESOURCE_TYPES } from '../classify/finding.ts';
import { openCount } from '../decisions/schemas.ts';
import { FindingRecord, toFindingRecord } from '../findings/schemas.ts';
import type { SavedFinding } from '../findings/store.ts';
import { SCAN_STATES, VISIT_OUTCOMES } from '../observation.ts';
import {
  commonFields,
  count,
  httpStatus,
  PageRecord,
  scanFields,
  toPageRecord,
  toScanFields,
} from '../schemas.ts';
import { VERDICTS } from '../verdicts/verdict.ts';
import { ShortcomingRecord } from '../visits/schemas.ts';
import type { ResourceTally } from './rules.ts';
import type { Detail, ScanSummary } from './summary.ts';

const { page, offset } = paginationArgs();

/** `pages` counts all. */
const PAGE_URLS_MAX = 20;

/** All findings are returned unless `per_page` is given. */
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

const tally = { count: count('Findings.'), before_consent: commonFields.before_consent };

const resources = Type.Object(
  {
    total: count('Resources on all pages.'),
    before_consent: count('Those that loaded before consent although they require it.'),
  },
  { description: 'The same by resource: one that several pages load counts once.' },
);

const TypeTally = Type.Object({
  resource_type: OneOf(RESOURCE_TYPES),
  ...tally,
  resources,
  open: openCount,
});

const VendorTally = Type.Object({
  vendor_id: Type.Integer(),
  slug: Type.String(),
  name: Type.String(),
  category: Type.String(),
  purpose: Type.String(),
  data_categories: Type.Array(Type.String()),
  default_retention: Type.String(),
  ...tally,
  resources,
  pages: count('Pages with such findings.'),
  resource_types: Type.Array(Type.String()),
  in_data_map: Type.Boolean({
    description: 'Whether the data map has an active entry for the vendor.',
  }),
});

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
    open_resources: count('Resources of the open findings.'),
    results: Type.Array(FindingRecord),
    types: Type.Array(TypeTally),
    vendors: Type.Array(VendorTally),
    outcomes: Type.Array(
      Type.Object({
        state: OneOf(SCAN_STATES),
        outcome: OneOf(VISIT_OUTCOMES),
        pages: count('Pages with this outcome.'),
        ended_early: count(
          'Those whose visit of a choice ended before the page was read completely. In the states `before` and `accepted`, the page is `partial` instead.',
        ),
      }),
      { description: 'What came of the visits of the pages in each state.' },
    ),
    verdicts: Type.Array(
      Type.Object({
        verdict: OneOf(VERDICTS),
        count: count('Findings with this verdict.'),
        resources: count('Resources of these findings.'),
      }),
      { description: 'Verdicts of all findings. A finding can have several.' },
    ),
    shortcomings: Type.Array(
      Type.Object({
        ...ShortcomingRecord.properties,
        pages: count('Pages with it.'),
        page_urls: Type.Array(Type.String(), {
          maxItems: PAGE_URLS_MAX,
          description: `The first ${PAGE_URLS_MAX} of these pages.`,
        }),
      }),
      { description: 'Shortcomings of the consent banner and of consent signals.' },
    ),
    unknown_hosts: Type.Array(Type.Object({ host: Type.String(), ...tally, resources }), {
      description: 'Third-party hosts without a known vendor.',
    }),
  },
  { title: 'ScanResults' },
);

/** The response of `results`. */
export const toResults = (
  {
    scan,
    counts,
    pages,
    types,
    vendors,
    outcomes,
    verdicts,
    shortcomings,
    unknownHosts,
    open,
    openResources,
    evaluate,
  }: ScanSummary,
  { findings, total }: { findings: readonly SavedFinding[]; total: number },
) =>
  toRecord(Results, {
    ...toScanFields(scan, counts),
    total,
    open,
    openResources,
    urls: pages.map(toPageRecord),
    failedPages: pages.flatMap(({ url, httpStatus: http_status, error }) =>
      error === null ? [] : [{ url, http_status, error }],
    ),
    results: findings.map((finding) => toFindingRecord(finding, evaluate)),
    types: types.map(({ resources: of, ...each }) =>
      toRecord(TypeTally, { ...each, resources: toResourceTally(of) }),
    ),
    vendors: vendors.map(({ vendor, resources: of, ...each }) =>
      toRecord(VendorTally, { ...vendor, ...each, resources: toResourceTally(of) }),
    ),
    outcomes,
    verdicts,
    shortcomings: shortcomings.map(({ pageUrls, ...shortcoming }) => ({
      ...shortcoming,
      pages: pageUrls.length,
      page_urls: pageUrls.slice(0, PAGE_URLS_MAX),
    })),
    unknownHosts: unknownHosts.map(({ beforeConsent: before_consent, resources: of, ...same }) => ({
      ...same,
      before_consent,
      resources: toResourceTally(of),
    })),
  });

const toResourceTally = ({ total, beforeConsent }: ResourceTally) => ({
  total,
  before_consent: beforeConsent,
});

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

const Comparison = Type.Object({
  with: Type.Integer({ description: 'The earlier scan.' }),
  new: Type.Array(ComparedResource),
  gone: Type.Array(ComparedResource),
  changed: Type.Array(
    Type.Object({
      ...ComparedResource.properties,
      before: OneOf(VERDICTS, { description: 'Verdict of the earlier scan.' }),
      after: OneOf(VERDICTS, { description: 'Verdict of this scan.' }),
    }),
    { description: 'Resources of both scans whose verdict differs.' },
  ),
  same: count('Number of resources in both scans.'),
});

export const ScanDetail = Type.Object(
  { ...scanFields, urls: Type.Array(PageRecord), comparison: Type.Optional(Comparison) },
  { title: 'ScanDetail' },
);

export const toScanDetail = ({ scan, counts, pages, comparison }: Detail) =>
  toRecord(ScanDetail, {
    ...toScanFields(scan, counts),
    urls: pages.map(toPageRecord),
    ...(comparison && {
      comparison: {
        with: comparison.with,
        new: comparison.added.map((each) => toRecord(ComparedResource, each)),
        gone: comparison.gone.map((each) => toRecord(ComparedResource, each)),
        changed: comparison.changed.map(({ resource, before, after }) => ({
          ...toRecord(ComparedResource, resource),
          before,
          after,
        })),
        same: comparison.same,
      },
    }),
  });
