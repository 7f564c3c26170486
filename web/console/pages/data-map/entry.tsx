import { Alert, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { getRecord, putChanged, write } from '../../api/client.ts';
import { vendorNamesQuery } from '../../api/queries.ts';
import type { Entry, Vendor } from '../../api/types.ts';
import { EditForm, type Saving, useRemoval } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { QueryResult } from '../../components/states.tsx';
import { TagsField } from '../../components/tags-field.tsx';
import { listMissing } from './completeness.tsx';
import { type Fields, fromLines, NO_ARTICLE_30, toBody } from './entry-fields.ts';
import { LEGAL_BASIS_OPTIONS } from './legal-bases.ts';
import { suggestionsQuery } from './queries.ts';

const BACK = { to: '/data-map', label: 'Data map' } as const;
const STALE = [['data-map'], ['entry'], ['results']];

const newRoute = getRouteApi('/app/data-map/new');

export function NewEntry() {
  const { vendor } = newRoute.useSearch();
  const navigate = useNavigate();
  const vendors = useQuery(vendorNamesQuery);
  return (
    <Page
      title="New entry"
      intro="Record one purpose for which a vendor processes personal data."
      back={BACK}
    >
      <QueryResult query={vendors} lines={10}>
        {(all) => {
          const chosen = all.find(({ id }) => String(id) === vendor);
          return (
            <EntryForm
              vendors={all}
              initial={{
                vendor_id: vendor ?? '',
                purpose: chosen?.purpose ?? '',
                legal_basis: 'consent',
                data_categories: chosen?.data_categories ?? [],
                retention_period: chosen?.default_retention ?? '',
                status: 'active',
                ...NO_ARTICLE_30,
              }}
              save="Add entry"
              send={(fields) => write<Entry>('POST', '/data-map', toBody(fields))}
              done="The entry was added."
              onDone={({ id }) => navigate({ to: '/data-map/$id', params: { id: String(id) } })}
            />
          );
        }}
      </QueryResult>
    </Page>
  );
}

const route = getRouteApi('/app/data-map/$id');

export function EntryScreen() {
  const { id } = route.useParams();
  const vendors = useQuery(vendorNamesQuery);
  const entry = useQuery({
    queryKey: ['entry', id],
    queryFn: () => getRecord<Entry>(`/data-map/${id}`),
  });
  const removal = useRemoval({
    path: `/data-map/${id}`,
    noun: 'entry',
    stale: [['data-map'], ['results']],
    to: BACK.to,
  });
  return (
    <Page title={entry.data?.vendor_name ?? 'Entry'} intro={entry.data?.purpose} back={BACK}>
      <QueryResult query={entry} lines={10}>
        {(data) => (
          <Stack>
            {data.missing.length > 0 && (
              <Alert color="yellow" maw="44rem" title="This entry is incomplete (GDPR Art. 30)">
                Missing: {listMissing(data)}.
              </Alert>
            )}
            <EntryForm
              key={data.id}
              vendors={vendors.data ?? [{ id: data.vendor_id, name: data.vendor_name }]}
              initial={{
                vendor_id: String(data.vendor_id),
                purpose: data.purpose,
                legal_basis: data.legal_basis,
                data_categories: data.data_categories,
                retention_period: data.retention_period,
                status: data.status,
                data_subjects: fromLines(data.data_subjects),
                recipients: fromLines(data.recipients),
                third_countries: fromLines(data.third_countries),
                safeguards: fromLines(data.safeguards),
                security_measures: data.security_measures ?? '',
                controller: data.controller ?? '',
                data_source: data.data_source ?? '',
                automated_decisions: data.automated_decisions ?? '',
                review_date: data.review_date ?? '',
              }}
              etag={data.etag}
              send={(fields, pickChanged, tag) =>
                putChanged<Entry>(`/data-map/${id}`, pickChanged(toBody(fields)), data, tag)
              }
              remove={removal(`the entry of ${data.vendor_name}`)}
            />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

function EntryForm({
  vendors,
  ...saving
}: Saving<Fields, Entry> & { vendors: readonly Pick<Vendor, 'id' | 'name'>[] }) {
  const { data: suggestions } = useQuery(suggestionsQuery);
  const countries =
    suggestions?.countries.filter(({ status }) => status !== 'eea').map(({ name }) => name) ?? [];
  const form = useForm<Fields>({
    initialValues: saving.initial,
    validate: {
      vendor_id: (value) => (value ? null : 'Select a vendor.'),
      purpose: (value) => (value.trim() ? null : 'Enter a purpose.'),
    },
  });
  return (
    <EditForm {...saving} form={form} stale={STALE}>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NativeSelect
          label="Vendor"
          {...REQUIRED}
          data={[
            { value: '', label: 'Select a vendor' },
            ...vendors.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          {...form.getInputProps('vendor_id')}
        />
        <NativeSelect
          label="Legal basis"
          data={LEGAL_BASIS_OPTIONS}
          {...form.getInputProps('legal_basis')}
        />
      </SimpleGrid>
      <Textarea label="Purpose" {...REQUIRED} minRows={2} {...form.getInputProps('purpose')} />
      <TagsField
        label="Data categories"
        data={suggestions?.data_categories}
        {...form.getInputProps('data_categories')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Retention period"
          placeholder="14 months"
          {...form.getInputProps('retention_period')}
        />
        <TextInput label="Review date" type="date" {...form.getInputProps('review_date')} />
      </SimpleGrid>
      <TagsField
        label="Data subjects"
        data={suggestions?.data_subjects ?? []}
        {...form.getInputProps('data_subjects')}
      />
      <TagsField
        label="Other recipients"
        data={suggestions?.recipients ?? []}
        {...form.getInputProps('recipients')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TagsField
          label="Third-country transfers"
          description="Countries outside the EEA and international organisations, or None"
          data={['None', ...countries, ...(suggestions?.organisations ?? [])]}
          {...form.getInputProps('third_countries')}
        />
        <TagsField
          label="Safeguards"
          description="For countries without an adequacy decision (Art. 46)"
          data={suggestions?.safeguards.map(({ article, label }) => `${label}, ${article}`)}
          {...form.getInputProps('safeguards')}
        />
      </SimpleGrid>
      <Textarea
        label="Security measures"
        minRows={2}
        {...form.getInputProps('security_measures')}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Textarea
          label="Controller and data protection officer"
          {...form.getInputProps('controller')}
        />
        <Textarea label="Source of the data" {...form.getInputProps('data_source')} />
      </SimpleGrid>
      <Textarea
        label="Automated decisions, including profiling"
        {...form.getInputProps('automated_decisions')}
      />
      <NativeSelect
        label="Status"
        data={[
          { value: 'active', label: 'Active' },
          { value: 'archived', label: 'Archived: kept as evidence' },
        ]}
        {...form.getInputProps('status')}
      />
    </EditForm>
  );
}
