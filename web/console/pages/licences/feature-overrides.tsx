import { Pill } from '@mantine/core';
import { TagsField } from '../../components/tags-field.tsx';
import type { Plan } from '../products/queries.ts';

interface Overrides {
  features_added?: string[];
  features_removed?: string[];
}

/** The features that a licence has beside those of its plan, and those that it lacks. */
export function FeatureOverrides({
  plan,
  added,
  removed,
  onChange,
}: {
  plan: Plan | undefined;
  added: string[];
  removed: string[];
  onChange: (overrides: Overrides) => void;
}) {
  return (
    <>
      <Names
        label="Added features"
        description={`Beside those of the plan${plan ? `: ${plan.features.join(', ') || 'none'}` : ''}`}
        data={[]}
        value={added}
        onChange={(features_added) => onChange({ features_added })}
      />
      <Names
        label="Removed features"
        description="Features of the plan that this licence lacks"
        data={plan?.features ?? []}
        value={removed}
        onChange={(features_removed) => onChange({ features_removed })}
      />
    </>
  );
}

const Names = (props: Parameters<typeof TagsField>[0]) => (
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
