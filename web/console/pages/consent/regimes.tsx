import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Regimes } from '../../api/types.ts';
import { useCan } from '../../components/access.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { formatDay } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { FieldsetCard } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { getCountryName } from './banner-texts.ts';
import { regimesQuery } from './queries.ts';
import { RegimeFields } from './regime-settings.tsx';
import type { BannerFields } from './text-field.tsx';

type Regime = Regimes['regimes'][number];
type Rules = Regime['rules'];
/** In the order in which the rules are shown. */
const NAMES = [
  'must_ask',
  'exempt_purposes',
  'reject_equals_accept',
  'gpc_is_opt_out',
  'show_opt_out_link',
  'confirm_opt_out',
  'refused_until_days',
] as const satisfies (keyof Rules)[];

/** The choice of rules, and all rules with their sources. */
export function RulesByCountry({ form }: { form: BannerFields }) {
  const regimes = useQuery(regimesQuery);
  return (
    <FieldsetCard title="Rules by country" disabled={!useCan('manage_options')}>
      <Text size="sm" c="dimmed">
        Which question visitors are asked. To tell their country, set{' '}
        <code>PAVIS_COUNTRY_HEADER</code> or <code>PAVIS_COUNTRY_DATABASE</code>. Without either,
        the country of all visitors is unknown, and they are asked for consent. The country is never
        stored. The rules are not legal advice.
      </Text>
      <QueryResult query={regimes} lines={6}>
        {({ date, regimes: all }) => (
          <>
            <RegimeFields form={form} regimes={all} />
            <Disclosure
              summary={
                <>
                  Rules on <time dateTime={date}>{formatDay(date)}</time>
                </>
              }
            >
              <ItemList label="Regimes">
                {all.map((regime) => (
                  <Item
                    key={regime.id}
                    title={regime.title}
                    text={regime.summary}
                    actions={
                      <Badge color={regime.rules.must_ask.value ? 'blue' : 'gray'}>
                        {regime.rules.must_ask.value ? 'Asked first' : 'Opt-out'}
                      </Badge>
                    }
                  >
                    <Details regime={regime} />
                  </Item>
                ))}
              </ItemList>
            </Disclosure>
          </>
        )}
      </QueryResult>
    </FieldsetCard>
  );
}

function Details({ regime: { id, title, countries, rules } }: { regime: Regime }) {
  const known = NAMES.filter((name) => rules[name].source);
  return (
    <Disclosure summary="Rules and countries" label={`Rules and countries: ${title}`}>
      <Stack gap="sm" mt="xs">
        <Text size="sm">
          {id === 'default'
            ? 'All countries that are not listed above, and visitors whose country is unknown.'
            : countries.map(getCountryName).join(', ')}
        </Text>
        <ItemList label={`Rules: ${title}`}>
          {known.map((name) => (
            <Item key={name} title={describe(name, rules)} text={<Source rule={rules[name]} />} />
          ))}
        </ItemList>
      </Stack>
    </Disclosure>
  );
}

function Source({
  rule: { source, note, valid_from, valid_until },
}: {
  rule: Rules[keyof Rules];
}): ReactNode {
  return (
    <>
      {note && (
        <>
          {note}
          <br />
        </>
      )}
      Since {formatDay(valid_from)}
      {valid_until && `, until ${formatDay(valid_until)}`}
      {': '}
      {source && (
        <Anchor inherit href={source.url} target="_blank" rel="noreferrer">
          {source.title}, {source.article}
        </Anchor>
      )}
    </>
  );
}

function describe(name: keyof Rules, rules: Rules): string {
  const asks = rules.must_ask.value;
  switch (name) {
    case 'must_ask':
      return asks
        ? 'Visitors are asked before anything is stored that is not strictly necessary.'
        : 'Visitors are not asked first.';
    case 'exempt_purposes':
      return `No consent, but notice and an easy objection, for own use: ${rules.exempt_purposes.value.join(' and ')}.`;
    case 'reject_equals_accept':
      return 'Rejecting is as easy as accepting.';
    case 'gpc_is_opt_out':
      return `Global Privacy Control counts as ${asks ? 'a rejection' : 'an opt-out'}.`;
    case 'show_opt_out_link':
      return rules.show_opt_out_link.value
        ? 'A link to opt out is always shown.'
        : 'No link to opt out is required.';
    case 'confirm_opt_out':
      return 'Visitors see that their signal was honoured.';
    case 'refused_until_days':
      return `After a refusal, nobody asks again for ${rules.refused_until_days.value} days.`;
  }
}
