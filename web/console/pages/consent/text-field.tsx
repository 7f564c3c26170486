import { Textarea, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';
import type { ConsentSettings } from '../../api/types.ts';
import { StatusBadge } from '../../components/badges.tsx';
import {
  getCategoryTexts,
  getFirstLanguage,
  getTranslation,
  type TextName,
} from './banner-texts.ts';
import { withCategoryTexts, withTranslation } from './edit-translation.ts';
import { getTranslationField } from './field-errors.ts';
import { getDirection } from './shown-texts.ts';

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
  /** The language of the text. */
  language: string;
  label: string;
  description?: string | undefined;
  isLong?: boolean;
}

/** A text of the banner in the original language or translated. */
export function TextField({ name, ...field }: FieldProps & { name: TextName }) {
  const { form, language } = field;
  const { values } = form;
  if (language === getFirstLanguage(values)) {
    return <Plain {...field} path={name} />;
  }
  const translation = getTranslation(values, language);
  return (
    <Translated
      {...field}
      path={getTranslationField(language, name)}
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

/** As TextField, for the texts of a category. */
export function CategoryField({
  name,
  index,
  ...field
}: FieldProps & { name: 'label' | 'description'; index: number }) {
  const { form, language } = field;
  const { values } = form;
  const category = values.categories[index];
  if (!category) return null;
  if (language === getFirstLanguage(values)) {
    return <Plain {...field} path={`categories.${index}.${name}`} />;
  }
  const translation = getTranslation(values, language);
  const texts = getCategoryTexts(translation, category.id);
  return (
    <Translated
      {...field}
      path={getTranslationField(language, category.id, name)}
      original={category.id ? category[name] : 'Enter the ID of the category first'}
      value={texts[name]}
      isDisabled={!category.id}
      onChange={(value) =>
        form.setFieldValue(
          'translations',
          withTranslation(
            values.translations,
            withCategoryTexts(translation, { ...texts, [name]: value }),
          ),
        )
      }
    />
  );
}

function Plain({ form, label, description, isLong, path }: FieldProps & { path: string }) {
  const props = { label, description, ...form.getInputProps(path) };
  return isLong ? <Textarea minRows={2} {...props} /> : <TextInput {...props} />;
}

/** An empty translation falls back to the original text. */
function Translated({
  form,
  language,
  path,
  label,
  isLong,
  original,
  value = '',
  isDisabled = false,
  onChange,
}: FieldProps & {
  path: string;
  original: string;
  isDisabled?: boolean;
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
    disabled: isDisabled,
    lang: language,
    dir: getDirection(language),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      form.clearFieldError(path);
      onChange(currentTarget.value || undefined);
    },
  };
  return isLong ? <Textarea minRows={2} {...props} /> : <TextInput {...props} />;
}
