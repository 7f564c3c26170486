import { IconLicense } from '@tabler/icons-react';
import { EmptyState } from '../../components/states.tsx';

export function NoLicences() {
  return (
    <EmptyState icon={IconLicense} title="Licensing is disabled">
      This server runs without the Licence API (PAVIS_SERVICES).
    </EmptyState>
  );
}
