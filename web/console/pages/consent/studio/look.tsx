import { Alert, Code, Fieldset, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { useCan } from '../../../components/access.tsx';
import { toLabel } from '../../../components/format.ts';
import { FieldsetCard } from '../../../components/section.tsx';
import { WholeNumberInput } from '../../../components/whole-number-input.tsx';
import type { BannerFields } from '../text-field.tsx';
import {
  type Appearance,
  appearanceQuery,
  type ColorName,
  type Position,
  type Scheme,
} from './appearance.ts';
import { ColorField } from './color-field.tsx';
import { PresetDrawing, type Shape, ShapeDrawing } from './drawings.tsx';
import { COLOR_LABELS, FONT_LABELS, formatCorner, formatOrder, THEME_LABELS } from './labels.ts';
import { Logo } from './logo.tsx';
import { PRESETS, type Preset } from './presets.ts';
import './studio.css';

/** Fields side by side where there is room. */
const PAIRS = { type: 'container', cols: { base: 1, '27rem': 2 } } as const;
const POSITIONS = [
  'bottom',
  'top',
  'bottom-left',
  'bottom-right',
  'top-left',
  'top-right',
  'center',
] as const satisfies Position[];
const CORNERS = [
  'bottom-left',
  'bottom-right',
  'top-left',
  'top-right',
  'off',
] as const satisfies Appearance['reopen_button'][];
const SHAPES: Record<Shape, string> = {
  card: 'Card',
  bar: 'Bar',
  box: 'Box',
  corner: 'Corner',
  modal: 'Modal',
};
const ORDERS = [
  ['reject', 'accept', 'manage'],
  ['accept', 'reject', 'manage'],
  ['manage', 'reject', 'accept'],
  ['manage', 'accept', 'reject'],
  ['reject', 'manage', 'accept'],
  ['accept', 'manage', 'reject'],
] as const satisfies Appearance['button_order'][];
const SCHEMES = [
  ['light', 'Light colours'],
  ['dark', 'Dark colours'],
] as const satisfies [Scheme, string][];
const TYPED_MS = 120;

const toOptions = <Value extends string>(labels: Record<Value, string>) =>
  (Object.keys(labels) as Value[]).map((value) => ({ value, label: labels[value] }));

const getShape = (position: Position, { layout }: Appearance): Shape => {
  if (position === 'center') return 'modal';
  return position.includes('-') ? 'corner' : layout;
};

const toKey = ({ values, errors }: BannerFields): string =>
  JSON.stringify([values.position, values.appearance, errors]);

/** The studio: layout, colours with their contrast, and everything else that is no text. Typing a text does not redraw it. */
export const Look = memo(LookFields, (one, other) => toKey(one.form) === toKey(other.form));

function LookFields({ form }: { form: BannerFields }) {
  const { position, appearance } = form.values;
  const [settled] = useDebouncedValue(appearance, TYPED_MS);
  const [isOpen, setIsOpen] = useState(false);
  const checked = useQuery(appearanceQuery(settled)).data;
  const set = (changes: Partial<Appearance>) =>
    form.setFieldValue('appearance', { ...appearance, ...changes });
  const setShape = (shape: Shape) => {
    if (shape === 'modal') form.setFieldValue('position', 'center');
    else if (shape === 'corner') form.setFieldValue('position', 'bottom-right');
    else
      form.setValues({
        position: position === 'top' ? 'top' : 'bottom',
        appearance: { ...appearance, layout: shape },
      });
  };
  const setColor = (scheme: Scheme, name: ColorName, color: string | null) => {
    form.clearFieldError(`appearance.colors.${scheme}.${name}`);
    const { colors } = appearance;
    set({ colors: { ...colors, [scheme]: { ...colors[scheme], [name]: color } } });
  };
  const shape = getShape(position, appearance);
  const hasError = Object.keys(form.errors).some((field) => field.startsWith('appearance.'));
  return (
    <FieldsetCard title="Look" disabled={!useCan('manage_options')}>
      <Fieldset variant="unstyled" legend="Layout" className="studio-part">
        <div className="studio-choices">
          {(Object.keys(SHAPES) as Shape[]).map((each) => (
            <label key={each} className="studio-choice">
              <input
                type="radio"
                name="layout"
                checked={each === shape}
                onChange={() => setShape(each)}
              />
              <ShapeDrawing shape={each} />
              {SHAPES[each]}
            </label>
          ))}
        </div>
      </Fieldset>
      <SimpleGrid {...PAIRS}>
        <NativeSelect
          label="Position"
          data={POSITIONS.map((value) => ({ value, label: toLabel(value.replace('-', ' ')) }))}
          {...form.getInputProps('position')}
        />
        <NativeSelect
          label="Theme"
          data={toOptions(THEME_LABELS)}
          value={appearance.theme}
          onChange={({ currentTarget }) =>
            set({ theme: currentTarget.value as Appearance['theme'] })
          }
        />
      </SimpleGrid>
      <Presets appearance={appearance} onChoose={({ name, ...look }) => set(look)} />
      <details
        open={isOpen || hasError}
        onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
      >
        <summary>Colours, font, buttons and logo</summary>
        <Stack mt="sm">
          <SimpleGrid {...PAIRS}>
            {SCHEMES.map(([scheme, legend]) => (
              <Fieldset key={scheme} variant="unstyled" legend={legend} className="studio-part">
                <Stack gap="sm">
                  {(Object.keys(COLOR_LABELS) as ColorName[]).map((name) => (
                    <ColorField
                      key={name}
                      {...{ name, scheme }}
                      value={appearance.colors[scheme][name]}
                      fallback={checked?.defaults[scheme][name] ?? ''}
                      contrasts={
                        checked?.contrasts.filter(
                          (each) => each.scheme === scheme && each.color === name,
                        ) ?? []
                      }
                      error={form.errors[`appearance.colors.${scheme}.${name}`]?.toString()}
                      onChange={(color) => setColor(scheme, name, color)}
                    />
                  ))}
                </Stack>
              </Fieldset>
            ))}
          </SimpleGrid>
          <SimpleGrid {...PAIRS}>
            <NativeSelect
              label="Font"
              description={
                appearance.font === 'inherit'
                  ? 'Shown on your pages, not in the preview'
                  : undefined
              }
              data={toOptions(FONT_LABELS)}
              value={appearance.font}
              onChange={({ currentTarget }) =>
                set({ font: currentTarget.value as Appearance['font'] })
              }
            />
            <WholeNumberInput
              label="Corner radius (px)"
              value={appearance.radius}
              error={form.errors['appearance.radius']}
              // As it is typed: the form checks it.
              onChange={(radius) => {
                form.clearFieldError('appearance.radius');
                set({ radius: radius as number });
              }}
            />
          </SimpleGrid>
          <NativeSelect
            label="Order of the buttons"
            data={ORDERS.map((order) => ({ value: order.join(), label: formatOrder(order) }))}
            value={appearance.button_order.join()}
            onChange={({ currentTarget }) =>
              set({ button_order: currentTarget.value.split(',') as Appearance['button_order'] })
            }
          />
          <NativeSelect
            label="Reopen button in"
            data={CORNERS.map((value) => ({ value, label: formatCorner(value) }))}
            value={appearance.reopen_button}
            onChange={({ currentTarget }) =>
              set({ reopen_button: currentTarget.value as Appearance['reopen_button'] })
            }
          />
          {appearance.reopen_button === 'off' && (
            <Alert color="yellow" title="Your site needs its own link to the preferences">
              Withdrawing consent must be as easy as giving it (GDPR Art. 7(3)). Put this on every
              page: <Code>{'<button data-pavis-open>Privacy choices</button>'}</Code>
            </Alert>
          )}
          <Text size="sm" c="dimmed">
            Accept and reject always have the same size and style. Refusing must be as easy as
            accepting (CNIL recommendation 2020-092), and colours and contrast must not mislead
            visitors (EDPB, report of the cookie banner taskforce, January 2023).
          </Text>
          <Logo form={form} />
        </Stack>
      </details>
    </FieldsetCard>
  );
}

function Presets({
  appearance,
  onChoose,
}: {
  appearance: Appearance;
  onChoose: (preset: Preset) => void;
}) {
  const { colors, radius, font } = appearance;
  const current = JSON.stringify({ colors, radius, font });
  return (
    <Fieldset variant="unstyled" legend="Presets" className="studio-part">
      <div className="studio-choices studio-presets">
        {PRESETS.map((preset) => {
          const { name, ...look } = preset;
          return (
            <label key={name} className="studio-choice">
              <input
                type="radio"
                name="preset"
                checked={JSON.stringify(look) === current}
                onChange={() => onChoose(preset)}
              />
              <PresetDrawing {...preset} />
              {name}
            </label>
          );
        })}
      </div>
    </Fieldset>
  );
}
