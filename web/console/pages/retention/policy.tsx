import { Group, NativeSelect, Progress, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { putChanged, write } from '../../api/client.ts';
import { Facts } from '../../components/facts.tsx';
import { EditForm, type Saving, useRemoval } from '../../components/form.tsx';
import { formatCount, formatMoment, formatNumber, toLabel } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { isWithin } from '../../components/within.ts';
import { NoRetention } from './no-retention.tsx';
import {
  categoriesQuery,
  type Policy,
  type Preview,
  policyQuery,
  previewQuery,
} from './queries.ts';

const BACK = { to: '/retention', label: 'Retention' } as const;

type Fields = Omit<Policy, 'id' | 'is_active' | 'last_run_at' | 'created_at' | 'updated_at'> & {
  is_active: boolean;
};

export function NewPolicy() {
  const navigate = useNavigate();
  return (
    <Page
      title="New policy"
      intro="How long one type of record is kept, and what happens afterwards."
      back={BACK}
    >
      <PolicyForm
        initial={{
          name: '',
          data_category: '',
          period_value: 12,
          period_unit: 'months',
          action: 'anonymise',
          is_active: true,
        }}
        save="Add policy"
        send={(fields) => write<Policy>('POST', '/retention/policies', fields)}
        done="The policy was added."
        onDone={({ id }) => navigate({ to: '/retention/$id', params: { id: String(id) } })}
      />
    </Page>
  );
}

const route = getRouteApi('/app/retention/$id');

export function PolicyScreen() {
  const { id } = route.useParams();
  const policy = useQuery(policyQuery(id));
  const preview = useQuery(previewQuery(id));
  const removal = useRemoval({
    path: `/retention/policies/${id}`,
    noun: 'policy',
    stale: [['policies'], ['retention-changes']],
    to: BACK.to,
  });
  return (
    <Page title={policy.data?.name ?? 'Policy'} back={BACK}>
      <QueryResult query={policy} absent={<NoRetention />}>
        {(data) => (
          <div className="wide-narrow">
            <PolicyForm
              key={data.id}
              initial={{
                name: data.name,
                data_category: data.data_category,
                period_value: data.period_value,
                period_unit: data.period_unit,
                action: data.action,
                is_active: data.is_active === 1,
              }}
              etag={data.etag}
              send={(fields, pickChanged, tag) => {
                const update = toUpdate(fields, pickChanged(fields));
                return putChanged<Policy>(`/retention/policies/${id}`, update, data, tag);
              }}
              remove={removal(data.name)}
            />
            <Section title="Due today">
              <QueryResult query={preview} lines={4}>
                {(due) => <Due preview={due} />}
              </QueryResult>
            </Section>
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

/** The number and the unit that two users have changed must not meet unseen. */
const toUpdate = (
  { period_value, period_unit }: Fields,
  changed: Partial<Fields>,
): Partial<Fields> =>
  'period_value' in changed || 'period_unit' in changed
    ? { ...changed, period_value, period_unit }
    : changed;

function Due({ preview }: { preview: Preview }) {
  if (preview.ages.length === 0)
    return (
      <Text>
        No loaded extension has this type of record. The policy has no effect until one does.
      </Text>
    );
  const most = Math.max(1, ...preview.ages.map(({ records }) => records));
  return (
    <>
      <Facts
        items={[
          ['Records', formatNumber(preview.records_affected)],
          ['On legal hold', formatNumber(preview.records_held)],
          ['Older than', formatMoment(preview.due_before)],
          ['Oldest record', formatMoment(preview.oldest)],
        ]}
      />
      {preview.ages.map(({ from_days, to_days, records }) => (
        <div key={from_days}>
          <Group justify="space-between" mt="sm" mb={4}>
            <Text span size="sm">
              {to_days === null
                ? `over ${formatCount(from_days, 'day')}`
                : `${from_days}–${to_days} days`}
            </Text>
            <span className="number">{formatNumber(records)}</span>
          </Group>
          <Progress value={(100 * records) / most} aria-hidden />
        </div>
      ))}
    </>
  );
}

function PolicyForm(saving: Saving<Fields, Policy>) {
  const form = useForm<Fields>({
    initialValues: saving.initial,
    validate: {
      name: (value) => (value.trim() ? null : 'Enter a name.'),
      data_category: (value) => (value ? null : 'Select a type of record.'),
      period_value: isWithin(1, 36_500),
    },
  });
  const categories = useQuery(categoriesQuery);
  const { data_category } = saving.initial;
  const isKnown = categories.data?.some(({ slug }) => slug === data_category);
  return (
    <EditForm {...saving} form={form} stale={[['policies'], ['policy'], ['retention-changes']]}>
      <TextInput label="Name" {...REQUIRED} {...form.getInputProps('name')} />
      <NativeSelect
        label="Records"
        {...REQUIRED}
        data={[
          { value: '', label: 'Select a type of record' },
          ...(categories.data ?? []).map(({ slug, label }) => ({ value: slug, label })),
          ...(isKnown || !data_category
            ? []
            : [{ value: data_category, label: toLabel(data_category) }]),
        ]}
        {...form.getInputProps('data_category')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <WholeNumberInput
          label="Retention period"
          {...REQUIRED}
          {...form.getInputProps('period_value')}
        />
        <NativeSelect
          label="Unit"
          data={['days', 'months', 'years'].map((value) => ({ value, label: toLabel(value) }))}
          {...form.getInputProps('period_unit')}
        />
      </SimpleGrid>
      <NativeSelect
        label="Action"
        data={[
          {
            value: 'anonymise',
            label: 'Anonymise: remove personal data, keep the rest of the record',
          },
          { value: 'delete', label: 'Delete: remove the whole record' },
        ]}
        {...form.getInputProps('action')}
      />
      <Switch
        label="Active"
        description="Inactive policies are skipped"
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </EditForm>
  );
}
