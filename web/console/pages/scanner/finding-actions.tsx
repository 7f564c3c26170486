import { Button } from '@mantine/core';
import type { Finding } from '../../api/types.ts';
import { useChange } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Decide } from './decide.tsx';
import {
  getLoader,
  isBlockable,
  STALE_AFTER_DECISION,
  sendDecision,
  titleOf,
} from './decisions.ts';

const COMPACT = {
  size: 'compact-xs',
  h: 'auto',
  styles: { label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } },
} as const;

/** What can be done about a finding: block it, decide otherwise, or go to its entry in the registry. */
export function FindingActions({ finding }: { finding: Finding }) {
  const { id, scan_id, state, script_id } = finding;
  const what = titleOf(finding);
  const blocking = useChange({
    change: () => sendDecision({ scan_id, findings: [id], decision: 'blocked' }),
    stale: STALE_AFTER_DECISION,
    done: `${what} is blocked until consent. Scan again to see whether it works.`,
  });
  const loader = getLoader(finding);
  return (
    <div className="stack" style={{ gap: '0.3rem', alignItems: 'flex-start', minWidth: '7.5rem' }}>
      {isBlockable(finding) && (
        <Button
          {...COMPACT}
          variant="default"
          loading={blocking.isPending}
          aria-label={`Block until consent: ${what}`}
          onClick={() => blocking.mutate(undefined)}
        >
          Block until consent
        </Button>
      )}
      {finding.open_reason === 'other_script' && loader !== undefined && (
        <LinkButton
          {...COMPACT}
          variant="default"
          to="/scripts/new"
          search={{
            url: loader,
            method: 'type_attribute',
            label: new URL(loader).pathname.split('/').findLast(Boolean) ?? what,
            ...(finding.category && { category: finding.category }),
          }}
          aria-label={`Block its loader: ${what}`}
        >
          Block its loader
        </LinkButton>
      )}
      {finding.needs_consent && (
        <Decide
          findings={[finding]}
          button={(open) => (
            <Button
              {...COMPACT}
              variant={state === 'open' ? 'default' : 'subtle'}
              aria-label={`${state === 'open' ? 'Decide' : 'Change decision'}: ${what}`}
              onClick={open}
            >
              {state === 'open' ? 'Decide' : 'Change'}
            </Button>
          )}
        />
      )}
      {script_id !== null && (
        <LinkButton
          {...COMPACT}
          variant="subtle"
          to="/scripts/$id"
          params={{ id: String(script_id) }}
          aria-label={`In the registry: ${what}`}
        >
          In the registry
        </LinkButton>
      )}
    </div>
  );
}
