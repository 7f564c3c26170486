import {
  Alert,
  Button,
  Fieldset,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { putTagged, write } from '../../api/client.ts';
import { ConfirmButton, EditForm, type Saving, useChange } from '../../components/form.tsx';
import { formatCount, formatDay } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { QueryResult } from '../../components/states.tsx';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { isWithin } from '../../components/within.ts';
import { NoLicences } from '../licences/no-licences.tsx';
import { STALE } from '../licences/queries.ts';
import { FeaturesField } from './features-field.tsx';
import { findSlugProblem, INTERVALS } from './plan-fields.ts';
import { PLANS, type Plan, PRODUCTS, planQuery, productQuery } from './queries.ts';

const EMPTY = {
  label: '',
  description: '',
  tier: '',
  sites_allowed: 1 as number | string,
  features: [] as string[],
  development_sites_free: false,
  grace_days: 0 as number | string,
  trial_days: 0 as number | string,
  trial_without_card: false,
  month: '',
  year: '',
  once: '',
};
type Fields = typeof EMPTY;

const toFields = ({ prices, ...plan }: Plan): Fields => ({
  label: plan.label,
  description: plan.description ?? '',
  tier: plan.tier,
  sites_allowed: plan.sites_allowed,
  features: plan.features,
  development_sites_free: plan.development_sites_free,
  grace_days: plan.grace_days,
  trial_days: plan.trial_days,
  trial_without_card: plan.trial_without_card,
  month: prices.month ?? '',
  year: prices.year ?? '',
  once: prices.once ?? '',
});

/** @param before intervals that are sold at the prices of the environment stay */
const toBody = (
  { tier: _tier, month, year, once, ...fields }: Fields,
  before: Plan['prices'] = {},
) => ({
  ...fields,
  description: fields.description.trim() || null,
  sites_allowed: Number(fields.sites_allowed),
  grace_days: Number(fields.grace_days),
  trial_days: Number(fields.trial_days),
  prices: Object.fromEntries(
    Object.entries({ month, year, once })
      .map(([interval, price]) => [interval, price.trim() || null])
      .filter(([interval, price]) => price !== null || before[interval as 'year'] === null),
  ),
});

const newRoute = getRouteApi('/app/products/$slug/plans/new');

export function NewPlan() {
  const { slug } = newRoute.useParams();
  const navigate = useNavigate();
  const product = useQuery(productQuery(slug));
  return (
    <Page
      title="Add a plan"
      back={{ to: '/products/$slug', params: { slug }, label: product.data?.name ?? 'Product' }}
    >
      <PlanForm
        slug={slug}
        initial={EMPTY}
        save="Add the plan"
        done="The plan was added."
        send={(fields) =>
          write<Plan>('POST', `${PRODUCTS}/${slug}/plans`, {
            ...toBody(fields),
            tier: fields.tier,
          })
        }
        onDone={() => navigate({ to: '/products/$slug', params: { slug } })}
      />
    </Page>
  );
}

const route = getRouteApi('/app/products/$slug/plans/$id');

export function PlanScreen() {
  const { slug, id } = route.useParams();
  const plan = useQuery(planQuery(id));
  const product = useQuery(productQuery(slug));
  return (
    <Page
      title={plan.data?.label ?? 'Plan'}
      {...(plan.data && { intro: `${formatCount(plan.data.licences, 'licence')} of this plan.` })}
      back={{ to: '/products/$slug', params: { slug }, label: product.data?.name ?? 'Product' }}
      actions={plan.data && <ArchiveButton plan={plan.data} />}
    >
      <QueryResult query={plan} lines={8} absent={<NoLicences />}>
        {(data) => (
          <Stack>
            {data.archived_at !== null && (
              <Alert maw="44rem" title={`Archived on ${formatDay(data.archived_at)}`}>
                Its licences keep working and can be renewed. No new licence of it can be issued or
                bought.
              </Alert>
            )}
            <PlanForm
              key={data.id}
              slug={slug}
              plan={data}
              initial={toFields(data)}
              etag={data.etag}
              send={async (fields, _, tag) => {
                const body = toBody(fields, data.prices);
                return (await putTagged<Plan>(`${PLANS}/${id}`, body, tag)).value;
              }}
            />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

function ArchiveButton({ plan: { id, label, archived_at } }: { plan: Plan }) {
  const isArchived = archived_at !== null;
  const archiving = useChange({
    change: () => write('PUT', `${PLANS}/${id}`, { archived: !isArchived }),
    stale: STALE,
    done: isArchived ? 'The plan is on sale again.' : 'The plan was archived.',
  });
  return (
    <ConfirmButton
      title={isArchived ? `Put ${label} on sale again?` : `Archive ${label}?`}
      text={
        isArchived
          ? 'New licences of this plan can be issued and bought again.'
          : 'Its licences keep working and can be renewed. No new licence of it can be issued or bought. You can put it on sale again.'
      }
      confirm={isArchived ? 'Put on sale' : 'Archive'}
      isBusy={archiving.isPending}
      onConfirm={() => archiving.mutate(undefined)}
      button={(open) => (
        <Button variant="default" onClick={open} loading={archiving.isPending}>
          {isArchived ? 'Put on sale again' : 'Archive'}
        </Button>
      )}
    />
  );
}

const BELOW: Pick<TextInputProps, 'inputWrapperOrder'> = {
  inputWrapperOrder: ['label', 'input', 'description', 'error'],
};

function PlanForm({ slug, plan, ...saving }: Saving<Fields, Plan> & { slug: string; plan?: Plan }) {
  const product = useQuery(productQuery(slug));
  const suggestions = product.data?.plans.flatMap(({ features }) => features);
  const form = useForm<Fields>({
    initialValues: saving.initial,
    validate: {
      label: (value) => (value.trim() ? null : 'Enter a name.'),
      tier: findSlugProblem,
      sites_allowed: isWithin(1, 1_000_000),
      grace_days: isWithin(0, 365),
      trial_days: (value, { trial_without_card }) =>
        isWithin(trial_without_card ? 1 : 0, 730)(value),
      features: (names) => {
        const wrong = names.find((name) => !/^[a-z][a-z0-9]*(?:[_.-][a-z0-9]+)*$/.test(name));
        return wrong === undefined
          ? null
          : `“${wrong}”: use lower-case letters, digits, and _ . - between them. Start with a letter.`;
      },
    },
  });
  return (
    <EditForm {...saving} form={form} stale={STALE}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Name"
          description="Customers see it"
          {...BELOW}
          {...REQUIRED}
          {...form.getInputProps('label')}
        />
        <TextInput
          label="Tier"
          description="The name in the APIs. Cannot be changed later"
          {...BELOW}
          {...REQUIRED}
          readOnly={plan !== undefined}
          {...form.getInputProps('tier')}
        />
      </SimpleGrid>
      <TextInput
        label="Description"
        description="Buyers read it after the number of sites. If empty, they read the names of the features"
        {...BELOW}
        maxLength={300}
        {...form.getInputProps('description')}
      />
      <FeaturesField
        label="Features"
        description="Names that your plugin checks. Type a name and press Enter"
        data={suggestions}
        {...form.getInputProps('features')}
      />
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <WholeNumberInput
          label="Sites"
          description="Per licence"
          {...BELOW}
          {...REQUIRED}
          {...form.getInputProps('sites_allowed')}
        />
        <WholeNumberInput
          label="Grace period (days)"
          description="After expiry"
          {...BELOW}
          {...REQUIRED}
          {...form.getInputProps('grace_days')}
        />
        <WholeNumberInput
          label="Free trial (days)"
          description="For new customers"
          {...BELOW}
          {...REQUIRED}
          {...form.getInputProps('trial_days')}
        />
      </SimpleGrid>
      <Switch
        label="Do not count development sites"
        description="localhost, *.test and staging.… are not counted"
        {...form.getInputProps('development_sites_free', { type: 'checkbox' })}
      />
      <Switch
        label="Free trial without a card"
        description="An email address starts it, once per address and site. New subscriptions at Stripe have the trial in any case"
        {...form.getInputProps('trial_without_card', { type: 'checkbox' })}
      />
      <Fieldset legend="Prices at Stripe">
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {INTERVALS.map(([interval, label]) => (
            <TextInput
              key={interval}
              label={label}
              placeholder="price_…"
              {...form.getInputProps(interval)}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    </EditForm>
  );
}
