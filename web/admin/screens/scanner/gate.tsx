import { useQuery } from '@tanstack/react-query';
import type { Finding } from '../../api/types.ts';
import { LinkButton } from '../../parts/link-button.tsx';
import { registryQuery } from '../scripts/queries.ts';
import { addressOf, entryOf, GATES } from './gated.ts';

/** On to the registry of scripts, where a thing that has to wait is made to. */
export function Gate({ finding }: { finding: Finding }) {
  const scripts = useQuery(registryQuery);
  const method = GATES[finding.resource_type];
  if (!method || scripts.isPending) return null;
  const { name, host, vendor, category, needs_consent } = finding;
  const what = name || host;
  const entry = entryOf(finding, scripts.data ?? []);
  if (entry) {
    const text = entry.is_active ? 'In the registry' : 'In the registry, off';
    return (
      <LinkButton
        size="compact-xs"
        variant="subtle"
        h="auto"
        styles={{ label: { whiteSpace: 'normal', textAlign: 'start', lineHeight: 1.4 } }}
        to="/scripts/$id"
        params={{ id: String(entry.id) }}
        aria-label={`${text}: ${what}`}
      >
        {text}
      </LinkButton>
    );
  }
  if (!needs_consent) return null;
  return (
    <LinkButton
      size="compact-xs"
      variant="default"
      to="/scripts/new"
      search={{
        url: addressOf(finding),
        method,
        label: vendor?.name ?? host,
        ...(category && { category }),
      }}
      aria-label={`Let it wait: ${what}`}
    >
      Let it wait
    </LinkButton>
  );
}
