import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { Allowed } from '../../components/access.tsx';
import { StatusBadge } from '../../components/badges.tsx';
import { ConfirmButton } from '../../components/form.tsx';
import { formatCount } from '../../components/format.ts';
import { Section } from '../../components/section.tsx';
import {
  getFirstLanguage,
  getLanguageName,
  listLanguages,
  listMissingTexts,
} from './banner-texts.ts';
import type { BannerFields } from './text-field.tsx';

/** Languages to choose from; the API accepts any tag. */
const KNOWN =
  'ar bg bs ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko lb lt lv mk mt nb nl nn pl pt pt-BR ro ru sk sl sq sr sv th tr uk ur vi zh zh-TW'.split(
    ' ',
  );

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
  return (
    <Section title="Languages">
      <Group gap="xs" role="group" aria-label="Language of the texts">
        {languages.map((tag) => {
          const lacks = listMissingTexts(values, tag).length;
          return (
            <Button
              key={tag}
              size="sm"
              variant={tag === language ? 'light' : 'default'}
              aria-pressed={tag === language}
              onClick={() => onLanguage(tag)}
              rightSection={
                tag === first ? (
                  <StatusBadge>Original</StatusBadge>
                ) : (
                  <StatusBadge tone={lacks > 0 ? 'warn' : 'good'}>
                    {lacks > 0 ? `${lacks} missing` : 'Complete'}
                  </StatusBadge>
                )
              }
            >
              {getLanguageName(tag)}
            </Button>
          );
        })}
      </Group>
      {language !== first && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed" role="status">
            {missing.length > 0
              ? `${formatCount(missing.length, 'text')} missing. Visitors see these texts in ${getLanguageName(first)}.`
              : `All texts are translated into ${getLanguageName(language)}.`}
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
          onAdd={(tag) => {
            form.setFieldValue('languages', [...new Set([first, ...values.languages, tag])]);
            onLanguage(tag);
          }}
        />
      </Allowed>
    </Section>
  );
}

function NewLanguage({
  taken,
  onAdd,
}: {
  taken: readonly string[];
  onAdd: (language: string) => void;
}) {
  const [chosen, setChosen] = useState('');
  const options = KNOWN.filter((tag) => !taken.includes(tag))
    .map((tag) => ({ value: tag, label: getLanguageName(tag) }))
    .sort((one, other) => one.label.localeCompare(other.label));
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label="Add a language"
        value={chosen}
        data={[{ value: '', label: 'Select a language' }, ...options]}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={!chosen}
        onClick={() => {
          onAdd(chosen);
          setChosen('');
        }}
      >
        Add
      </Button>
    </Group>
  );
}
