import { Button, Checkbox, TextInput } from '@mantine/core';
import type { ConsentSettings } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { getFirstLanguage } from './banner-texts.ts';
import { type BannerFields, CategoryField } from './text-field.tsx';

/** The consent categories; they are added and removed in the first language only. */
export function Categories({
  form,
  saved,
  language,
}: {
  form: BannerFields;
  /** Their IDs cannot change because records and scripts refer to them. */
  saved: ConsentSettings['categories'];
  language: string;
}) {
  const isFirst = language === getFirstLanguage(form.values);
  const canChoose = useCan('manage_options');
  const canWrite = useCan('edit_banner_texts');
  return (
    <fieldset className="card stack" disabled={!canWrite}>
      <legend>Categories</legend>
      {form.values.categories.map((category, index) => (
        // The ID of a new category can still change, so the position is the key.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div className="category" key={index}>
          <div className="columns tight">
            <CategoryField
              {...{ form, language, index }}
              name="label"
              label={`Name of category ${index + 1}`}
            />
            {isFirst && (
              <TextInput
                label="ID"
                aria-label={`ID of category ${index + 1}`}
                readOnly={!canChoose || saved.some(({ id }) => id === category.id)}
                {...form.getInputProps(`categories.${index}.id`)}
              />
            )}
          </div>
          <CategoryField
            {...{ form, language, index }}
            name="description"
            label={`Description of category ${index + 1}`}
            isLong
          />
          {isFirst && (
            <div className="row between">
              <Checkbox
                disabled={!canChoose}
                label="Strictly necessary (always active)"
                {...form.getInputProps(`categories.${index}.required`, { type: 'checkbox' })}
              />
              {canChoose && (
                <Button
                  variant="subtle"
                  color="red"
                  aria-label={`Remove ${category.label}`}
                  onClick={() => form.removeListItem('categories', index)}
                >
                  Remove
                </Button>
              )}
            </div>
          )}
        </div>
      ))}
      {isFirst && canChoose && (
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
            Add category
          </Button>
        </div>
      )}
    </fieldset>
  );
}
