import { SimpleGrid, TextInput } from '@mantine/core';
import { REQUIRED } from './required.ts';
import { toSlug } from './slug.ts';

interface Form {
  values: { name: string; slug: string };
  getInputProps: (field: 'name' | 'slug') => object;
  setFieldValue: (field: 'name' | 'slug', value: string) => void;
}

/** The fields `name` and `slug` of a form. The slug follows the name until it is edited, and is fixed once saved. */
export function NameAndSlug({
  form: { values, getInputProps, setFieldValue },
  slugDescription,
  isNew,
  isNameFixed = false,
}: {
  form: Form;
  slugDescription: string;
  isNew: boolean;
  isNameFixed?: boolean;
}) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput
        label="Name"
        {...REQUIRED}
        readOnly={isNameFixed}
        {...getInputProps('name')}
        onChange={({ currentTarget: { value } }) => {
          if (isNew && values.slug === toSlug(values.name)) setFieldValue('slug', toSlug(value));
          setFieldValue('name', value);
        }}
      />
      <TextInput
        label="Slug"
        description={slugDescription}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...REQUIRED}
        readOnly={!isNew}
        {...getInputProps('slug')}
      />
    </SimpleGrid>
  );
}
