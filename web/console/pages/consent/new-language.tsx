import { Button, type ComboboxItem, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../api/queries.ts';
import type { BannerLanguage } from '../../api/types.ts';
import { notifyError } from '../../components/notify.ts';
import { ErrorState } from '../../components/states.tsx';
import { getLanguageName, type Translation } from './banner-texts.ts';
import { languagesQuery, languageTextsQuery } from './queries.ts';

/** Languages without texts to choose from. Other tags can be typed. */
const OTHERS = 'bs ca cy eu fa gl hi id ko lb mk nn ru sq sr th ur vi zh-TW'.split(' ');

/** As the API accepts them. */
const TAG = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;

/** Adds a language, with the texts that Pavis has in it. */
export function NewLanguage(props: {
  taken: readonly string[];
  /** The language in which visitors see missing texts. */
  first: string;
  /** @param translation with its language only, if Pavis has no texts in it */
  onAdd: (translation: Translation) => void;
}) {
  const { data = [], isPending, error, refetch } = useQuery(languagesQuery);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  return <Choice {...props} languages={data} isPending={isPending} />;
}

function Choice({
  languages,
  isPending,
  taken,
  first,
  onAdd,
}: Parameters<typeof NewLanguage>[0] & {
  languages: readonly BannerLanguage[];
  isPending: boolean;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [search, setSearch] = useState('');
  const [isLoading, setIsLoading] = useState(false);
  const hasTexts = languages.some(({ language }) => language === chosen);
  const isFree = ({ value }: ComboboxItem) => !taken.includes(value);
  const withTexts = languages.map(toOption).filter(isFree);
  const others = OTHERS.map((tag) => ({ value: tag, label: getLanguageName(tag) }))
    .filter(isFree)
    .sort((one, other) => one.label.localeCompare(other.label));
  const typed = [...new Set([chosen ?? '', search].flatMap(readTag))]
    .map((tag) => ({ value: tag, label: toLabel(tag) }))
    .filter(
      (option) =>
        isFree(option) && ![...withTexts, ...others].some((each) => isFound(each, option.value)),
    );

  async function add(language: string) {
    setIsLoading(true);
    try {
      onAdd(hasTexts ? await queryClient.fetchQuery(languageTextsQuery(language)) : { language });
      setChosen(null);
    } catch (error) {
      notifyError(error);
    } finally {
      setIsLoading(false);
    }
  }

  return (
    <Stack gap="xs">
      <Group gap="sm" align="flex-end">
        <Select
          flex="1 1 14rem"
          maw="22rem"
          label="Add a language"
          placeholder="Select or type a language"
          disabled={isPending}
          searchable
          // Adding a language brings the focus back here, which is not a wish to open the list.
          openOnFocus={false}
          // In a landmark, and with the list itself as the part that scrolls.
          comboboxProps={{ portalProps: { target: 'main' } }}
          withScrollArea={false}
          styles={{ options: { maxHeight: '14rem', overflowY: 'auto' } }}
          clearable
          value={chosen}
          onChange={setChosen}
          searchValue={search}
          onSearchChange={setSearch}
          data={[
            { group: 'With texts', items: withTexts },
            { group: 'Without texts', items: [...others, ...typed] },
          ]}
          nothingFoundMessage="No language has this name. Type its tag, for example ca or fr-CA."
        />
        <Button
          variant="default"
          disabled={!chosen}
          loading={isLoading}
          onClick={() => chosen && add(chosen)}
        >
          Add
        </Button>
      </Group>
      {chosen && !hasTexts && (
        <Text size="sm" c="dimmed">
          Pavis has no texts in {getLanguageName(chosen)}. Visitors see those in{' '}
          {getLanguageName(first)} until you translate them.
        </Text>
      )}
    </Stack>
  );
}

const toOption = ({ language, name, native_name }: BannerLanguage): ComboboxItem => ({
  value: language,
  label: name === native_name ? name : `${name} · ${native_name}`,
});

/** Whether an option is the language with this tag, or is found by typing it. */
const isFound = ({ value, label }: ComboboxItem, tag: string): boolean =>
  value === tag || label.toLowerCase().includes(tag.toLowerCase());

/** The tag that was typed, as it is written. */
function readTag(text: string): string[] {
  try {
    return Intl.getCanonicalLocales(text.trim()).filter((tag) => TAG.test(tag));
  } catch {
    return [];
  }
}

/** A browser does not know the names of all languages. */
function toLabel(tag: string): string {
  const name = getLanguageName(tag);
  return name === tag ? tag : `${name} (${tag})`;
}
