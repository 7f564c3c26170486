import {
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { createIdempotencyKey, postOnce } from '../../api/client.ts';
import { sessionQuery } from '../../api/queries.ts';
import { isEmailAddress } from '../../components/email-address.ts';
import { EditForm } from '../../components/form.tsx';
import { formatCount, formatUtcDay } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { Secret } from '../../components/secret.tsx';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { isWithin } from '../../components/within.ts';
import { chooseOnSale, fetchOnSale, productsQuery, toPlanChoices } from '../products/queries.ts';
import { ADMIN_PATH, type KeyShown, NEVER, STALE, toEndOfDay } from './queries.ts';

const YEAR_MS = 365 * 86_400_000;
const toDay = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 10);

const initialValues = () => ({
  email: '',
  product: '',
  tier: '',
  mode: 'live',
  expires_at: toDay(Date.now() + YEAR_MS),
  is_perpetual: false,
  sites_allowed: '' as number | string,
  grace_days: '' as number | string,
  /** Undefined: the default of the plan. */
  development_sites_free: undefined as boolean | undefined,
  mail: true,
});

export function NewLicence() {
  const [issued, setIssued] = useState<KeyShown & { isMailed: boolean }>();
  // If the response is lost, the same form issues no second licence.
  const [idempotencyKey, setIdempotencyKey] = useState(createIdempotencyKey);
  const form = useForm({
    initialValues: initialValues(),
    validate: {
      email: isEmailAddress,
      expires_at: (value, { is_perpetual }) =>
        is_perpetual || value ? null : 'Choose the last day.',
      sites_allowed: (value) => (value === '' ? null : isWithin(1, 1_000_000)(value)),
      grace_days: (value) => (value === '' ? null : isWithin(0, 365)(value)),
    },
  });
  const { data: all = [] } = useQuery(productsQuery);
  const { data: session } = useQuery(sessionQuery);
  const { products, product, plan } = chooseOnSale(all, form.values);
  const back = { to: '/licences', label: 'Licences' } as const;
  if (issued) {
    return (
      <Page
        title={`A licence for ${issued.email}`}
        intro={`${issued.plan}, ${formatCount(issued.sites_allowed, 'site')}, ${
          issued.expires_at === NEVER ? 'no expiry' : `until ${formatUtcDay(issued.expires_at)}`
        }.`}
        back={back}
      >
        <Stack style={{ maxWidth: '44rem' }}>
          <Secret label="Licence key" value={issued.licence_key}>
            <Text>{describeMail(issued.isMailed, session?.is_mail_sent ?? true)}</Text>
          </Secret>
          <Group gap="sm">
            <LinkButton variant="default" to="/licences/$id" params={{ id: issued.id }}>
              View licence
            </LinkButton>
            <Button variant="subtle" onClick={() => setIssued(undefined)}>
              Issue another
            </Button>
          </Group>
        </Stack>
      </Page>
    );
  }
  return (
    <Page
      title="Issue a licence"
      intro="The key is shown once, after the licence is issued."
      back={back}
    >
      <EditForm
        form={form}
        next={initialValues()}
        stale={STALE}
        send={async ({ is_perpetual, sites_allowed, grace_days, expires_at, ...fields }) => {
          const chosen = await fetchOnSale(fields);
          const body = {
            ...fields,
            product: chosen.product?.slug,
            tier: chosen.plan?.tier,
            expires_at: is_perpetual ? NEVER : toEndOfDay(expires_at),
            ...(sites_allowed !== '' && { sites_allowed }),
            ...(grace_days !== '' && { grace_days }),
          };
          return postOnce<KeyShown>(ADMIN_PATH, body, idempotencyKey);
        }}
        save="Issue the licence"
        done="The licence was issued."
        onDone={(licence, { mail }) => {
          setIssued({ ...licence, isMailed: mail });
          setIdempotencyKey(createIdempotencyKey());
        }}
      >
        <TextInput
          label="Customer email"
          description="A customer is created if there is none with this address"
          type="email"
          {...REQUIRED}
          autoComplete="off"
          {...form.getInputProps('email')}
        />
        {products.length > 1 && (
          <NativeSelect
            label="Product"
            data={products.map(({ slug, name }) => ({ value: slug, label: name }))}
            {...form.getInputProps('product')}
            value={product?.slug ?? ''}
          />
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect
            label="Tier"
            data={product ? toPlanChoices(product) : []}
            {...form.getInputProps('tier')}
            value={plan?.tier ?? ''}
          />
          <NativeSelect
            label="Mode"
            data={[
              { value: 'live', label: 'Live (pv_live_…)' },
              { value: 'test', label: 'Test (pv_test_…)' },
            ]}
            {...form.getInputProps('mode')}
          />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            type="date"
            label="Last day"
            description="Paid until the end of this day (UTC)"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            disabled={form.values.is_perpetual}
            {...form.getInputProps('expires_at')}
          />
          <Switch label="No expiry" {...form.getInputProps('is_perpetual', { type: 'checkbox' })} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <WholeNumberInput
            label="Sites"
            description="Empty: the number of the plan"
            placeholder={plan && String(plan.sites_allowed)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('sites_allowed')}
          />
          <WholeNumberInput
            label="Grace period (days)"
            description="After expiry. Empty: those of the plan"
            placeholder={plan && String(plan.grace_days)}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('grace_days')}
          />
        </SimpleGrid>
        <Switch
          label="Do not count development sites"
          description="localhost, *.test and staging.… are not counted"
          checked={form.values.development_sites_free ?? plan?.development_sites_free ?? false}
          onChange={({ currentTarget }) =>
            form.setFieldValue('development_sites_free', currentTarget.checked)
          }
        />
        <Switch
          label="Email the key to the customer"
          {...form.getInputProps('mail', { type: 'checkbox' })}
        />
      </EditForm>
    </Page>
  );
}

/** @param isMailSent whether there is a mail server */
function describeMail(isMailed: boolean, isMailSent: boolean): string {
  if (!isMailed) return 'The customer does not receive it by email. Send it yourself.';
  return isMailSent
    ? 'The customer also receives it by email.'
    : 'The email to the customer is saved as a file, not sent: no mail server is set. Send the key yourself.';
}
