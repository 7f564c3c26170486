import { Button, Checkbox, TextInput } from '@mantine/core';
import type { ConsentSettings } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { type BannerFields, CategoryField } from './text-field.tsx';
import { firstLanguage } from './wording.ts';

/** What visitors are asked about; what there is, is settled in the first language alone. */
export function Categories({
  form,
  saved,
  language,
}: {
  form: BannerFields;
  /** Their ids stay: records and scripts name them. */
  saved: ConsentSettings['categories'];
  language: string;
}) {
  const isFirst = language === firstLanguage(form.values);
  const canChoose = useCan('manage_options');
  const canWrite = useCan('edit_banner_texts');
  return (
    <fieldset className="card stack" disabled={!canWrite}>
      <legend>Categories</legend>
      {form.values.categories.map((category, index) => (
        // A category's id may be typed anew: its place is what stays.
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
                label="Id"
                aria-label={`Id of category ${index + 1}`}
                readOnly={!canChoose || saved.some(({ id }) => id === category.id)}
                {...form.getInputProps(`categories.${index}.id`)}
              />
            )}
          </div>
          <CategoryField
            {...{ form, language, index }}
            name="description"
            label={`What category ${index + 1} is for`}
            isLong
          />
          {isFirst && (
            <div className="row between">
              <Checkbox
                disabled={!canChoose}
                label="Always on, not asked"
                {...form.getInputProps(`categories.${index}.required`, { type: 'checkbox' })}
              />
              {canChoose && (
                <Button
                  variant="subtle"
                  color="red"
                  aria-label={`Take out ${category.label}`}
                  onClick={() => form.removeListItem('categories', index)}
                >
                  Take out
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
            Add a category
          </Button>
        </div>
      )}
    </fieldset>
  );
}
