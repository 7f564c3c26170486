import {
  Button,
  Card,
  Fieldset,
  Grid,
  Group,
  SimpleGrid,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Tagged } from '../../api/client.ts';
import { taggedSettingsQuery } from '../../api/queries.ts';
import type { Settings } from '../../api/types.ts';
import { Allowed, ReadOnlyNotice, useCan } from '../../components/access.tsx';
import { getBannerSnippet } from '../../components/banner-snippet.ts';
import { CopyField } from '../../components/copy-field.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { showFieldErrors } from '../../components/form.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { Page } from '../../components/page.tsx';
import { FieldsetCard } from '../../components/section.tsx';
import { useSettingsForm } from '../../components/settings-form.tsx';
import { QueryResult } from '../../components/states.tsx';
import { useUrlState } from '../../components/url-state.ts';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { isWithin } from '../../components/within.ts';
import { AskAgain } from './ask-again.tsx';
import {
  getFirstLanguage,
  getLanguageName,
  listLanguages,
  TEXTS,
  type TextName,
} from './banner-texts.ts';
import { Categories } from './categories.tsx';
import { findFieldError, useFocusInvalidField } from './field-errors.ts';
import { Languages } from './languages.tsx';
import { BannerPreview } from './preview.tsx';
import { RulesByCountry } from './regimes.tsx';
import { getSettingLabel } from './setting-labels.ts';
import { SharedChoices } from './shared-choices.tsx';
import { Signals } from './signals.tsx';
import { findRadiusProblem } from './studio/appearance.ts';
import { COLOR_RULES } from './studio/color-field.tsx';
import { LOGO_RULES } from './studio/logo.tsx';
import { Look } from './studio/look.tsx';
import { type BannerFields, TextField } from './text-field.tsx';
import { VendorChoices } from './vendor-choices.tsx';

const route = getRouteApi('/app/banner');
/** Fields side by side where there is room. */
const PAIRS = { type: 'container', cols: { base: 1, '27rem': 2 } } as const;
/** Texts with a place of their own in the form. */
const MAIN: readonly string[] = ['title', 'message'];
/** Texts that few owners change: those of details, and of the rules of some countries. */
const RARE: readonly string[] = [
  'receipt_text',
  'required_text',
  'always_text',
  'privacy_text',
  'consent_id_text',
  'consent_id_help_text',
  'withdraw_text',
  'vendors_text',
  'session_text',
  'until_deleted_text',
  'typical_text',
  'always_vendor_text',
  'shared_text',
  'opt_out_message',
  'opt_out_text',
  'opted_out_text',
  'own_use_text',
];
const DESCRIPTIONS: Partial<Record<TextName, string>> = {
  placeholder_text: '{host} is replaced with the domain of the content',
  own_use_text: '{categories} is replaced with the names of the categories',
};

