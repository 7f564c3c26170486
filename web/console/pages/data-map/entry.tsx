import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { get, write } from '../../api/client.ts';
import { vendorNamesQuery } from '../../api/queries.ts';
import type { Entry, EntryCreation, Vendor } from '../../api/types.ts';
import { EditForm, type Saving, useRemoval } from '../../components/form.tsx';
import { fromLines, toLabel, toLines } from '../../components/format.ts';
import { Page } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { LEGAL_BASES } from './legal-bases.ts';

const ARTICLE_30 = [
  ['data_subjects', 'Data subjects'],
  ['recipients', 'Other recipients, one on each line'],
  ['third_countries', 'Transfers to third countries'],
  ['safeguards', 'Safeguards of these transfers'],
  ['security_measures', 'Security measures'],
  ['controller', 'Controller and data protection officer'],
  ['data_source', 'Source of the data'],
  ['automated_decisions', 'Automated decisions, including profiling'],
] as const satisfies [keyof Entry, string][];

const BACK = { to: '/data-map', label: 'Data map' } as const;
const STALE = [['data-map'], ['entry'], ['results']];

type Fields = {
  vendor_id: string;
  purpose: string;
  legal_basis: string;
  data_categories: string;
  retention_period: string;
  status: Entry['status'];
  data_subjects: string;
  recipients: string;
  third_countries: string;
  safeguards: string;
  security_measures: string;
  controller: string;
  data_source: string;
  automated_decisions: string;
  review_date: string;
};

const NO_ARTICLE_30 = {
  data_subjects: '',
  recipients: '',
  third_countries: '',
  safeguards: '',
  security_measures: '',
  controller: '',
  data_source: '',
  automated_decisions: '',
  review_date: '',
};

const toBody = (fields: Fields): EntryCreation => ({
  ...fields,
  vendor_id: Number(fields.vendor_id),
  data_categories: fromLines(fields.data_categories),
  review_date: fields.review_date || null,
});

const newRoute = getRouteApi('/app/data-map/new');

export function NewEntry() {
  const { vendor } = newRoute.useSearch();
  const navigate = useNavigate();
  const vendors = useQuery(vendorNamesQuery);
  return (
    <Page title="New entry" intro="One vendor, one purpose." back={BACK}>
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
                data_categories: toLines(chosen?.data_categories ?? []),
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
  const entry = useQuery({ queryKey: ['entry', id], queryFn: () => get<Entry>(`/data-map/${id}`) });
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
          <EntryForm
            key={data.id}
            vendors={vendors.data ?? [{ id: data.vendor_id, name: data.vendor_name }]}
            initial={{
              vendor_id: String(data.vendor_id),
              purpose: data.purpose,
              legal_basis: data.legal_basis,
              data_categories: toLines(data.data_categories),
              retention_period: data.retention_period,
              status: data.status,
              data_subjects: data.data_subjects ?? '',
              recipients: data.recipients ?? '',
              third_countries: data.third_countries ?? '',
              safeguards: data.safeguards ?? '',
              security_measures: data.security_measures ?? '',
              controller: data.controller ?? '',
              data_source: data.data_source ?? '',
              automated_decisions: data.automated_decisions ?? '',
              review_date: data.review_date ?? '',
            }}
            send={(fields) => write<Entry>('PUT', `/data-map/${id}`, toBody(fields))}
            remove={removal(`the entry of ${data.vendor_name}`)}
          />
        )}
      </QueryResult>
    </Page>
  );
}

function EntryForm({
  vendors,
  ...saving
}: Saving<Fields, Entry> & { vendors: readonly Pick<Vendor, 'id' | 'name'>[] }) {
  const form = useForm<Fields>({
    initialValues: saving.initial,
    validate: {
      vendor_id: (value) => (value ? null : 'Please choose who processes the data.'),
      purpose: (value) => (value.trim() ? null : 'Please say what the data is used for.'),
    },
  });
  return (
    <EditForm {...saving} form={form} stale={STALE}>
      <div className="two">
        <NativeSelect
          label="Vendor"
          required
          data={[
            { value: '', label: 'Choose a vendor' },
            ...vendors.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          {...form.getInputProps('vendor_id')}
        />
        <NativeSelect
          label="Legal basis"
          data={LEGAL_BASES.map((value) => ({ value, label: toLabel(value) }))}
          {...form.getInputProps('legal_basis')}
        />
      </div>
      <Textarea label="Purpose" required autosize minRows={2} {...form.getInputProps('purpose')} />
      <Textarea
        label="Data categories"
        description="One on each line"
        autosize
        minRows={2}
        {...form.getInputProps('data_categories')}
      />
      <div className="two">
        <TextInput
          label="Kept for"
          placeholder="14 months"
          {...form.getInputProps('retention_period')}
        />
        <TextInput label="Look at it again on" type="date" {...form.getInputProps('review_date')} />
      </div>
      <fieldset>
        <legend>Records of processing and access requests (GDPR Art. 30 and 15)</legend>
        <div className="two">
          {ARTICLE_30.map(([name, label]) => (
            <Textarea key={name} label={label} autosize {...form.getInputProps(name)} />
          ))}
        </div>
      </fieldset>
      <NativeSelect
        label="State"
        data={[
          { value: 'active', label: 'Active' },
          { value: 'archived', label: 'Archived: kept for the record' },
        ]}
        {...form.getInputProps('status')}
      />
    </EditForm>
  );
}
