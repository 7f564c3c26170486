import { Type } from 'typebox';
import { toIsoMoment, toIsoMomentOrNull } from '../../../platform/clock.ts';
import { toRecord } from '../../../platform/http/record.ts';
import { Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import { PROOF_REASONS, PROOF_STATUSES, type Proof } from '../proof/rules.ts';
import { DECISIONS, OPEN_REASONS } from './open-reasons.ts';
import { type Evaluation, FINDING_STATES } from './rules.ts';
import type { DecisionResult } from './service.ts';
import type { LoggedDecision } from './store.ts';

const FINDINGS_MAX = 5_000;

export const openCount = Type.Integer({
  minimum: 0,
  description:
    'Findings that loaded without consent although they require it, and need a decision.',
});

/** Decision fields of a finding. */
export const evaluationFields = {
  state: nullable(
    OneOf(FINDING_STATES, {
      description:
        '`open`: loads without consent, requires it, and has no decision, or still loads although it was blocked. `blocked`: in the script registry; `proof` or the next scan verifies it. `necessary`: marked as strictly necessary. `ignored`: accepted with a reason. Null if no decision is needed.',
    }),
  ),
  open_reason: nullable(
    OneOf(OPEN_REASONS, {
      description:
        'Why it is open. `undecided`: there is no decision. All other values: it was blocked and still loads, or the script registry cannot block it. `not_registered`: its script registry entry was removed or is inactive. `in_html`: its tag in the page is unchanged. `in_noscript`: its tag is in a `noscript` element, so browsers without scripts load it. `inline_code`: an inline script loads or sets it. `other_script`: a script that is not a finding loads or sets it. `set_by_server`: the server of the site sets the cookie. `loaded_despite_rejection`, `not_stopped_by_withdrawal`: it no longer loads before consent, but after a rejection or withdrawal.',
    }),
  ),
  decision: nullable(
    Type.Object({
      decision: OneOf(['blocked', 'necessary', 'ignored']),
      reason: nullable(Type.String()),
      decided_at: Moment('When it was decided.'),
    }),
  ),
  initiator: nullable(
    Type.Object(
      { id: Type.Integer(), name: Type.String(), url: Type.String() },
      { description: 'The finding that loads it. Block that finding to block both.' },
    ),
  ),
  script_id: nullable(Type.Integer({ description: 'The script registry entry that blocks it.' })),
  can_block: Type.Boolean({ description: 'Whether a script registry entry can block it.' }),
  proof: nullable(
    Type.Object(
      {
        scan_id: Type.Integer({ description: 'The proof scan.' }),
        status: OneOf(PROOF_STATUSES, {
          description:
            '`pending`: the scan is queued or running. `proven`: the page was read completely, and the resource was not at work before consent, nor after rejection and withdrawal where the scan reached them.',
        }),
        reason: nullable(
          OneOf(PROOF_REASONS, {
            description:
              'Why it is not proven. `page_failed`: the page could not be visited. `page_partial`: it was read in part, and the resource was not seen at work without consent. `no_browser`: the scan had no browser. `scan_ended`: the scan was cancelled, interrupted or failed. All other values as in `open_reason`.',
          }),
        ),
        initiator: nullable(
          Type.String({ description: 'The script or document that still loads it, if known.' }),
        ),
        checked_at: nullable(Moment('When the scan was completed.')),
        pending_scan_id: nullable(
          Type.Integer({
            description:
              'The queued or running scan that checks it, which may be a later one; null if none does.',
          }),
        ),
      },
      {
        description:
          'What the latest scan since the decision to block shows of it, on the same page; null without such a scan. A scan that is not completed or could not visit the page counts only if no other one did. It is also `proven` for a finding without a decision that stopped with another one.',
      },
    ),
  ),
};

const toProofRecord = ({ scanId, checkedAt, pendingScanId, ...proof }: Proof) => ({
  ...proof,
  pending_scan_id: pendingScanId,
  scan_id: scanId,
  checked_at: toIsoMomentOrNull(checkedAt),
});

/** The sources of {@link evaluationFields}. */
export const toEvaluationFields = ({
  decision,
  initiator,
  entry,
  proof,
  ...evaluation
}: Evaluation) => ({
  ...evaluation,
  proof: proof && toProofRecord(proof),
  decision:
    decision === null || decision.decision === 'open'
      ? null
      : {
          decision: decision.decision,
          reason: decision.reason,
          decided_at: toIsoMoment(decision.decidedAt),
        },
  initiator: initiator ? { id: initiator.id, name: initiator.name, url: initiator.url } : null,
  scriptId: entry?.id ?? null,
});

export const DecisionArgs = Type.Object(
  {
    scan_id: Type.Integer({ minimum: 1, description: 'The scan with the findings.' }),
    findings: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        maxItems: FINDINGS_MAX,
        description: 'IDs of findings of the scan. Default: all open findings.',
      }),
    ),
    decision: OneOf(DECISIONS, {
      description:
        '`blocked` adds missing script registry entries. `necessary` and `ignored` require a `reason`. `open` withdraws an earlier decision.',
    }),
    reason: Type.Optional(
      Text(1_000, {
        minLength: 0,
        description: 'Reason for the decision. Do not include personal data.',
      }),
    ),
    dry_run: Type.Boolean({
      default: false,
      description: 'Return what the decision would change, without changing anything.',
    }),
  },
  {
    title: 'FindingDecisionRequest',
    examples: [
      { scan_id: 1, findings: [7], decision: 'necessary', reason: 'Keeps the visitor signed in.' },
    ],
  },
);

