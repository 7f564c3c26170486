import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Regimes } from '../../api/types.ts';
import { formatDay } from '../../components/format.ts';
import { Item, ItemList } from '../../components/item-list.tsx';
import { Section } from '../../components/section.tsx';
import { QueryResult } from '../../components/states.tsx';
import { regimesQuery } from './queries.ts';

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

const countryNames = new Intl.DisplayNames(['en'], { type: 'region' });

/** The rules by country with their sources, for reading: the banner asks everywhere. */
export function RulesByCountry() {
  const regimes = useQuery(regimesQuery);
  return (
    <Section title="Rules by country">
      <Text size="sm" c="dimmed">
        Your banner asks all visitors for consent, wherever they are, and treats Global Privacy
        Control as a rejection. It does not show the opt-out link and the confirmation that the
        rules of the United States require. This list is for reading and is not legal advice.
      </Text>
      <QueryResult query={regimes} lines={6}>
        {({ date, regimes: all }) => (
          <>
            <Text size="sm" c="dimmed">
              Rules on <time dateTime={date}>{formatDay(date)}</time>
            </Text>
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
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function Details({ regime: { id, title, countries, rules } }: { regime: Regime }) {
  const known = NAMES.filter((name) => rules[name].source);
  return (
    <details>
      <summary
        style={{ minHeight: '44px', lineHeight: '44px' }}
        aria-label={`Rules and countries: ${title}`}
      >
        Rules and countries
      </summary>
      <Stack gap="sm" mt="xs">
        <Text size="sm">
          {id === 'default'
            ? 'All countries that are not listed above, and visitors whose country is unknown.'
            : countries.map((code) => countryNames.of(code) ?? code).join(', ')}
        </Text>
        <ItemList label={`Rules: ${title}`}>
          {known.map((name) => (
            <Item key={name} title={describe(name, rules)} text={<Source rule={rules[name]} />} />
          ))}
        </ItemList>
      </Stack>
    </details>
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
