import { NativeSelect, SimpleGrid, Switch, Textarea } from '@mantine/core';
import { REQUIRED } from '../../components/required.ts';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { CHANNELS } from './queries.ts';

/** To which sites a release is offered, and what changed in it. `rollout` and `changelog` describe these fields. */
export const OfferFields = ({
  form: { getInputProps },
  rollout,
  changelog,
}: {
  form: {
    getInputProps: (
      field: 'channel' | 'rollout_percent' | 'security' | 'changelog',
      options?: { type: 'checkbox' },
    ) => object;
  };
  rollout: string;
  changelog?: string;
}) => (
  <>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <NativeSelect
        label="Channel"
        description="Beta sites also get stable releases"
        data={CHANNELS}
        {...getInputProps('channel')}
      />
      <WholeNumberInput
        label="Roll-out (%)"
        description={rollout}
        {...REQUIRED}
        {...getInputProps('rollout_percent')}
      />
    </SimpleGrid>
    <Switch
      label="Security release"
      description="All sites get it at once, also after the expiry of their licence"
      {...getInputProps('security', { type: 'checkbox' })}
    />
    <Textarea
      label="Changelog"
      description={changelog}
      minRows={3}
      {...getInputProps('changelog')}
    />
  </>
);
