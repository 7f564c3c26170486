import { SimpleGrid, Text, UnstyledButton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { ScanResults, Verdict } from '../../api/types.ts';
import { formatNumber } from '../../components/format.ts';
import { useUrlState } from '../../components/url-state.ts';
import { VERDICTS } from './verdicts.tsx';

const route = getRouteApi('/app/scanner/$id');

/** Each verdict with its number of findings; a press filters the findings by it, another shows all again. */
export function VerdictTiles({ results }: { results: ScanResults }) {
  const { verdict: selected } = route.useSearch();
  const setUrlState = useUrlState();
  const counts = new Map(results.verdicts.map(({ verdict, resources }) => [verdict, resources]));
  const shown = (Object.keys(VERDICTS) as Verdict[]).filter((verdict) => {
    const { violates } = VERDICTS[verdict];
    return violates === undefined || results.states.includes(violates);
  });
  return (
    <SimpleGrid
      component="ul"
      role="list"
      className="plain"
      type="container"
      cols={{ base: 2, '36rem': 4, '60rem': shown.length }}
      spacing="xs"
      aria-label="Filter findings by verdict"
    >
      {shown.map((verdict) => (
        <li key={verdict}>
          <Tile
            verdict={verdict}
            count={counts.get(verdict) ?? 0}
            isSelected={verdict === selected}
            onPress={() =>
              setUrlState({
                view: 'findings',
                verdict: verdict === selected ? undefined : verdict,
              })
            }
          />
        </li>
      ))}
    </SimpleGrid>
  );
}

function Tile({
  verdict,
  count,
  isSelected,
  onPress,
}: {
  verdict: Verdict;
  count: number;
  isSelected: boolean;
  onPress: () => void;
}) {
  const { tone, label } = VERDICTS[verdict];
  const color = count === 0 ? 'var(--soft)' : tone === 'neutral' ? 'var(--ink)' : `var(--${tone})`;
  return (
    <UnstyledButton
      aria-pressed={isSelected}
      onClick={onPress}
      w="100%"
      h="100%"
      p="sm"
      bg="var(--card)"
      bdrs={10}
      bd={`1px solid ${isSelected ? 'var(--accent)' : 'var(--line)'}`}
      style={{
        display: 'flex',
        flexDirection: 'column',
        boxShadow: isSelected ? 'inset 0 0 0 1px var(--accent)' : undefined,
      }}
    >
      <Text span fz="1.6rem" lh={1.2} ff="var(--serif)" c={color} className="number">
        {formatNumber(count)}
      </Text>
      <Text span size="sm" lh={1.3} c="dimmed">
        {label}
      </Text>
    </UnstyledButton>
  );
}
