import { write } from '../../api/client.ts';
import type { DecisionAnswer } from '../../api/types.ts';
import { formatCount } from '../../components/format.ts';
import { notifyError, notifySuccess } from '../../components/notify.ts';
import type { Resource } from './queries.ts';

type DecisionKind = 'blocked' | 'necessary' | 'ignored' | 'open';

interface DecisionBody {
  scan_id: number;
  decision: DecisionKind;
  /** All open findings of the scan unless given. */
  findings?: number[];
  reason?: string;
  dry_run?: boolean;
}

/** The resources that could not be blocked. */
export const countSkipped = ({ skipped_reasons: reasons }: DecisionAnswer): number =>
  reasons.reduce((sum, { resources }) => sum + resources, 0);

/** Announces what was blocked, or why nothing was. */
export function notifyBlocked(answer: DecisionAnswer, title?: string): void {
  const { resources, skipped_reasons: skipped, proof } = answer;
  const reasons = skipped.map(({ reason }) => reason);
  if (resources === 0) {
    notifyError(new Error(reasons.join(' ') || 'Nothing was blocked.'));
    return;
  }
  const count = countSkipped(answer);
  const blocked = title
    ? `${title} is blocked until consent.`
    : `${formatCount(resources, 'resource')} blocked until consent.`;
  const next = proof ? 'Pavis checks it now.' : 'Scan again to check.';
  const others = count > 0 ? [`${formatCount(count, 'resource')} could not be blocked:`] : [];
  notifySuccess([blocked, next, ...others, ...reasons].join(' '));
}

export const sendDecision = (body: DecisionBody): Promise<DecisionAnswer> =>
  write('POST', '/scanner/decisions', body);

export const getDecisionIds = (resources: readonly Resource[]): number[] =>
  resources.flatMap(({ decision_ids }) => decision_ids);

/** What a decision changes on other screens. */
export const STALE_AFTER_DECISION = [
  ['results'],
  ['resources'],
  ['scans'],
  ['scripts'],
  ['script'],
];

/** A resource that still loads although it is registered cannot be registered again: its tag has to change. */
export const isBlockable = ({ state, can_block, open_reason }: Resource): boolean =>
  state === 'open' &&
  can_block &&
  (open_reason === 'undecided' || open_reason === 'not_registered');

/** A cookie or storage key of the site itself, which the owner can classify by its name. */
export const isOwnCookie = ({ resource_type, third_party }: Resource): boolean =>
  resource_type === 'cookie' && !third_party;

export const getTitle = ({ name, host }: Resource): string => name || host;

/** The pattern of a name with variable parts, of which later scans see others. */
export function getStableName({ name, details }: Resource): string {
  const { pattern }: Partial<Record<string, unknown>> = details;
  return typeof pattern === 'string' ? pattern : name;
}

/**
 * Why the browser rejected a cookie; undefined if it did not. Scans of earlier versions may have evidence of a cookie
 * that they took for rejected.
 */
export function getRejection({ details, evidence }: Resource): string | undefined {
  const { blocked_reasons: reasons }: Partial<Record<string, unknown>> = details;
  return Array.isArray(reasons) && evidence.length === 0
    ? `The browser rejected it: ${reasons.join(', ')}`
    : undefined;
}

/**
 * The script that was seen loading or setting a resource. The banner is none: it replaces functions such as `fetch`,
 * so the browser names it for the requests of other scripts.
 */
export function findLoader({ details, proof }: Resource): string | undefined {
  const { set_by, initiator }: Partial<Record<string, unknown>> = details;
  const loader = proof?.initiator ?? set_by ?? initiator;
  const url = typeof loader === 'string' ? URL.parse(loader) : null;
  return url && !url.pathname.endsWith('/banner.js') ? url.href : undefined;
}

const formatLoader = (resource: Resource): string => {
  const loader = findLoader(resource);
  return loader === undefined ? 'another script' : new URL(loader).pathname;
};

/** Why a resource is open and what to do about it; undefined without a decision. */
export function explainOpen(resource: Resource): string | undefined {
  const { open_reason, category, can_block } = resource;
  switch (open_reason) {
    case 'not_registered':
      return 'Its entry in the script registry was deleted or is inactive. Block it again.';
    case 'in_html':
      if (!can_block)
        return 'Its tag is in the page, and the banner cannot block this type of tag. Remove or change the tag.';
      return 'The original tag is still in the page. Make the banner the first script of the page, or replace the tag with the snippet from the script registry.';
    case 'in_noscript':
      return 'Its tag is in a <noscript> element: browsers without scripts load it, and the banner cannot block it there. Remove the tag.';
    case 'inline_code':
      return `Inline code sets it. Change the code's tag to <script type="text/plain" data-category="${category ?? 'marketing'}">, or record a decision.`;
    case 'other_script':
      return `Loaded by ${formatLoader(resource)}. Block that script until consent.`;
    case 'set_by_server':
      return 'Your server sets this cookie. Classify it, or stop setting it before consent.';
    case 'loaded_despite_rejection':
      return `It still loads after a rejection, loaded by ${formatLoader(resource)}.`;
    case 'not_stopped_by_withdrawal':
      return 'It still loads after a withdrawal. Reload the page when consent is withdrawn, and delete what was stored.';
    default:
      return undefined;
  }
}

/** Why blocking could not be checked; undefined where the finding itself says why it is open. */
function explainProof({ reason }: NonNullable<Resource['proof']>): string | undefined {
  switch (reason) {
    case 'page_failed':
      return 'The page could not be visited to check it. Scan again.';
    case 'page_partial':
      return 'The page was read in part, and it was not seen there. Scan again.';
    case 'no_browser':
      return 'Only a browser can check it, and none is available. See Operations.';
    case 'scan_ended':
      return 'The check was cancelled or interrupted. Scan again.';
    default:
      return undefined;
  }
}

/** What the owner of the site can do about a resource; undefined if there is nothing to do. */
export function explainNextStep(resource: Resource): string | undefined {
  const { decision, proof, state, verdicts } = resource;
  if (isBlockable(resource)) {
    return 'Block it until consent. Pavis then checks at once that it no longer loads.';
  }
  const explanation =
    explainOpen(resource) ?? (proof ? explainProof(proof) : undefined) ?? decision?.reason;
  // The next steps below are for what blocking does not solve.
  if (explanation || (state !== null && state !== 'open')) return explanation ?? undefined;
  if (verdicts.includes('loaded_despite_rejection')) {
    return 'Find what loads it under “Caused by”, and make that respect the rejection, or block it until consent.';
  }
  if (verdicts.includes('not_stopped_by_withdrawal')) {
    return 'Reload the page when consent is withdrawn, and delete what was stored.';
  }
  if (verdicts.includes('ignores_gpc')) {
    return 'Treat Global Privacy Control as a rejection.';
  }
  return undefined;
}
