import { Button, NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Tagged } from '../../api/client.ts';
import { taggedSettingsQuery } from '../../api/queries.ts';
import type { ConsentSettings, Settings } from '../../api/types.ts';
import { Allowed, ReadOnlyNotice, useCan } from '../../components/access.tsx';
import { showFieldErrors } from '../../components/form.tsx';
import { toLabel } from '../../components/format.ts';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { useSettingsForm } from '../../components/settings-form.tsx';
import { QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/table.tsx';
import { AskAgain } from './ask-again.tsx';
import { Categories } from './categories.tsx';
import { Languages } from './languages.tsx';
import { mistakeIn, useLead } from './mistakes.ts';
import { BannerPreview } from './preview.tsx';
import { type BannerFields, TextField } from './text-field.tsx';
import { firstLanguage, labelOfSetting, languagesOf, TEXTS } from './wording.ts';

const route = getRouteApi('/app/banner');
const POSITIONS = [
  'bottom',
  'top',
  'bottom-left',
  'bottom-right',
  'top-left',
  'top-right',
  'center',
] as const satisfies ConsentSettings['position'][];
/** Those that have a place of their own. */
const MAIN: readonly string[] = ['title', 'message'];

/** What visitors are asked, beside how it looks to them. */
export function BannerSettings() {
  const settings = useQuery(taggedSettingsQuery);
  return (
    <Page
      title="Banner"
      intro="What visitors are asked. Each change that is saved becomes a version of its own, which records point to."
      actions={
        <>
          <LinkButton variant="default" to="/banner/origins">
            Allowed origins
          </LinkButton>
          <LinkButton variant="default" to="/banner/versions">
            All versions
          </LinkButton>
        </>
      }
    >
      <QueryResult query={settings} lines={10}>
        {(read) => <BannerForm settings={read} />}
      </QueryResult>
    </Page>
  );
}

function BannerForm({ settings }: { settings: Tagged<Settings> }) {
  const { consent } = settings.value;
  const canWrite = useCan('edit_banner_texts');
  const { form, isDirty, isSaving, save, undo, notices } = useSettingsForm({
    section: 'consent',
    settings,
    done: 'Visitors are asked this from now on.',
    labelOf: labelOfSetting,
    onRefused(refused, error) {
      const mistake = mistakeIn(refused.values, error);
      if (!mistake) return showFieldErrors(refused, error);
      refused.setErrors({ [mistake.field]: mistake.reason });
      lead(mistake.language);
    },
    validate: {
      title: (value) => (value.trim() ? null : 'Please say what it is about.'),
      message: (value) => (value.trim() ? null : 'Please say what is asked.'),
      expiry_days: (value) => (Number(value) ? null : 'Please say for how many days.'),
      privacy_url: (value) =>
        /^https?:\/\/\S+$/.test(value) ? null : 'Please give its whole address, with https://.',
      categories: {
        id: (value) => (/^[a-z][a-z0-9_-]{0,63}$/.test(value) ? null : 'Small letters and digits.'),
        label: (value) => (value.trim() ? null : 'Please give it a name.'),
      },
    },
  });
  const { values } = form;
  const change = useUrlState();
  const { language: asked } = route.useSearch();
  const first = firstLanguage(values);
  const language = languagesOf(values).find((tag) => tag === asked) ?? first;
  const onLanguage = (tag: string) => change({ language: tag === first ? undefined : tag });
  const { form: place, lead } = useLead(language, onLanguage);
  return (
    <div className="form-preview">
      <form
        ref={place}
        className="stack"
        noValidate
        onSubmit={form.onSubmit(
          (sound) => save(sound),
          () => lead(first),
        )}
      >
        <ReadOnlyNotice needs="edit_banner_texts" />
        {canWrite && (
          <ReadOnlyNotice>
            You can change texts and translations. Administrators can change everything else.
          </ReadOnlyNotice>
        )}
        {notices}
        <Languages {...{ form, language, onLanguage }} />
        <fieldset className="card stack">
          <legend>The banner</legend>
          {language === first && <Behaviour form={form} />}
          <fieldset className="bare stack" disabled={!canWrite}>
            <TextField {...{ form, language }} name="title" label="Title" />
            <TextField {...{ form, language }} name="message" label="Message" isLong />
          </fieldset>
        </fieldset>
        <Categories {...{ form, language }} saved={consent.categories} />
        {language === first && <AskAgain form={form} />}
        <fieldset className="card stack" disabled={!canWrite}>
          <legend>Other words</legend>
          <div className="columns tight">
            {TEXTS.filter(([name]) => !MAIN.includes(name)).map(([name, label]) => (
              <TextField
                key={name}
                {...{ form, language, name, label }}
                {...(name === 'placeholder_text' && {
                  description: '{host} stands for whose it is',
                })}
              />
            ))}
          </div>
        </fieldset>
        <Allowed needs="edit_banner_texts">
          <div className="save-bar">
            <Button type="submit" loading={isSaving} disabled={!isDirty}>
              Save and ask this
            </Button>
            {isDirty && (
              <Button variant="subtle" onClick={undo}>
                Undo changes
              </Button>
            )}
          </div>
        </Allowed>
      </form>
      <div className="beside">
        <BannerPreview consent={values} language={language} onLanguage={onLanguage} />
      </div>
    </div>
  );
}

/** What is the same in every language. */
function Behaviour({ form }: { form: BannerFields }) {
  return (
    <fieldset className="bare stack" disabled={!useCan('manage_options')}>
      <Switch
        label="Ask visitors"
        description="Off: no banner, and what waits for consent stays blocked"
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <div className="columns tight">
        <NativeSelect
          label="Position"
          data={POSITIONS.map((value) => ({ value, label: toLabel(value.replace('-', ' ')) }))}
          {...form.getInputProps('position')}
        />
        <NumberInput
          label="A choice holds, in days"
          min={1}
          max={3_650}
          {...form.getInputProps('expiry_days')}
        />
      </div>
      <TextInput label="Privacy policy" type="url" {...form.getInputProps('privacy_url')} />
    </fieldset>
  );
}
