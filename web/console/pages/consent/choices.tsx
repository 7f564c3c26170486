import { Checkbox, Stack } from '@mantine/core';
import type { Choice } from './choice-lists.ts';

/** A checkbox for each value of a list. `onChange` gets the values in the order of `choices`. */
export function Choices<Value extends string>({
  choices,
  chosen,
  onChange,
}: {
  choices: readonly Choice<Value>[];
  chosen: readonly Value[];
  onChange: (chosen: Value[]) => void;
}) {
  return (
    <Checkbox.Group
      value={[...chosen]}
      onChange={(values: string[]) =>
        onChange(choices.map(({ value }) => value).filter((value) => values.includes(value)))
      }
    >
      <Stack>
        {choices.map((choice) => (
          <Checkbox key={choice.value} {...choice} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
