import { Checkbox, Stack, Text } from '@mantine/core';
import type { ConsentSettings } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { FieldsetCard } from '../../components/section.tsx';
import type { BannerFields } from './text-field.tsx';

type Reason = ConsentSettings['ask_again_on'][number];

/** In the order in which the server saves them. */
export const REASONS: readonly { value: Reason; label: string; description: string }[] = [
  {
    value: 'vendors',
    label: 'A vendor is added',
    description: 'Vendors of active data map entries whose legal basis is consent',
  },
  {
    value: 'purposes',
    label: 'A purpose is added or reworded',
    description: 'Purposes of the same entries',
  },
  {
    value: 'categories',
    label: 'The categories change',
    description: 'One is added, removed, or made required or optional',
  },
  {
    value: 'texts',
    label: 'A text changes in any language',
    description:
      'Title, message, address of the privacy policy, names and descriptions of categories',
  },
];

/** The changes after which visitors are asked for consent again. */
export function AskAgain({ form }: { form: BannerFields }) {
  return (
    <FieldsetCard title="Ask visitors again when" disabled={!useCan('manage_options')}>
      <Text size="sm" c="dimmed">
        After such a change, visitors see the banner again and earlier choices no longer apply.
        Removing a vendor or purpose, adding a language, and changing the position, button labels or
        the order of categories never asks again.
      </Text>
      <Checkbox.Group
        value={form.values.ask_again_on}
        onChange={(chosen) =>
          form.setFieldValue(
            'ask_again_on',
            REASONS.map(({ value }) => value).filter((value) => chosen.includes(value)),
          )
        }
      >
        <Stack>
          {REASONS.map((reason) => (
            <Checkbox key={reason.value} {...reason} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FieldsetCard>
  );
}
