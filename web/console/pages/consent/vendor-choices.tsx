import { Switch, Text } from '@mantine/core';
import { useCan } from '../../components/access.tsx';
import { FieldsetCard } from '../../components/section.tsx';
import type { BannerFields } from './text-field.tsx';

/** Whether visitors can choose vendors one by one. */
export function VendorChoices({ form }: { form: BannerFields }) {
  return (
    <FieldsetCard title="Vendors in the preferences" disabled={!useCan('manage_options')}>
      <Text size="sm" c="dimmed">
        The preferences list the vendors of each category with their cookies.
      </Text>
      <Switch
        label="Let visitors choose each vendor"
        description="A switch for each vendor with active scripts in the registry, and “Always allow” for the vendor in placeholders. Other vendors follow their category, because only registered scripts can be blocked one by one."
        {...form.getInputProps('vendor_choices', { type: 'checkbox' })}
      />
    </FieldsetCard>
  );
}

/** The vendors of a consent record that differ from their category. */
export function ChosenVendors({
  accepted,
  rejected,
}: {
  accepted: readonly string[];
  rejected: readonly string[];
}) {
  return (
    <>
      {accepted.length > 0 && <Text size="sm">Also accepted: {accepted.join(', ')}</Text>}
      {rejected.length > 0 && <Text size="sm">Except: {rejected.join(', ')}</Text>}
    </>
  );
}
