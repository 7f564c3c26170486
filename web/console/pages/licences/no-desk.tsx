import { IconLicense } from '@tabler/icons-react';
import { EmptyState } from '../../components/states.tsx';

export function NoDesk() {
  return (
    <EmptyState icon={IconLicense} title="This server issues no licences">
      It runs without the Licence API (PAVIS_SERVICES), so there is nothing to look after here.
    </EmptyState>
  );
}
