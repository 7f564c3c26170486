import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

const readNumber = (text: string): number | string =>
  /^\d+$/.test(text.trim()) ? Number(text) : text.trim();

/**
 * A field for a whole number. Its value is a number only if nothing but digits is typed. Other text, for example `1,000`,
 * stays as it is, and the form must reject it.
 */
export function WholeNumberInput({
  value = '',
  onChange,
  ...props
}: Omit<TextInputProps, 'value' | 'onChange'> & {
  value?: number | string;
  onChange?: (value: number | string) => void;
}) {
  // Shown while it means the same as the value: with `100` as 0 after its 1 is deleted, nobody could type 200.
  const [typed, setTyped] = useState('');
  return (
    <TextInput
      inputMode="numeric"
      {...props}
      value={readNumber(typed) === value ? typed : value}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange?.(readNumber(currentTarget.value));
      }}
    />
  );
}
