import { NativeSelect, Switch } from '@mantine/core';
import type { Tagged } from '../../api/client.ts';
import type { Settings } from '../../api/types.ts';
import { SettingsCard } from './card.tsx';
import { Fixed } from './environment.tsx';

const LABELS = {
  enabled: 'Accept requests',
  auto_erase: 'Erase without approval',
  regime: 'Deadline',
};

const REGIMES = [
  { value: 'gdpr', label: 'GDPR: one month' },
  { value: 'uk', label: 'UK GDPR: one month' },
  { value: 'ccpa', label: 'CCPA: 45 days' },
  { value: 'lgpd', label: 'LGPD: 15 days' },
];

/** Settings of data subject requests. */
export const RequestsForm = ({ settings }: { settings: Tagged<Settings> }) => (
  <SettingsCard
    section="dsar"
    settings={settings}
    title="Requests"
    labels={LABELS}
    save="Save request settings"
    done="The request settings were saved."
  >
    {(form) => (
      <>
        <Switch
          label={LABELS.enabled}
          description="By the form at /privacy/ and by the API. Default: on. Off: both answer that requests are not accepted; open requests stay."
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        <Switch
          label={LABELS.auto_erase}
          description="Erasures begin once the requester has confirmed the email address. Default: off, a person approves each erasure. Erased data cannot be restored."
          {...form.getInputProps('auto_erase', { type: 'checkbox' })}
        />
        <NativeSelect
          label={LABELS.regime}
          description="The law of new requests: its time to answer, rights and remedies. Default: GDPR. Open requests keep theirs. An opt-out under the CCPA has 15 business days."
          data={REGIMES}
          {...form.getInputProps('regime')}
        />
        <Fixed names={['PAVIS_SITE_TIMEZONE', 'PAVIS_RATE_LIMIT_DSAR']} />
      </>
    )}
  </SettingsCard>
);
