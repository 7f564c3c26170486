import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { toRecord } from '../../../platform/http/record.ts';
import { OneOf, Text } from '../../../platform/http/schemas.ts';
import { paginationArgs } from '../../../platform/rest/pagination.ts';
import { RESOURCE_TYPES } from '../classify/finding.ts';
import { FINDING_STATES } from '../decisions/rules.ts';
import { toEvaluationFields } from '../decisions/schemas.ts';
import { FindingRecord, toEvidenceRecords, toVerdict } from '../findings/schemas.ts';
import { VERDICTS } from '../verdicts/verdict.ts';
import { isBrokenPromise } from '../verdicts/without-consent.ts';
import { getConsentState, RESOURCE_ORDERS, type ScannedResource } from './rules.ts';

/** `pages` counts all. */
const PAGE_URLS_MAX = 20;

export const ResourcesArgs = Type.Object({
  ...paginationArgs(),
  orderby: OneOf(RESOURCE_ORDERS, {
    default: 'urgency',
    description:
      'What to sort by. `urgency`: broken promises first, then open, blocked, ignored, strictly necessary, and resources that need no decision. Unknown vendors and categories come last in both directions.',
  }),
  order: OneOf(['asc', 'desc'], { default: 'asc', description: 'Sort direction.' }),
  resource_type: Type.Optional(
    OneOf(RESOURCE_TYPES, { description: 'Only resources of this type.' }),
  ),
  consent_state: Type.Optional(
    OneOf(['before', 'after'], {
      description: 'Only resources that loaded before consent on a page, or only after it.',
    }),
  ),
  needs_consent: Type.Optional(
    Type.Boolean({ description: 'Only resources that loaded without consent and need it.' }),
  ),
  state: Type.Optional(
    OneOf(FINDING_STATES, { description: 'Only resources in this decision state.' }),
  ),
  verdict: Type.Optional(
    OneOf(VERDICTS, { description: 'Only resources with this verdict on a page.' }),
  ),
  broken_promise: Type.Optional(
    Type.Boolean({
      description: 'Only resources that were at work on a page after a rejection or withdrawal.',
    }),
  ),
  vendor: Type.Optional(Text(64, { description: 'Only resources of the vendor with this slug.' })),
  page_url: Type.Optional(Text(2_048, { description: 'Only resources found on this page.' })),
  search: Type.Optional(
    Text(200, { minLength: 0, description: 'Text in the name, URL or vendor name.' }),
  ),
});

const findingFields = Type.Omit(FindingRecord, ['id', 'scan_id', 'page_url']).properties;

export const ResourceRecord = Type.Object(
  {
    id: Type.Integer({ description: 'The finding that represents the resource.' }),
    ...findingFields,
    pages: Type.Integer({ minimum: 1, description: 'Number of pages that have the resource.' }),
    page_urls: Type.Array(Type.String(), {
      maxItems: PAGE_URLS_MAX,
      description: `The first ${PAGE_URLS_MAX} of these pages.`,
    }),
    decision_ids: Type.Array(Type.Integer(), {
      description:
        'Finding ids to send to `POST /scanner/decisions` to decide about the resource on all pages. Empty if there is nothing to decide.',
    }),
  },
  {
    title: 'ScanResource',
    description:
      'One resource with all pages that have it. `states`, `consent_state`, `needs_consent` and the verdicts are those of all pages. Where pages differ, the other fields describe the page that most needs attention.',
  },
);

export const toResourceRecord = ({
  finding,
  findings,
  evaluation,
  decisionIds,
  firstSeen,
  pageUrls,
  states,
  verdicts,
}: ScannedResource) =>
  toRecord(ResourceRecord, {
    ...finding,
    consentState: getConsentState({ findings }),
    states,
    verdicts,
    verdict: toVerdict(evaluation, verdicts),
    brokenPromise: isBrokenPromise(verdicts),
    evidence: toEvidenceRecords(finding),
    ...toEvaluationFields(evaluation),
    firstSeen: toIsoMoment(firstSeen),
    pages: pageUrls.length,
    pageUrls: pageUrls.slice(0, PAGE_URLS_MAX),
    decisionIds,
  });
