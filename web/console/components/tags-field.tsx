import { Pill, TagsInput, type TagsInputProps } from '@mantine/core';
import { toLabel } from './format.ts';

type TagsFieldProps = Omit<TagsInputProps, 'data'> & { data?: readonly string[] | undefined };

/** A field for several values, with suggestions. Slugs such as `ip_address` are shown as labels. */
export const TagsField = ({ data = [], ...props }: TagsFieldProps) => (
  <TagsInput
    description="Type a value and press Enter, or choose a suggestion"
    data={[...new Set(data)]}
    splitChars={[]}
    acceptValueOnBlur
    limit={50}
    maxDropdownHeight={240}
    renderOption={({ option }) => toLabel(option.value)}
    renderPill={({ value = '', onRemove, disabled }) => (
      <Pill withRemoveButton={!disabled} {...(onRemove && { onRemove })}>
        {toLabel(value)}
      </Pill>
    )}
    {...props}
  />
);
