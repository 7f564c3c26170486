import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { toRecord } from '../../../platform/http/record.ts';
import { Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { paginationArgs } from '../../../platform/rest/pagination.ts';
import { SCAN_STATES, VISIT_OUTCOMES } from '../observation.ts';
import { CONSENT_SIGNALS } from '../verdicts/consent-mode.ts';
import type { AssessedBanner } from './assess.ts';
import { PICTURES_KEPT } from './rules.ts';
import type { SavedVisit } from './store.ts';

export const VisitsArgs = Type.Object({
  ...paginationArgs(),
  url: Type.Optional(Text(2_048, { description: 'Only visits of this page.' })),
});

export const ShortcomingRecord = Type.Object(
  {
    code: Type.String({ description: 'Identifies the kind of shortcoming.' }),
    title: Type.String(),
    explanation: Type.String({ description: 'What was measured, with figures.' }),
    source: Type.String({ description: 'Where the expectation comes from.' }),
  },
  { title: 'ScanShortcoming' },
);
const shortcomings = Type.Array(ShortcomingRecord);

const ControlRecord = Type.Object({
  role: OneOf(['accept', 'reject', 'settings', 'save']),
  label: Type.String(),
  layer: Type.Integer({
    minimum: 1,
    maximum: 2,
    description: '1: shown with the banner. 2: shown after `settings`.',
  }),
  x: Type.Number({ description: 'In CSS pixels of the window.' }),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
  font_size: Type.Number(),
  font_weight: Type.Number(),
  color: Type.String(),
  background: Type.String(),
  is_link: Type.Boolean({ description: 'Rendered as a link or as text.' }),
});

const clicks = (description: string) =>
  nullable(Type.Integer({ minimum: 0, description: `${description} Null if no way was found.` }));

const BannerRecord = Type.Object(
  {
    controls: Type.Array(ControlRecord),
    window: nullable(
      Type.Object(
        { width: Type.Number(), height: Type.Number() },
        { description: 'Size of the window in CSS pixels. The picture shows all of it.' },
      ),
    ),
    clicks_to_accept: clicks('Clicks that accepting takes.'),
    clicks_to_reject: clicks('Clicks that rejecting takes.'),
    pre_ticked: Type.Array(Type.String(), {
      description: 'Labels of optional choices that are ticked in advance.',
    }),
    coverage: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Part of the window that the banner covers.',
    }),
    blocks_page: Type.Boolean({ description: 'The page cannot be used before a choice.' }),
    shortcomings,
  },
  { title: 'ScanBanner' },
);

const status = nullable(OneOf(['granted', 'denied']));
const ConsentSignalRecord = Type.Object({
  default: status,
  update: status,
  in_force: status,
});
const SignalsRecord = Type.Object({
  consent_mode: Type.Array(
    Type.Object({
      service: OneOf(['google', 'microsoft']),
      url: Type.String({ description: 'The request, without query values.' }),
      at_ms: Type.Integer({ minimum: 0, description: 'Milliseconds after the visit began.' }),
      is_after_choice: Type.Boolean(),
      parameters: Type.Record(Type.String(), Type.String(), {
        description: 'As sent: `gcs` and `gcd` of Google, `asc` of Microsoft.',
      }),
      consent: Type.Object(
        Object.fromEntries(
          CONSENT_SIGNALS.map((kind) => [kind, Type.Optional(ConsentSignalRecord)]),
        ) as Record<
          (typeof CONSENT_SIGNALS)[number],
          ReturnType<typeof Type.Optional<typeof ConsentSignalRecord>>
        >,
      ),
    }),
    { description: 'Consent that requests to Google and Microsoft report.' },
  ),
  tcf: nullable(
    Type.Object(
      {
        version: Type.Integer(),
        created: Type.String({ format: 'date-time' }),
        updated: Type.String({ format: 'date-time' }),
        cmp_id: Type.Integer(),
        cmp_version: Type.Integer(),
        policy_version: Type.Integer(),
        purpose_consents: Type.Array(Type.Integer()),
        purpose_legitimate_interests: Type.Array(Type.Integer()),
        vendor_consents: Type.Integer({ description: 'Number of vendors with consent.' }),
        vendors_disclosed: nullable(
          Type.Integer({ description: 'Null without the segment `disclosedVendors`.' }),
        ),
      },
      { description: 'The TC string of the IAB Transparency and Consent Framework.' },
    ),
  ),
  shortcomings,
});

export const VisitRecord = Type.Object(
  {
    id: Type.Integer(),
    page_url: Type.String(),
    state: OneOf(SCAN_STATES),
    outcome: OneOf(VISIT_OUTCOMES, {
      description:
        '`reached`: the choice was made and took effect. `no_banner`, `no_control`: there was nothing to press. `no_effect`: the press changed nothing. `failed`: see `error`.',
    }),
    error: nullable(Type.String()),
    clicks: Type.Integer({
      minimum: 0,
      description: 'Clicks that the choice took; for `withdrawn`, those of the withdrawal alone.',
    }),
    duration_ms: Type.Integer({ minimum: 0 }),
    visited_at: Moment('When the page was visited.'),
    signals: SignalsRecord,
    banner: nullable(BannerRecord),
    has_picture: Type.Boolean({
      description: `Whether \`/scanner/visits/{id}/picture\` has a picture of the page. ${PICTURES_KEPT}`,
    }),
  },
  { title: 'ScanVisit', description: 'One visit of a page in one state.' },
);

const toBannerRecord = ({ controls, ...banner }: AssessedBanner) =>
  toRecord(BannerRecord, {
    ...banner,
    controls: controls.map((control) => toRecord(ControlRecord, control)),
  });

export const toVisitRecord = ({ signals, banner, ...visit }: SavedVisit) =>
  toRecord(VisitRecord, {
    ...visit,
    visitedAt: toIsoMoment(visit.visitedAt),
    signals: toRecord(SignalsRecord, signals),
    banner: banner && toBannerRecord(banner),
  });
