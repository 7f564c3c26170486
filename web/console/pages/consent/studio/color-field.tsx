import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { CheckedAppearance } from '../../../api/types.ts';
import { COLOR, type ColorName, findColorProblem, type Scheme } from './appearance.ts';
import { COLOR_LABELS } from './labels.ts';

type Contrast = CheckedAppearance['contrasts'][number];

const GROUNDS = { background: '', button: ' on buttons' };

const rules = Object.fromEntries(Object.keys(COLOR_LABELS).map((name) => [name, findColorProblem]));
/** What a form checks before it is sent. */
export const COLOR_RULES: Record<Scheme, typeof rules> = { light: rules, dark: rules };

/** A colour with its contrast to what is behind it. Empty: the default. */
export function ColorField({
  name,
  scheme,
  value,
  fallback,
  contrasts,
  error,
  onChange,
}: {
  name: ColorName;
  scheme: Scheme;
  value: string | null;
  /** The default colour. */
  fallback: string;
  contrasts: readonly Contrast[];
  error: string | undefined;
  onChange: (color: string | null) => void;
}) {
  const label = `${COLOR_LABELS[name]}, ${scheme}`;
  const nearest = contrasts.find((each) => each.nearest)?.nearest;
  const type = (text: string) => {
    const color = /^[0-9a-f]{6}$/i.test(text) ? `#${text}` : text.trim();
    onChange((COLOR.test(color) ? color.toLowerCase() : color) || null);
  };
  return (
    <Stack gap={4}>
      <Group gap={8} align="flex-end" wrap="nowrap">
        <input
          type="color"
          className="studio-color"
          aria-label={`Colour picker: ${label}`}
          value={(value && COLOR.test(value) && value) || fallback || '#000000'}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
        <TextInput
          flex={1}
          label={COLOR_LABELS[name]}
          aria-label={label}
          placeholder={fallback && `${fallback} (default)`}
          value={value ?? ''}
          spellCheck={false}
          error={findColorProblem(value) ?? error}
          onChange={({ currentTarget }) => type(currentTarget.value)}
        />
      </Group>
      {contrasts.length > 0 ? (
        <Group gap="4px 12px" role="status">
          {contrasts.map((each) => (
            <Measured key={each.against} {...each} />
          ))}
          {nearest && (
            <Button size="compact-xs" variant="default" onClick={() => onChange(nearest)}>
              Use {nearest}
            </Button>
          )}
        </Group>
      ) : (
        <Text size="xs" c="dimmed">
          {name === 'background'
            ? 'The contrast of the other colours is measured against it'
            : 'No minimum contrast: it only separates'}
        </Text>
      )}
    </Stack>
  );
}

function Measured({ against, ratio, needed, passes }: Contrast) {
  return (
    <Text size="xs" c={passes ? 'dimmed' : 'var(--bad)'} fw={passes ? 400 : 600}>
      {passes ? Math.floor(ratio * 10) / 10 : ratio}:1{GROUNDS[against]},{' '}
      {passes ? 'passes AA' : `needs ${needed}:1`}
    </Text>
  );
}
