import { IconHourglass } from '@tabler/icons-react';
import { EmptyState } from '../../components/states.tsx';

/** In place of all that a server without retention lacks. */
export function NoRetention() {
  return (
    <EmptyState icon={IconHourglass} title="This server has no retention">
      Its version has no part for it.
    </EmptyState>
  );
}
