import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { toRecord } from '../../../platform/http/record.ts';
import { Moment, nullable, OneOf } from '../../../platform/http/schemas.ts';
import { RESOURCE_TYPES } from '../classify/finding.ts';
import { evaluationFields, toEvaluationFields } from '../decisions/schemas.ts';
import type { EvaluateFinding } from '../decisions/service.ts';
import type { SavedFinding } from './store.ts';

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
    first_seen: Moment('When a scan of this site first found it.'),
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

export const toFindingRecord = (finding: SavedFinding, evaluate: EvaluateFinding) =>
  toRecord(FindingRecord, {
    ...finding,
    firstSeen: toIsoMoment(finding.firstSeen),
    ...toEvaluationFields(evaluate(finding)),
  });
