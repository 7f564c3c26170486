import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConsentSettings } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { withCategoryId } from './edit-translation.ts';
import type { BannerFields } from './text-field.tsx';

/** The ID of a category, which its translations follow while it can change. */
export function CategoryId({
  form,
  saved,
  index,
}: {
  form: BannerFields;
  /** Their IDs cannot change because records and scripts refer to them. */
  saved: ConsentSettings['categories'];
  index: number;
}) {
  const { categories, translations } = form.values;
  const canChoose = useCan('manage_options');
  const id = categories[index]?.id ?? '';
  // With the focus: the ID can be that of another category in between, for example while `analytics_eu` is typed.
  const [start, setStart] = useState({ id, translations });
  // A published category is locked, also one that was typed here.
  const [typedBeside, setTypedBeside] = useState<typeof saved>();
  const isSaved = saved.some((each) => each.id === id);
  const path = `categories.${index}.id`;
  return (
    <TextInput
      label="ID"
      aria-label={`ID of category ${index + 1}`}
      readOnly={!canChoose || (isSaved && typedBeside !== saved)}
      {...form.getInputProps(path)}
      onFocus={() => setStart({ id, translations })}
      onChange={({ currentTarget: { value } }) => {
        setTypedBeside(saved);
        form.clearFieldError(path);
        const others = categories.filter((_, at) => at !== index).map((each) => each.id);
        form.setValues({
          categories: categories.map((each, at) => (at === index ? { ...each, id: value } : each)),
          translations: [start.id, value].some((each) => others.includes(each))
            ? start.translations
            : withCategoryId(start.translations, start.id, value),
        });
      }}
    />
  );
}
