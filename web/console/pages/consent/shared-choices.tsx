import { Switch, Text } from '@mantine/core';
import { useCan } from '../../components/access.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { FieldsetCard } from '../../components/section.tsx';
import { SubjectKey } from './subject-key.tsx';
import type { BannerFields } from './text-field.tsx';

/** Whether the choice of a signed-in person applies on all their devices. */
export function SharedChoices({ form, saved }: { form: BannerFields; saved: boolean }) {
  const canWrite = useCan('manage_options');
  return (
    <FieldsetCard title="Choices on several devices" disabled={!canWrite}>
      <Text size="sm" c="dimmed">
        For people who are signed in at your site. Your server makes a token for each page view, so
        Pavis never receives their user id.
      </Text>
      <Switch
        label="Apply choices on all devices of a person"
        description="The stricter newer choice applies. Visitors read about it below the message."
        {...form.getInputProps('shared_choices', { type: 'checkbox' })}
      />
      {saved && canWrite && (
        <Disclosure summary="Subject key and code for your server">
          <SubjectKey />
        </Disclosure>
      )}
    </FieldsetCard>
  );
}
