import { Button, DataList, Group, Modal, Radio, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { formatMoment } from './format.ts';
import { type Difference, getFieldName, merge } from './merge.ts';

interface Conflict<Fields> {
  /** The login of the other user; null if unknown. */
  by: string | null;
  at: string | undefined;
  base: Fields;
  mine: Fields;
  theirs: Fields;
  getLabel: (path: readonly string[]) => string;
  /** Closes the dialog without saving. */
  onCancel: () => void;
  onTheirs: () => void;
  onMerged: (merged: Fields) => void;
}

/** Merges changes that another user has saved in the meantime. If both changed the same field, the user chooses. */
export function ConflictDialog<Fields extends object>({
  by,
  at,
  base,
  mine,
  theirs,
  getLabel,
  onCancel,
  onTheirs,
  onMerged,
}: Conflict<Fields>) {
  const [choices, setChoices] = useState<Record<string, 'mine' | 'theirs'>>({});
  const { merged, differences } = merge(base, mine, theirs, choices);
  const who = by ?? 'Another user';
  const conflicts = differences.filter(({ isConflict }) => isConflict);
  const others = differences.filter(({ isConflict }) => !isConflict);
  return (
    <Modal opened onClose={onCancel} size="lg" title={`${who} has saved other changes`}>
      <Stack>
        <Text>{at && `Saved ${formatMoment(at)}. `}Your changes are not saved yet.</Text>
        {others.length > 0 && (
          <section aria-labelledby="kept-both">
            <Title order={3} id="kept-both" mb="xs">
              Changed by {who}, merged with your changes
            </Title>
            <DataList orientation="vertical" withDivider>
              {others.map((difference) => (
                <DataList.Item key={getFieldName(difference)}>
                  <DataList.ItemLabel>{getLabel(difference.path)}</DataList.ItemLabel>
                  <DataList.ItemValue>
                    {toText(difference.base)} → {toText(difference.theirs)}
                  </DataList.ItemValue>
                </DataList.Item>
              ))}
            </DataList>
          </section>
        )}
        {conflicts.map((difference) => (
          <Choice
            key={getFieldName(difference)}
            {...{ who, difference }}
            label={getLabel(difference.path)}
            value={choices[getFieldName(difference)] ?? 'mine'}
            onChange={(side) => setChoices({ ...choices, [getFieldName(difference)]: side })}
          />
        ))}
        <Group justify="flex-end">
          <Button variant="subtle" color="red" onClick={onTheirs}>
            Discard my changes
          </Button>
          <Button variant="default" onClick={onCancel}>
            Keep editing
          </Button>
          <Button onClick={() => onMerged(merged)}>
            {conflicts.length > 0 ? 'Save my choice' : 'Save both'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Choice({
  who,
  difference,
  label,
  value,
  onChange,
}: {
  who: string;
  difference: Difference;
  label: string;
  value: 'mine' | 'theirs';
  onChange: (side: 'mine' | 'theirs') => void;
}) {
  return (
    <Radio.Group
      label={label}
      description={`You and ${who} have both changed it.`}
      value={value}
      onChange={(side) => onChange(side as 'mine' | 'theirs')}
    >
      <Stack mt="xs">
        <Radio value="mine" label={<Side name="Yours" value={difference.mine} />} />
        <Radio value="theirs" label={<Side name={who} value={difference.theirs} />} />
      </Stack>
    </Radio.Group>
  );
}

const Side = ({ name, value }: { name: string; value: unknown }) => (
  <span className="break">
    <b>{name}:</b> {toText(value)}
  </span>
);

/** Formats the value of a setting. */
function toText(value: unknown): string {
  if (value === undefined) return 'removed';
  if (value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'On' : 'Off';
  if (Array.isArray(value)) return value.map(toText).join(', ') || 'none';
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(toText).join(' · ');
}
