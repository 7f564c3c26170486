import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { toRecord } from '../../../platform/http/record.ts';
import { Moment, nullable, OneOf } from '../../../platform/http/schemas.ts';
import { RESOURCE_TYPES } from '../classify/finding.ts';
import { evaluationFields, toEvaluationFields } from '../decisions/schemas.ts';
import type { EvaluateFinding } from '../decisions/service.ts';
import { SCAN_STATES } from '../observation.ts';
import { VERDICTS, type Verdict } from '../verdicts/verdict.ts';
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
      description:
        'Loaded before consent, or after it was refused or withdrawn, although it requires consent.',
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
    states: Type.Array(OneOf(SCAN_STATES), {
      description: 'States of the scan in which it was at work: requested, set or stored.',
    }),
    verdict: nullable(
      OneOf([...VERDICTS, 'ignored'], {
        description:
          'What to make of it: the first of `verdicts`, or `ignored` or `strictly_necessary` if that is your decision. Null if there are none.',
      }),
    ),
    verdicts: Type.Array(OneOf(VERDICTS), {
      description:
        'What the visits of the page show. `loaded_without_consent`: at work before any choice, although it requires consent. `loaded_despite_rejection`, `not_stopped_by_withdrawal`: at work after the visitor rejected or withdrew. `ignores_gpc`: at work although the browser sends Global Privacy Control. `cookieless_ping`: a request of Google Consent Mode without identifiers. `blocked_until_consent`: in the page or at work after consent, and not at work without it; `proven` in `details` means that it was also absent after a rejection. `strictly_necessary`: requires no consent.',
    }),
    broken_promise: Type.Boolean({
      description: 'At work although the visitor rejected, or withdrew consent.',
    }),
    evidence: Type.Array(
      Type.Object({
        state: OneOf(SCAN_STATES),
        url: Type.String({
          description:
            'The request, or what set the cookie or stored the data. Without query values.',
        }),
        initiator: nullable(Type.String({ description: 'What caused it; null if unknown.' })),
        at_ms: Type.Integer({ minimum: 0, description: 'Milliseconds after the visit began.' }),
      }),
      { description: 'One piece of evidence for each of `states`.' },
    ),
    ...evaluationFields,
  },
  { title: 'ScanFinding', description: 'A resource that a scan found on one page.' },
);

export const toEvidenceRecords = ({ evidence }: SavedFinding) =>
  evidence.map(({ state, url, initiator, atMs: at_ms }) => ({ state, url, initiator, at_ms }));

/** What to make of a finding: the decision of the owner comes before what the visits show. */
export const toVerdict = (
  { state }: Pick<ReturnType<EvaluateFinding>, 'state'>,
  [first]: readonly Verdict[],
): Verdict | 'ignored' | null => {
  if (state === 'ignored') return 'ignored';
  return state === 'necessary' ? 'strictly_necessary' : (first ?? null);
};

export function toFindingRecord(finding: SavedFinding, evaluate: EvaluateFinding) {
  const evaluation = evaluate(finding);
  return toRecord(FindingRecord, {
    ...finding,
    verdict: toVerdict(evaluation, finding.verdicts),
    firstSeen: toIsoMoment(finding.firstSeen),
    evidence: toEvidenceRecords(finding),
    ...toEvaluationFields(evaluation),
  });
}
