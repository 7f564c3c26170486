import {
  Button,
  Checkbox,
  NativeSelect,
  NumberInput,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { write } from '../../api/client.ts';
import { queryClient, settingsQuery } from '../../api/queries.ts';
import type { ConsentSettings, Settings } from '../../api/types.ts';
import { showRefusal, useChange } from '../../parts/form.tsx';
import { words } from '../../parts/format.ts';
import { LinkButton } from '../../parts/link-button.tsx';
import { Page } from '../../parts/page.tsx';
import { Shown } from '../../parts/states.tsx';
import { BannerPreview } from './preview.tsx';

const POSITIONS = [
  'bottom',
  'top',
  'bottom-left',
  'bottom-right',
  'top-left',
  'top-right',
  'center',
] as const satisfies ConsentSettings['position'][];

const TEXTS = [
  ['accept_text', 'Accept'],
  ['reject_text', 'Reject'],
  ['manage_text', 'Choose'],
  ['save_text', 'Save the choice'],
  ['privacy_text', 'Link to the policy'],
  ['reopen_text', 'Back to the choice'],
  ['required_text', 'Beside what is always on'],
  ['load_text', 'Load this content'],
] as const satisfies [keyof ConsentSettings, string][];

/** What visitors are asked, with a picture of it beside. */
export function BannerSettings() {
  const settings = useQuery(settingsQuery);
  return (
    <Page
      title="Banner"
      intro="What visitors are asked. Each change that is saved becomes a version of its own, which records point to."
      actions={
        <LinkButton variant="default" to="/banner/versions">
          All versions
        </LinkButton>
      }
    >
      <Shown query={settings} lines={10}>
        {({ consent }) => <BannerForm consent={consent} />}
      </Shown>
    </Page>
  );
}

function BannerForm({ consent }: { consent: ConsentSettings }) {
  const form = useForm({
    initialValues: consent,
    validate: {
      title: (value) => (value.trim() ? null : 'Please say what it is about.'),
      message: (value) => (value.trim() ? null : 'Please say what is asked.'),
      categories: {
        id: (value) => (/^[a-z][a-z0-9_-]{0,63}$/.test(value) ? null : 'Small letters and digits.'),
        label: (value) => (value.trim() ? null : 'Please give it a name.'),
      },
    },
  });
  const saving = useChange({
    change: (values: ConsentSettings) => write<Settings>('PUT', '/settings', { consent: values }),
    stale: [['consent-versions']],
    done: 'Visitors are asked this from now on.',
    onDone(settings) {
      queryClient.setQueryData(settingsQuery.queryKey, settings);
      form.setInitialValues(settings.consent);
      form.setValues(settings.consent);
      form.resetDirty();
    },
    onFailed: (error) => showRefusal(form, error),
  });
  const { categories } = form.values;
  return (
    <div className="wide-narrow">
      <form
        className="stack"
        noValidate
        onSubmit={form.onSubmit((values) => saving.mutate(values))}
      >
        <div className="card fields">
          <fieldset className="stack">
            <legend>The banner</legend>
            <Switch
              label="Ask visitors"
              description="Off: no banner, and what waits for consent stays blocked"
              {...form.getInputProps('enabled', { type: 'checkbox' })}
            />
            <div className="columns tight">
              <NativeSelect
                label="Position"
                data={POSITIONS.map((value) => ({
                  value,
                  label: words(value.replace('-', ' ')),
                }))}
                {...form.getInputProps('position')}
              />
              <NumberInput
                label="A choice holds, in days"
                min={1}
                max={3_650}
                {...form.getInputProps('expiry_days')}
              />
            </div>
            <TextInput label="Title" {...form.getInputProps('title')} />
            <Textarea label="Message" autosize minRows={3} {...form.getInputProps('message')} />
            <TextInput label="Privacy policy" type="url" {...form.getInputProps('privacy_url')} />
          </fieldset>
        </div>
        <div className="card">
          <fieldset className="stack">
            <legend>Categories</legend>
            {categories.map((category, index) => (
              // A category's id may be typed anew: its place is what stays.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <div className="category" key={index}>
                <div className="columns tight">
                  <TextInput
                    label={`Name of category ${index + 1}`}
                    {...form.getInputProps(`categories.${index}.label`)}
                  />
                  <TextInput
                    label="Id"
                    aria-label={`Id of category ${index + 1}`}
                    readOnly={consent.categories.some(({ id }) => id === category.id)}
                    {...form.getInputProps(`categories.${index}.id`)}
                  />
                </div>
                <Textarea
                  label="What it is for"
                  aria-label={`What it is for: category ${index + 1}`}
                  autosize
                  {...form.getInputProps(`categories.${index}.description`)}
                />
                <div className="row" style={{ justifyContent: 'space-between' }}>
                  <Checkbox
                    label="Always on, not asked"
                    {...form.getInputProps(`categories.${index}.required`, { type: 'checkbox' })}
                  />
                  <Button
                    variant="subtle"
                    color="red"
                    size="compact-sm"
                    aria-label={`Take out ${category.label}`}
                    onClick={() => form.removeListItem('categories', index)}
                  >
                    Take out
                  </Button>
                </div>
              </div>
            ))}
            <div>
              <Button
                variant="default"
                onClick={() =>
                  form.insertListItem('categories', {
                    id: '',
                    label: '',
                    description: '',
                    required: false,
                  })
                }
              >
                Add a category
              </Button>
            </div>
          </fieldset>
        </div>
        <div className="card">
          <fieldset>
            <legend>Other words</legend>
            <div className="columns tight">
              {TEXTS.map(([name, label]) => (
                <TextInput key={name} label={label} {...form.getInputProps(name)} />
              ))}
            </div>
            <TextInput
              mt="md"
              label="In place of content that waits"
              description="{host} stands for whose it is"
              {...form.getInputProps('placeholder_text')}
            />
          </fieldset>
        </div>
        <div className="save-bar">
          <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
            Save and ask this
          </Button>
          {form.isDirty() && (
            <Button variant="subtle" onClick={() => form.reset()}>
              Undo changes
            </Button>
          )}
        </div>
      </form>
      <div className="beside">
        <BannerPreview consent={form.values} />
      </div>
    </div>
  );
}
