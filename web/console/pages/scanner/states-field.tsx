import { Button, Checkbox, Group, Stack } from '@mantine/core';
import type { ScanState } from '../../api/types.ts';
import { ALL_STATES, getStateLabel, sortStates } from './states.ts';

const QUICK: readonly ScanState[] = ['before', 'accepted'];

/** What a visit in each state does, and how much longer a scan takes for it. */
const DESCRIPTIONS: Readonly<Record<ScanState, string>> = {
  before: 'Records what loads before visitors choose. Always included.',
  accepted: 'Accepts all, in the same visit. Takes hardly any longer.',
  rejected: 'Rejects all, and records what still loads. About half as long again.',
  withdrawn: 'Accepts all, then withdraws, and records what still loads. About half as long again.',
  gpc: 'Sends the browser signal that objects to tracking, without a choice. About half as long again.',
};
const ORDER: readonly ScanState[] = ['before', 'accepted', 'rejected', 'withdrawn', 'gpc'];

/** The states in which a scan visits each page. */
export function StatesField({
  label = 'States',
  description = 'Each page is visited in each of these, so that the scan can prove that choices take effect.',
  value,
  onChange,
}: {
  label?: string;
  description?: string;
  value: readonly ScanState[];
  onChange: (states: ScanState[]) => void;
}) {
  const isAll = value.length === ALL_STATES.length;
  return (
    <Checkbox.Group
      label={label}
      description={description}
      value={[...value]}
      onChange={(states) => onChange(sortStates(['before', ...(states as ScanState[])]))}
    >
      <Stack gap="sm" mt="sm">
        {ORDER.map((state) => (
          <Checkbox
            key={state}
            value={state}
            disabled={state === 'before'}
            label={getStateLabel(state)}
            description={DESCRIPTIONS[state]}
          />
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            onClick={() => onChange([...(isAll ? QUICK : ALL_STATES)])}
          >
            {isAll ? 'Before and after consent only' : 'All five states'}
          </Button>
        </Group>
      </Stack>
    </Checkbox.Group>
  );
}
