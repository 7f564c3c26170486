import { Button, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { write } from '../../api/client.ts';
import { EditForm } from '../../components/form.tsx';
import { formatDay, toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { Secret } from '../../components/secret.tsx';
import { DESK, endOf, type KeyShown, NEVER, STALE, TIERS } from './queries.ts';

const YEAR_MS = 365 * 86_400_000;
const dayOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

const initialValues = () => ({
  email: '',
  tier: 'pro',
  mode: 'live',
  expires_at: dayOf(Date.now() + YEAR_MS),
  is_perpetual: false,
  sites_allowed: '' as number | string,
  grace_days: 0 as number | string,
  development_sites_free: false,
  mail: true,
});

export function NewLicence() {
  const [issued, setIssued] = useState<KeyShown & { isMailed: boolean }>();
  const form = useForm({
    initialValues: initialValues(),
    validate: {
      email: (value) => (/^\S+@\S+$/.test(value.trim()) ? null : 'Please give an e-mail address.'),
      expires_at: (value, { is_perpetual }) =>
        is_perpetual || value ? null : 'Please choose its last day.',
    },
  });
  const back = { to: '/licences', label: 'Licences' } as const;
  if (issued) {
    return (
      <Page
        title={`A licence for ${issued.email}`}
        intro={`${toLabel(issued.tier)}, ${issued.sites_allowed} sites, ${
          issued.expires_at === NEVER ? 'without an end' : `until ${formatDay(issued.expires_at)}`
        }.`}
        back={back}
      >
        <div className="stack" style={{ maxWidth: '44rem' }}>
          <Secret label="Licence key" value={issued.licence_key}>
            <p style={{ margin: 0 }}>
              {issued.isMailed
                ? 'It is on its way to the customer by mail as well.'
                : 'The customer does not get it by mail: send it yourself.'}
            </p>
          </Secret>
          <div className="row">
            <LinkButton variant="default" to="/licences/$id" params={{ id: issued.id }}>
              To the licence
            </LinkButton>
            <Button
              variant="subtle"
              onClick={() => {
                form.reset();
                setIssued(undefined);
              }}
            >
              Issue another
            </Button>
          </div>
        </div>
      </Page>
    );
  }
  return (
    <Page
      title="Issue a licence"
      intro="The key is shown once, when you have issued it."
      back={back}
    >
      <EditForm
        form={form}
        stale={STALE}
        send={({ is_perpetual, sites_allowed, expires_at, ...fields }) =>
          write<KeyShown>('POST', DESK, {
            ...fields,
            expires_at: is_perpetual ? NEVER : endOf(expires_at),
            ...(sites_allowed !== '' && { sites_allowed }),
          })
        }
        save="Issue the licence"
        done="The licence was issued."
        onDone={(licence, { mail }) => setIssued({ ...licence, isMailed: mail })}
      >
        <TextInput
          label="Customer’s e-mail"
          description="A new customer is made if there is none with this address"
          type="email"
          required
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        <div className="two">
          <NativeSelect
            label="Tier"
            data={TIERS.map((value) => ({ value, label: toLabel(value) }))}
            {...form.getInputProps('tier')}
          />
          <NativeSelect
            label="Mode"
            data={[
              { value: 'live', label: 'Live (pv_live_…)' },
              { value: 'test', label: 'Test (pv_test_…)' },
            ]}
            {...form.getInputProps('mode')}
          />
        </div>
        <div className="two">
          <TextInput
            type="date"
            label="Last day"
            description="It works through this day (UTC)"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            disabled={form.values.is_perpetual}
            {...form.getInputProps('expires_at')}
          />
          <Switch
            className="beside-field"
            label="Without an end"
            {...form.getInputProps('is_perpetual', { type: 'checkbox' })}
          />
        </div>
        <div className="two">
          <NumberInput
            label="Sites"
            description="Empty: as many as the tier has"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={1}
            max={1_000_000}
            allowDecimal={false}
            {...form.getInputProps('sites_allowed')}
          />
          <NumberInput
            label="Days of grace"
            description="It still works so long after its end"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            max={365}
            allowDecimal={false}
            {...form.getInputProps('grace_days')}
          />
        </div>
        <Switch
          label="Development sites are free"
          description="localhost, *.test and staging.… take no slot"
          {...form.getInputProps('development_sites_free', { type: 'checkbox' })}
        />
        <Switch
          label="Mail the key to the customer"
          {...form.getInputProps('mail', { type: 'checkbox' })}
        />
      </EditForm>
    </Page>
  );
}
