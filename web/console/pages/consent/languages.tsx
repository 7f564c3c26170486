import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconLanguage } from '@tabler/icons-react';
import { Allowed } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/form.tsx';
import { formatCount } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import {
  getFirstLanguage,
  getLanguageName,
  getTranslation,
  listLanguages,
  listMissingTexts,
  listUntranslatedCategories,
  type Translation,
} from './banner-texts.ts';
import { withKnownCategories, withTranslation } from './edit-translation.ts';
import { NewLanguage } from './new-language.tsx';
import type { BannerFields } from './text-field.tsx';

/** Chooses the language of the texts, shows missing translations, and adds and removes languages. */
export function Languages({
  form,
  language,
  onLanguage,
}: {
  form: BannerFields;
  language: string;
  onLanguage: (language: string) => void;
}) {
  const { values } = form;
  const first = getFirstLanguage(values);
  const languages = listLanguages(values);
  const missing = listMissingTexts(values, language);
  const translation = getTranslation(values, language);
  const ownCategories = translation.title ? listUntranslatedCategories(values, language) : [];
  return (
    <Section title="Languages">
      <Text size="sm" c="dimmed">
        Visitors see the language of the page (<code>lang</code>). On pages in other languages, they
        see {getLanguageName(first)}.
      </Text>
      <Group gap="xs" role="group" aria-label="Language of the texts">
        {languages.map((tag) => {
          const lacks = listMissingTexts(values, tag).length;
          return (
            <Button
              key={tag}
              size="sm"
              variant={tag === language ? 'light' : 'default'}
              styles={{ section: { flexShrink: 0 } }}
              aria-pressed={tag === language}
              onClick={() => onLanguage(tag)}
              rightSection={
                tag === first ? (
                  <StatusBadge>Original</StatusBadge>
                ) : (
                  <TranslationStatus missing={lacks} translation={getTranslation(values, tag)} />
                )
              }
            >
              {getLanguageName(tag)}
            </Button>
          );
        })}
      </Group>
      {language !== first && translation.needs_review && (
        <ReviewNotice
          language={language}
          onReviewed={() => {
            const { needs_review: _, ...reviewed } = translation;
            form.setFieldValue('translations', withTranslation(values.translations, reviewed));
          }}
        />
      )}
      {language !== first && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {missing.length > 0
              ? `${formatCount(missing.length, 'text')} missing. Visitors see these texts in ${getLanguageName(first)}.`
              : `All texts are translated into ${getLanguageName(language)}.`}
            {ownCategories.length > 0 &&
              ` Pavis has no texts for categories that you added: ${ownCategories.join(', ')}.`}
          </Text>
          <ConfirmButton
            needs="edit_banner_texts"
            title={`Remove ${getLanguageName(language)}?`}
            text="Its texts are deleted when you publish. Published versions keep them."
            confirm="Remove"
            onConfirm={() => {
              onLanguage(first);
              form.setValues({
                languages: values.languages.filter((tag) => tag !== language),
                translations: values.translations.filter((each) => each.language !== language),
              });
            }}
            button={(open) => (
              <Button variant="subtle" color="red" onClick={open}>
                Remove {getLanguageName(language)}
              </Button>
            )}
          />
        </Group>
      )}
      <Allowed needs="edit_banner_texts">
        <NewLanguage
          taken={languages}
          first={first}
          onAdd={(translation) => {
            const added = withKnownCategories(translation, values);
            form.setValues({
              languages: [...new Set([first, ...values.languages, added.language])],
              ...(added.title && { translations: withTranslation(values.translations, added) }),
            });
            onLanguage(added.language);
          }}
        />
      </Allowed>
    </Section>
  );
}

function TranslationStatus({
  missing,
  translation,
}: {
  missing: number;
  translation: Translation;
}) {
  if (translation.needs_review) return <StatusBadge tone="warn">Needs review</StatusBadge>;
  if (missing > 0) return <StatusBadge tone="warn">{missing} missing</StatusBadge>;
  return <StatusBadge tone="good">Complete</StatusBadge>;
}

function ReviewNotice({ language, onReviewed }: { language: string; onReviewed: () => void }) {
  const name = getLanguageName(language);
  return (
    <Alert
      color="yellow"
      icon={<IconLanguage aria-hidden />}
      title="Machine-translated, please review"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          Pavis translated its default texts, not your changes to them. Have a person who knows{' '}
          {name} compare each text with the original above it. Visitors see the texts once you
          publish them.
        </Text>
        <Allowed needs="edit_banner_texts">
          <Button size="sm" variant="default" onClick={onReviewed}>
            Mark as reviewed
          </Button>
        </Allowed>
      </Stack>
    </Alert>
  );
}
