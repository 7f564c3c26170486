import { Button, Group, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { getDownloadUrl } from '../../api/downloads.ts';
import { getToday } from '../../api/site-time.ts';
import { Section } from '../../components/section.tsx';
import { toPeriod } from '../consent/periods.ts';

/** Downloads the records of a period with what is needed to verify them. */
export function Bundle() {
  const [{ from, to }, setPeriod] = useState(() =>
    toPeriod(undefined, { from: undefined, to: undefined }, getToday()),
  );
  const error =
    !from || !to ? 'Enter both dates.' : from > to ? 'The end is before the start.' : '';
  return (
    <Section title="Bundle for an auditor">
      <Text size="sm">
        A ZIP file with the consent records of a period, their banner versions and pictures, their
        proofs, and a page that verifies them offline.
      </Text>
      <Group align="flex-start">
        <TextInput
          type="date"
          flex="1 1 9rem"
          label="From"
          value={from}
          onChange={({ currentTarget: { value } }) => setPeriod({ from: value, to })}
        />
        <TextInput
          type="date"
          flex="1 1 9rem"
          label="To"
          value={to}
          error={error}
          onChange={({ currentTarget: { value } }) => setPeriod({ from, to: value })}
        />
      </Group>
      <div>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          {...(error
            ? { disabled: true }
            : {
                component: 'a' as const,
                href: getDownloadUrl('/consent/log/bundle', { date_from: from, date_to: to }),
              })}
        >
          Download bundle
        </Button>
      </div>
    </Section>
  );
}
