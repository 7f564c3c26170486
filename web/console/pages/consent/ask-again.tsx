import { Text } from '@mantine/core';
import { useCan } from '../../components/access.tsx';
import { FieldsetCard } from '../../components/section.tsx';
import { REASONS } from './choice-lists.ts';
import { Choices } from './choices.tsx';
import type { BannerFields } from './text-field.tsx';

/** The changes after which visitors are asked for consent again. */
export function AskAgain({ form }: { form: BannerFields }) {
  return (
    <FieldsetCard title="Ask visitors again when" disabled={!useCan('manage_options')}>
      <Text size="sm" c="dimmed">
        After such a change, visitors see the banner again and earlier choices no longer apply.
        Removing a vendor or purpose, adding a language, and changing the look, button labels or the
        order of categories never asks again.
      </Text>
      <Choices
        choices={REASONS}
        chosen={form.values.ask_again_on}
        onChange={(chosen) => form.setFieldValue('ask_again_on', chosen)}
      />
    </FieldsetCard>
  );
}
