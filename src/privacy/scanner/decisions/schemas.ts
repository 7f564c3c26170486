import { Type } from 'typebox';
import { toIsoMoment } from '../../../platform/clock.ts';
import { Moment, nullable, OneOf, Text } from '../../../platform/http/schemas.ts';
import type { Evaluation, NewEntry } from './rules.ts';
import { DECISIONS, FINDING_STATES, OPEN_REASONS } from './rules.ts';
import type { DecisionResult } from './service.ts';
import type { LoggedDecision } from './store.ts';

const EXAMPLE_MOMENT = '2026-11-21T09:30:00.000Z';
/** More than a scan can have on one page of the console. */
const MOST_AT_ONCE = 5_000;

export const openCount = Type.Integer({
  minimum: 0,
  description: 'Findings that load before consent, need it, and still need a decision.',
});

const Reference = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  url: Type.String(),
});

/** What a finding says about the decisions of the owner. */
export const evaluationFields = {
  state: nullable(
    OneOf(FINDING_STATES, {
      description:
        '`open`: loads before consent, needs it, and nobody has decided, or it still loads although it was to be blocked. `blocked`: in the script registry; the next scan shows whether it works. `necessary`: ruled strictly necessary. `ignored`: accepted with a reason. Null where there is nothing to decide.',
    }),
  ),
  open_reason: nullable(
    OneOf(OPEN_REASONS, {
      description:
        'Why it is open. `undecided`: nobody has decided. The others are of findings that were blocked and still load, or that the script registry cannot block. `not_registered`: its entry in the script registry is gone or turned off. `in_html`: its tag in the page is unchanged. `inline_code`: code within the page loads or sets it. `other_script`: a script that is no finding loads or sets it. `set_by_server`: the server of the site sets the cookie.',
    }),
  ),
  decision: nullable(
    Type.Object({
      decision: OneOf(['blocked', 'necessary', 'ignored']),
      reason: nullable(Type.String()),
      decided_at: Moment('When it was decided.', EXAMPLE_MOMENT),
    }),
  ),
  initiator: nullable(
    Type.Object(Reference.properties, {
      description: 'The finding on the page that loads it. Blocking that one blocks both.',
    }),
  ),
  script_id: nullable(
    Type.Integer({ description: 'The entry of the script registry that covers it.' }),
  ),
  can_block: Type.Boolean({ description: 'Whether the script registry can block it.' }),
};

export const toEvaluationFields = ({
  state,
  openReason,
  decision,
  initiator,
  entry,
  canBlock,
}: Evaluation) => ({
  state,
  open_reason: openReason,
  decision:
    decision === null || decision.decision === 'open'
      ? null
      : {
          decision: decision.decision,
          reason: decision.reason,
          decided_at: toIsoMoment(decision.decidedAt),
        },
  initiator: initiator ? { id: initiator.id, name: initiator.name, url: initiator.url } : null,
  script_id: entry?.id ?? null,
  can_block: canBlock,
});

export const DecisionArgs = Type.Object(
  {
    scan_id: Type.Integer({ minimum: 1, description: 'The scan that has the findings.' }),
    findings: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1 }), {
        maxItems: MOST_AT_ONCE,
        description: 'Ids of findings of the scan; all open ones unless given.',
      }),
    ),
    decision: OneOf(DECISIONS, {
      description:
        '`blocked` adds to the script registry what it lacks; `necessary` and `ignored` need a reason; `open` withdraws a decision.',
    }),
    reason: Type.Optional(Text(1_000, { minLength: 0, description: 'Why. Name no person here.' })),
    dry_run: Type.Boolean({
      default: false,
      description: 'Only say what the decision would do.',
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
    scripts: Type.Array(Entry, {
      description: 'Entries of the script registry that were added or turned on, or would be.',
    }),
    skipped: Type.Array(
      Type.Object({
        finding_id: Type.Integer(),
        reason: Type.String({ description: 'Why it cannot be blocked.' }),
      }),
    ),
  },
  { title: 'FindingDecisionResult' },
);

const toEntry = ({ handle, label, category, scriptUrl, blockingMethod }: NewEntry) => ({
  handle,
  label,
  category,
  script_url: scriptUrl,
  blocking_method: blockingMethod,
});

export const toDecisionAnswer = (
  { findings, scripts, skipped }: DecisionResult,
  isDryRun: boolean,
) => ({
  dry_run: isDryRun,
  findings,
  scripts: scripts.map(toEntry),
  skipped: skipped.map(({ findingId, reason }) => ({ finding_id: findingId, reason })),
});

export const DecisionRecord = Type.Object(
  {
    id: Type.Integer(),
    decided_at: Moment('When it was decided.', EXAMPLE_MOMENT),
    decided_by: Type.String({ description: 'A login, or the command line.' }),
    site_url: Type.String(),
    resource_type: Type.String(),
    name: Type.String(),
    url: Type.String(),
    decision: OneOf([...DECISIONS, 'classified', 'unclassified'], {
      description:
        'As in the request; `classified` and `unclassified` are changes of cookie classifications.',
    }),
    reason: nullable(Type.String()),
  },
  { title: 'FindingDecision', description: 'One entry of the log of decisions about findings.' },
);

export const toDecisionRecord = (logged: LoggedDecision) => ({
  id: logged.id,
  decided_at: toIsoMoment(logged.decidedAt),
  decided_by: logged.actor,
  site_url: logged.siteUrl,
  resource_type: logged.resourceType,
  name: logged.name,
  url: logged.url,
  decision: logged.decision,
  reason: logged.reason,
});
