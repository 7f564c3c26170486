import { FeaturesField } from '../products/features-field.tsx';
import type { Plan } from '../products/queries.ts';

interface Overrides {
  features_added?: string[];
  features_removed?: string[];
}

/** Features that a licence has in addition to its plan, and features that it lacks. */
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
      <FeaturesField
        label="Added features"
        description={`Beside those of the plan${plan ? `: ${plan.features.join(', ') || 'none'}` : ''}`}
        data={[]}
        value={added}
        onChange={(features_added) => onChange({ features_added })}
      />
      <FeaturesField
        label="Removed features"
        description="Features of the plan that this licence lacks"
        data={plan?.features ?? []}
        value={removed}
        onChange={(features_removed) => onChange({ features_removed })}
      />
    </>
  );
}
