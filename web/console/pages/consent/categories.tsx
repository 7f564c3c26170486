import { Button, Checkbox, Divider, Group, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import type { ConsentSettings } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { FieldsetCard } from '../../components/section.tsx';
import { getFirstLanguage } from './banner-texts.ts';
import { CategoryId } from './category-id.tsx';
import { type BannerFields, CategoryField } from './text-field.tsx';

type Category = ConsentSettings['categories'][number];

const OWN_USE =
  'Under the rules of the United Kingdom, such a category needs no consent, but clear information and an easy way to object. It is then on with a notice until visitors object. Choose it only if you alone use the data, for this purpose only.';

/** @param value empty: none */
function withOwnUse({ own_use: _, ...category }: Category, value: string): Category {
  return value ? { ...category, own_use: value as NonNullable<Category['own_use']> } : category;
}

/** The consent categories; they are added and removed in the first language only. */
export function Categories({
  form,
  saved,
  language,
}: {
  form: BannerFields;
  saved: ConsentSettings['categories'];
  language: string;
}) {
  const isFirst = language === getFirstLanguage(form.values);
  const canChoose = useCan('manage_options');
  const canWrite = useCan('edit_banner_texts');
  return (
    <FieldsetCard title="Categories" disabled={!canWrite}>
      {form.values.categories.map((category, index) => (
        // The ID of a new category can still change, so the position is the key.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Stack gap="sm" key={index}>
          {index > 0 && <Divider />}
          <SimpleGrid type="container" cols={{ base: 1, '27rem': 2 }}>
            <CategoryField
              {...{ form, language, index }}
              name="label"
              label={`Name of category ${index + 1}`}
            />
            {isFirst && <CategoryId {...{ form, saved, index }} />}
          </SimpleGrid>
          <CategoryField
            {...{ form, language, index }}
            name="description"
            label={`Description of category ${index + 1}`}
            isLong
          />
          {isFirst && !category.required && form.values.regimes.mode === 'by_country' && (
            <NativeSelect
              label={`Own use of category ${index + 1}`}
              description={OWN_USE}
              disabled={!canChoose}
              data={[
                { value: '', label: 'None: visitors are asked for consent' },
                { value: 'statistics', label: 'Statistics, to improve the service or website' },
                { value: 'appearance', label: 'Appearance, to adapt to preferences of visitors' },
              ]}
              {...form.getInputProps(`categories.${index}.own_use`)}
              value={category.own_use ?? ''}
              onChange={({ currentTarget: { value } }) =>
                form.setFieldValue(
                  'categories',
                  form.values.categories.map((each, at) =>
                    at === index ? withOwnUse(each, value) : each,
                  ),
                )
              }
            />
          )}
          {isFirst && (
            <Group justify="space-between">
              <Checkbox
                disabled={!canChoose}
                label="Strictly necessary (always active)"
                aria-label={`Strictly necessary (always active): category ${index + 1}`}
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
            </Group>
          )}
        </Stack>
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
    </FieldsetCard>
  );
}
