import { Tooltip, VisuallyHidden } from '@mantine/core';
import type { Entry } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { formatCount } from '../../components/format.ts';

/** The fields that GDPR Art. 30(1) requires, by their labels. */
const REQUIRED_FIELDS: Readonly<Record<Entry['missing'][number], string>> = {
  data_subjects: 'Data subjects',
  data_categories: 'Data categories',
  third_countries: 'Third-country transfers',
  safeguards: 'Safeguards',
  retention_period: 'Retention period',
  security_measures: 'Security measures',
};

export const listMissing = ({ missing }: Pick<Entry, 'missing'>): string =>
  missing.map((field) => REQUIRED_FIELDS[field]).join(', ');

/** Whether an entry has all fields that GDPR Art. 30 requires. */
export function Completeness({ entry }: { entry: Entry }) {
  const { missing } = entry;
  if (missing.length === 0) return <StatusBadge tone="good">Complete</StatusBadge>;
  return (
    <Tooltip label={`Missing: ${listMissing(entry)}`} multiline maw={320}>
      <span>
        <StatusBadge tone="warn">{formatCount(missing.length, 'field')} missing</StatusBadge>
        <VisuallyHidden>: {listMissing(entry)}</VisuallyHidden>
      </span>
    </Tooltip>
  );
}
