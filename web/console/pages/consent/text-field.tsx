import { Textarea, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';
import type { ConsentSettings } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { translationField } from './mistakes.ts';
import {
  directionOf,
  firstLanguage,
  type TextName,
  translationInto,
  withTranslation,
  withWords,
  wordsOf,
} from './wording.ts';

export type BannerFields = Pick<
  ReturnType<typeof useForm<ConsentSettings>>,
  | 'values'
  | 'errors'
  | 'setValues'
  | 'setFieldValue'
  | 'clearFieldError'
  | 'getInputProps'
  | 'insertListItem'
  | 'removeListItem'
>;

interface FieldProps {
  form: BannerFields;
  /** In which the text is written. */
  language: string;
  label: string;
  description?: string | undefined;
  isLong?: boolean;
}

/** One text of the banner, in the first language or as a translation of it. */
export function TextField({ name, ...field }: FieldProps & { name: TextName }) {
  const { form, language } = field;
  const { values } = form;
  if (language === firstLanguage(values)) {
    return <Plain {...field} path={name} />;
  }
  const translation = translationInto(values, language);
  return (
    <Translated
      {...field}
      path={translationField(language, name)}
      original={values[name]}
      value={translation[name]}
      onChange={(value) =>
        form.setFieldValue(
          'translations',
          withTranslation(values.translations, { ...translation, [name]: value }),
        )
      }
    />
  );
}

/** As TextField, for what is said of a category. */
export function CategoryField({
  name,
  index,
  ...field
}: FieldProps & { name: 'label' | 'description'; index: number }) {
  const { form, language } = field;
  const { values } = form;
  const category = values.categories[index];
  if (!category) return null;
  if (language === firstLanguage(values)) {
    return <Plain {...field} path={`categories.${index}.${name}`} />;
  }
  const translation = translationInto(values, language);
  const words = wordsOf(translation, category.id);
  return (
    <Translated
      {...field}
      path={translationField(language, category.id, name)}
      original={category[name]}
      value={words[name]}
      onChange={(value) =>
        form.setFieldValue(
          'translations',
          withTranslation(values.translations, withWords(translation, { ...words, [name]: value })),
        )
      }
    />
  );
}

function Plain({ form, label, description, isLong, path }: FieldProps & { path: string }) {
  const props = { label, description, ...form.getInputProps(path) };
  return isLong ? <Textarea autosize minRows={2} {...props} /> : <TextInput {...props} />;
}

/** What is left empty is shown in the first language. */
function Translated({
  form,
  language,
  path,
  label,
  isLong,
  original,
  value = '',
  onChange,
}: FieldProps & {
  path: string;
  original: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const props = {
    label: (
      <>
        {label} {!value && original && <StatusBadge tone="warn">Missing</StatusBadge>}
      </>
    ),
    description: original,
    value,
    error: form.errors[path],
    lang: language,
    dir: directionOf(language),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      form.clearFieldError(path);
      onChange(currentTarget.value || undefined);
    },
  };
  return isLong ? <Textarea autosize minRows={2} {...props} /> : <TextInput {...props} />;
}
