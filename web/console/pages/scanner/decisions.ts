import { write } from '../../api/client.ts';
import type { DecisionAnswer, Finding } from '../../api/types.ts';

type DecisionKind = 'blocked' | 'necessary' | 'ignored' | 'open';

interface DecisionBody {
  scan_id: number;
  decision: DecisionKind;
  /** All open ones unless given. */
  findings?: number[];
  reason?: string;
  dry_run?: boolean;
}

export const sendDecision = (body: DecisionBody): Promise<DecisionAnswer> =>
  write('POST', '/scanner/decisions', body);

/** What a decision changes on other screens. */
export const STALE_AFTER_DECISION = [['results'], ['scripts'], ['script']];

/** Registering what is blocked again and still loads changes nothing: its tag in the page has to change. */
export const isBlockable = ({ state, can_block, open_reason }: Finding): boolean =>
  state === 'open' &&
  can_block &&
  (open_reason === 'undecided' || open_reason === 'not_registered');

/** A cookie or storage key of the site itself, which the owner can classify by its name. */
export const isOwnCookie = ({ resource_type, third_party }: Finding): boolean =>
  resource_type === 'cookie' && !third_party;

export const titleOf = ({ name, host }: Finding): string => name || host;

/** The script that was seen loading or setting something; undefined where none was. */
export function getLoader({ details }: Finding): string | undefined {
  const { set_by, initiator }: Partial<Record<string, unknown>> = details;
  const loader = set_by ?? initiator;
  return typeof loader === 'string' && URL.canParse(loader) ? loader : undefined;
}

const describeLoader = (finding: Finding): string => {
  const loader = getLoader(finding);
  return loader === undefined ? 'another script' : new URL(loader).pathname;
};

/** Why a finding is open, and what helps; nothing where nobody has decided yet. */
export function explainOpen(finding: Finding): string | undefined {
  const { open_reason, category } = finding;
  switch (open_reason) {
    case 'not_registered':
      return 'Its entry in the script registry is gone or turned off. Block it again.';
    case 'in_html':
      return 'Its tag in the page is unchanged. Replace it with the snippet of its registry entry, then scan again.';
    case 'inline_code':
      return `Code within the page sets it. Begin that code with <script type="text/plain" data-category="${category ?? 'marketing'}">, or decide about it here.`;
    case 'other_script':
      return `Loaded by ${describeLoader(finding)}. Block that script, or change it so that it waits for consent.`;
    case 'set_by_server':
      return 'The server of the site sets it. Classify it, or change the site.';
    default:
      return undefined;
  }
}
