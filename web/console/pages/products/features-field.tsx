import { Pill } from '@mantine/core';
import { TagsField } from '../../components/tags-field.tsx';

/** Names of features. */
export const FeaturesField = (props: Parameters<typeof TagsField>[0]) => (
  <TagsField
    limit={100}
    renderOption={({ option }) => <span className="mono">{option.value}</span>}
    renderPill={({ value = '', onRemove, disabled }) => (
      <Pill className="mono" withRemoveButton={!disabled} {...(onRemove && { onRemove })}>
        {value}
      </Pill>
    )}
    {...props}
  />
);
