import { IconHourglass } from '@tabler/icons-react';
import { EmptyState } from '../../components/states.tsx';

/** Shown if the server does not support retention. */
export function NoRetention() {
  return (
    <EmptyState icon={IconHourglass} title="Retention is not available">
      This server does not support retention policies.
    </EmptyState>
  );
}
