import { Button, Group, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { ConsentSettings, Regimes } from '../../api/types.ts';
import { WholeNumberInput } from '../../components/whole-number-input.tsx';
import { getCountryName } from './banner-texts.ts';
import { REGIME_MODES } from './choice-lists.ts';
import type { BannerFields } from './text-field.tsx';

type Regime = Regimes['regimes'][number];
type Mode = ConsentSettings['regimes']['mode'];
type Override = ConsentSettings['regimes']['overrides'][number];

const DESCRIPTIONS: Record<Mode, string> = {
  opt_in_everywhere:
    'Wherever they are. Duties of their country remain, such as the opt-out link in the United States.',
  by_country: 'Visitors whose country is unknown are asked for consent.',
};

interface Fields {
  form: BannerFields;
  regimes: readonly Regime[];
}

/** Which rules apply, and how long refusals last. */
export function RegimeFields({ form, regimes }: Fields) {
  const { mode } = form.values.regimes;
  return (
    <>
      <Radio.Group label="Question" {...form.getInputProps('regimes.mode')}>
        <Stack mt="xs">
          {(Object.keys(REGIME_MODES) as Mode[]).map((value) => (
            <Radio
              key={value}
              value={value}
              label={REGIME_MODES[value]}
              description={DESCRIPTIONS[value]}
            />
          ))}
        </Stack>
      </Radio.Group>
      {mode === 'by_country' && <Overrides {...{ form, regimes }} />}
      <WholeNumberInput
        label="Time after a refusal (days)"
        description={`Visitors who refused are not asked again in this time, or longer where the rules require it: ${listMinimums(regimes)}`}
        {...form.getInputProps('refused_until_days')}
      />
    </>
  );
}

const listMinimums = (regimes: readonly Regime[]): string =>
  regimes
    .filter(({ rules }) => rules.refused_until_days.value > 0)
    .map(({ title, rules }) => `${title} ${rules.refused_until_days.value}`)
    .join(', ');

/** Rules of other regimes for single countries. */
function Overrides({ form, regimes }: Fields) {
  const { overrides } = form.values.regimes;
  const change = (changed: Override[]) => form.setFieldValue('regimes.overrides', changed);
  return (
    <Stack gap="sm">
      <Text fw={500}>Rules for single countries</Text>
      {overrides.map(({ country }, index) => {
        const name = getCountryName(country);
        const path = `regimes.overrides.${index}`;
        return (
          <Group key={country} align="flex-end">
            <NativeSelect
              flex="1 1 14rem"
              label={`Rules for ${name}`}
              description={describeLimit(country, regimes)}
              data={regimes.map(({ id, title }) => ({
                value: id,
                label: id === 'default' ? 'Ask for consent, as in all other countries' : title,
              }))}
              {...form.getInputProps(`${path}.regime`)}
              error={form.errors[`${path}.regime`] ?? form.errors[`${path}.country`]}
            />
            <Button
              variant="subtle"
              color="red"
              aria-label={`Remove rules for ${name}`}
              onClick={() => change(overrides.filter((each) => each.country !== country))}
            >
              Remove
            </Button>
          </Group>
        );
      })}
      <NewOverride
        countries={regimes
          .flatMap(({ id, countries }) => countries.map((country) => ({ country, regime: id })))
          .filter(({ country }) => !overrides.some((each) => each.country === country))}
        onAdd={(override) => change([...overrides, override])}
      />
    </Stack>
  );
}

function describeLimit(country: string, regimes: readonly Regime[]): string {
  const own = regimes.find(({ countries }) => countries.includes(country));
  return !own || own.id === 'default'
    ? 'Pavis does not know the law of this country. You are responsible for the choice.'
    : `The question must be at least as strict as that of the country’s own rules: ${own.title}.`;
}

/** Adds a country, first with its own rules. */
function NewOverride({
  countries,
  onAdd,
}: {
  countries: readonly Override[];
  onAdd: (override: Override) => void;
}) {
  const [chosen, setChosen] = useState('');
  const override = countries.find(({ country }) => country === chosen);
  const options = countries
    .map(({ country }) => ({ value: country, label: getCountryName(country) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  return (
    <Group align="flex-end">
      <NativeSelect
        flex="1 1 14rem"
        label="Country"
        value={override ? chosen : ''}
        data={[{ value: '', label: 'Select a country' }, ...options]}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <Button variant="default" disabled={!override} onClick={() => override && onAdd(override)}>
        Add rules for this country
      </Button>
    </Group>
  );
}