const Entry = Type.Object({
  handle: Type.String(),
  label: Type.String(),
  category: Type.String(),
  script_url: Type.String(),
  blocking_method: Type.String(),
});

export const DecisionAnswer = Type.Object(
  {
    dry_run: Type.Boolean(),
    findings: Type.Integer({
      minimum: 0,
      description: 'Findings of the scan that the decision covers, on all pages.',
    }),
    resources: Type.Integer({
      minimum: 0,
      description: 'The same by resource: one that several pages load is several findings.',
    }),
    scripts: Type.Array(Entry, {
      description:
        'Script registry entries that were added or activated, or would be with `dry_run`.',
    }),
    skipped: Type.Array(
      Type.Object({
        finding_id: Type.Integer(),
        reason: Type.String({ description: 'Why it cannot be blocked.' }),
      }),
    ),
    skipped_reasons: Type.Array(
      Type.Object({
        reason: Type.String(),
        resources: Type.Integer({ description: 'The resources that it applies to.' }),
      }),
      { description: 'The reasons in `skipped`, each once.' },
    ),
    proof: nullable(
      Type.Object(
        { scan_id: Type.Integer() },
        {
          description:
            'The scan of the pages of the blocked findings, in all states. Null for other decisions, with `dry_run`, if nothing was blocked, and for a scan of another site than that of the installation.',
        },
      ),
    ),
  },
  { title: 'FindingDecisionResult' },
);

export const toDecisionAnswer = (
  { findings, resources, scripts, skipped, proofScanId }: DecisionResult,
  dryRun: boolean,
) =>
  toRecord(DecisionAnswer, {
    proof: proofScanId === null ? null : { scan_id: proofScanId },
    dryRun,
    findings,
    resources,
    scripts: scripts.map((script) => toRecord(Entry, script)),
    skipped: skipped.map(({ findingId, reason }) => ({ finding_id: findingId, reason })),
    skippedReasons: [...Map.groupBy(skipped, ({ reason }) => reason)].map(([reason, group]) => ({
      reason,
      resources: new Set(group.map(({ resourceKey }) => resourceKey)).size,
    })),
  });

export const DecisionRecord = Type.Object(
  {
    id: Type.Integer(),
    decided_at: Moment('When it was decided.'),
    decided_by: Type.String({ description: 'Login of the user, or the command line.' }),
    site_url: Type.String(),
    resource_type: Type.String(),
    name: Type.String(),
    url: Type.String(),
    decision: OneOf([...DECISIONS, 'classified', 'unclassified'], {
      description:
        'As in the request. `classified` and `unclassified` are changes to cookie classifications.',
    }),
    reason: nullable(Type.String()),
  },
  { title: 'FindingDecision', description: 'An entry of the decision log.' },
);

export const toDecisionRecord = ({ actor, decidedAt, ...logged }: LoggedDecision) =>
  toRecord(DecisionRecord, { ...logged, decidedBy: actor, decidedAt: toIsoMoment(decidedAt) });
