import { NativeSelect, SimpleGrid, Switch, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { getRecord, putChanged, write } from '../../api/client.ts';
import { settingsQuery } from '../../api/queries.ts';
import type { Script } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { proposeCategory, toCategoryOptions } from '../../components/categories.ts';
import { EditForm, type Saving, useRemoval } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { REQUIRED } from '../../components/required.ts';
import { toSlug, validateSlug } from '../../components/slug.ts';
import { QueryResult } from '../../components/states.tsx';
import { isMethod, METHODS } from './methods.ts';
import { SnippetCard } from './snippet.tsx';

const BACK = { to: '/scripts', label: 'Scripts' } as const;

type Fields = Omit<Script, 'id' | 'is_active' | 'source' | 'created_at' | 'updated_at'> & {
  is_active: boolean;
};

const toFields = ({
  id,
  source,
  created_at,
  updated_at,
  etag,
  ...fields
}: Script & { etag: string }): Fields => ({
  ...fields,
  is_active: fields.is_active === 1,
});

const newRoute = getRouteApi('/app/scripts/new');

export function NewScript() {
  const { url = '', label = '', category = 'analytics', method } = newRoute.useSearch();
  const settings = useQuery(settingsQuery);
  const blocking_method = isMethod(method) ? method : 'dynamic_load';
  const navigate = useNavigate();
  return (
    <Page
      title="New script"
      intro={
        url
          ? 'Found by a scan. After you add it, you get the snippet that replaces its tag in the page.'
          : 'A script that loads only after the visitor accepts its consent category.'
      }
      back={BACK}
    >
      <QueryResult query={settings}>
        {({ consent }) => (
          <ScriptForm
            isNew
            initial={{
              ...{ label, handle: toSlug(label), script_url: url, blocking_method },
              category: proposeCategory(consent.categories, category),
              is_active: true,
            }}
            save="Add script"
            send={(fields) => write<Script>('POST', '/scripts', fields)}
            done="The script was added."
            onDone={({ id }) => navigate({ to: '/scripts/$id', params: { id: String(id) } })}
          />
        )}
      </QueryResult>
    </Page>
  );
}

const route = getRouteApi('/app/scripts/$id');

export function ScriptScreen() {
  const { id } = route.useParams();
  const script = useQuery({
    queryKey: ['script', id],
    queryFn: () => getRecord<Script>(`/scripts/${id}`),
  });
  const removal = useRemoval({
    path: `/scripts/${id}`,
    noun: 'script',
    stale: [['scripts']],
    to: BACK.to,
  });
  return (
    <Page title={script.data?.label ?? 'Script'} back={BACK}>
      <QueryResult query={script}>
        {(data) => (
          <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
            <SnippetCard script={data} />
            <ScriptForm
              key={data.id}
              isReadOnly={data.source === 'extension'}
              initial={toFields(data)}
              etag={data.etag}
              send={(fields, pickChanged, tag) =>
                putChanged<Script>(`/scripts/${id}`, pickChanged(fields), data, tag)
              }
              remove={data.source === 'custom' ? removal(data.label) : undefined}
            />
          </SimpleGrid>
        )}
      </QueryResult>
    </Page>
  );
}

function ScriptForm({
  isNew,
  isReadOnly = false,
  ...saving
}: Saving<Fields, Script> & { isNew?: boolean; isReadOnly?: boolean }) {
  const form = useForm<Fields>({
    initialValues: saving.initial,
    validate: {
      label: (value) => (value.trim() ? null : 'Enter a label.'),
      handle: validateSlug,
      script_url: (value) =>
        /^https?:\/\/\S+$/.test(value) ? null : 'Enter an http or https URL.',
    },
  });
  const settings = useQuery(settingsQuery);
  return (
    <EditForm {...saving} form={form} stale={[['scripts'], ['script']]} isReadOnly={isReadOnly}>
      {isReadOnly && (
        <Text component="div" c="dimmed">
          <StatusBadge>From an extension</StatusBadge> Provided by an extension. Change it there.
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          label="Label"
          {...REQUIRED}
          {...form.getInputProps('label')}
          onChange={({ currentTarget: { value } }) => {
            if (isNew && form.values.handle === toSlug(form.values.label)) {
              form.setFieldValue('handle', toSlug(value));
            }
            form.setFieldValue('label', value);
          }}
        />
        <TextInput label="Handle" {...REQUIRED} {...form.getInputProps('handle')} />
      </SimpleGrid>
      <TextInput label="URL" type="url" {...REQUIRED} {...form.getInputProps('script_url')} />
      <NativeSelect
        label="Consent category"
        data={toCategoryOptions(settings.data?.consent.categories, [saving.initial.category])}
        {...form.getInputProps('category')}
      />
      <NativeSelect
        label="Blocking method"
        data={Object.entries(METHODS).map(([value, [what, how]]) => ({
          value,
          label: `${what}: ${how}`,
        }))}
        {...form.getInputProps('blocking_method')}
      />
      <Switch
        label="Active"
        description="Inactive scripts are ignored by the banner"
        {...form.getInputProps('is_active', { type: 'checkbox' })}
      />
    </EditForm>
  );
}
