import { Text } from '@mantine/core';
import { useCan } from '../../components/access.tsx';
import { FieldsetCard } from '../../components/section.tsx';
import { SIGNALS } from './choice-lists.ts';
import { Choices } from './choices.tsx';
import type { BannerFields } from './text-field.tsx';

/** The services that the banner informs about consent. */
export function Signals({ form }: { form: BannerFields }) {
  return (
    <FieldsetCard title="Signals to other services" disabled={!useCan('manage_options')}>
      <Text size="sm" c="dimmed">
        The banner tells these services what visitors have chosen. A signal does not block a tag:
        the service still loads and decides what it does without consent. Add a tag to the script
        registry to block it.
      </Text>
      <Choices
        choices={SIGNALS}
        chosen={form.values.signals}
        onChange={(chosen) => form.setFieldValue('signals', chosen)}
      />
    </FieldsetCard>
  );
}