/** The settings and texts of the banner beside a live preview. */
export function BannerSettings() {
  const settings = useQuery(taggedSettingsQuery);
  return (
    <Page
      title="Banner"
      intro="Every published change creates a version. Consent records link to it."
      actions={
        <>
          <LinkButton variant="default" to="/banner/import">
            Import from another banner
          </LinkButton>
          <LinkButton variant="default" to="/banner/origins">
            Allowed origins
          </LinkButton>
          <LinkButton variant="default" to="/banner/versions">
            Version history
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
    done: 'Published. Visitors see this version from now on.',
    getLabel: getSettingLabel,
    onRefused(refused, error) {
      const fieldError = findFieldError(refused.values, error);
      if (!fieldError) return showFieldErrors(refused, error);
      refused.setErrors({ [fieldError.field]: fieldError.reason });
      lead(fieldError.language, error);
    },
    validate: {
      title: (value) => (value.trim() ? null : 'Enter a title.'),
      message: (value) => (value.trim() ? null : 'Enter a message.'),
      expiry_days: isWithin(1, 3_650),
      refused_until_days: isWithin(1, 400),
      privacy_url: (value) =>
        /^https?:\/\/\S+$/.test(value) ? null : 'Enter the full URL, with https://.',
      appearance: { colors: COLOR_RULES, radius: findRadiusProblem, logo: LOGO_RULES },
      categories: {
        id: (value) =>
          /^[a-z][a-z0-9_-]{0,63}$/.test(value)
            ? null
            : 'Use lowercase letters, digits, - and _. Start with a letter.',
        label: (value) => (value.trim() ? null : 'Enter a name.'),
      },
    },
  });
  const { values } = form;
  const change = useUrlState();
  const { language: asked } = route.useSearch();
  const first = getFirstLanguage(values);
  const language = listLanguages(values).find((tag) => tag === asked) ?? first;
  const onLanguage = (tag: string) => change({ language: tag === first ? undefined : tag });
  const { form: place, lead } = useFocusInvalidField(language, onLanguage);
  const hasRareError = Object.keys(form.errors).some((field) =>
    RARE.includes(field.split('.').at(-1) ?? ''),
  );
  const toField = ([name, label]: (typeof TEXTS)[number]) => (
    <TextField key={name} {...{ form, language, name, label }} description={DESCRIPTIONS[name]} />
  );
  return (
    <Grid gap="lg" align="flex-start">
      <Grid.Col span={{ base: 12, lg: 5.5 }}>
        <form
          ref={place}
          noValidate
          onSubmit={form.onSubmit(
            (sound) => save(sound),
            () => lead(first),
          )}
        >
          <Stack gap="lg">
            <ReadOnlyNotice needs="edit_banner_texts" />
            {canWrite && (
              <ReadOnlyNotice>
                You can change texts and translations. Administrators can change everything else.
              </ReadOnlyNotice>
            )}
            {notices}
            <Languages {...{ form, language, onLanguage }} />
            <FieldsetCard title="Banner">
              {language === first && <Behaviour form={form} />}
              <Fieldset variant="unstyled" disabled={!canWrite}>
                <Stack>
                  <TextField {...{ form, language }} name="title" label="Title" />
                  <TextField {...{ form, language }} name="message" label="Message" isLong />
                </Stack>
              </Fieldset>
            </FieldsetCard>
            {language === first && <Look form={form} />}
            <Categories {...{ form, language }} saved={consent.categories} />
            {language === first && <AskAgain form={form} />}
            {language === first && <VendorChoices form={form} />}
            {language === first && <SharedChoices form={form} saved={consent.shared_choices} />}
            {language === first && <Signals form={form} />}
            {language === first && <RulesByCountry form={form} />}
            <FieldsetCard title="Button labels and texts" disabled={!canWrite}>
              <SimpleGrid {...PAIRS}>
                {TEXTS.filter(([name]) => ![...MAIN, ...RARE].includes(name)).map(toField)}
              </SimpleGrid>
              <Disclosure summary="More texts" isOpen={hasRareError}>
                <SimpleGrid {...PAIRS}>
                  {TEXTS.filter(([name]) => RARE.includes(name)).map(toField)}
                </SimpleGrid>
              </Disclosure>
            </FieldsetCard>
            <Allowed needs="edit_banner_texts">
              <Group
                gap="sm"
                py="sm"
                pos="sticky"
                bottom={0}
                bg="var(--paper)"
                style={{ borderTop: '1px solid var(--line)', zIndex: 2 }}
              >
                <Button type="submit" loading={isSaving} disabled={!isDirty}>
                  Publish
                </Button>
                {isDirty && (
                  <Button variant="subtle" onClick={undo}>
                    Discard changes
                  </Button>
                )}
              </Group>
            </Allowed>
          </Stack>
        </form>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 6.5 }} pos={{ lg: 'sticky' }} top={0}>
        <Stack gap="lg">
          <BannerPreview consent={values} language={language} onLanguage={onLanguage} />
          <Allowed needs="edit_banner_texts">
            <Card>
              <CopyField
                label="Banner snippet"
                description={
                  language === first
                    ? 'Add this as the first script of each page.'
                    : `Add this as the first script of each page in ${getLanguageName(language)}.`
                }
                value={getBannerSnippet(language === first ? undefined : language)}
              />
            </Card>
          </Allowed>
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** Settings that apply to every language. */
function Behaviour({ form }: { form: BannerFields }) {
  return (
    <Fieldset variant="unstyled" disabled={!useCan('manage_options')}>
      <Stack>
        <Switch
          label="Show consent banner"
          description="When off, visitors see no banner and resources that need consent stay blocked"
          {...form.getInputProps('enabled', { type: 'checkbox' })}
        />
        <SimpleGrid {...PAIRS}>
          <WholeNumberInput
            label="Consent lifetime (days)"
            {...form.getInputProps('expiry_days')}
          />
          <TextInput label="Privacy policy" type="url" {...form.getInputProps('privacy_url')} />
        </SimpleGrid>
      </Stack>
    </Fieldset>
  );
}
