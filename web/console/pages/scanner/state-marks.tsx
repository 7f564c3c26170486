import { Box, Group, Text } from '@mantine/core';
import type { ScanState, Verdict } from '../../api/types.ts';
import { getStateLabel, PHRASES, sortStates } from './states.ts';
import { VERDICTS } from './verdicts.tsx';

const LETTERS: Readonly<Record<ScanState, string>> = {
  before: 'B',
  rejected: 'R',
  accepted: 'A',
  withdrawn: 'W',
  gpc: 'G',
};

const LOOKS = {
  violation: { bg: 'var(--bad)', c: 'var(--card)', bd: '1px solid var(--bad)' },
  seen: { bg: 'var(--soft)', c: 'var(--card)', bd: '1px solid var(--soft)' },
  absent: { bg: 'transparent', c: 'var(--soft)', bd: '1px dashed var(--soft)' },
};

/** A square for what should not have been seen, so that colour alone says nothing. */
function Mark({ letter, look }: { letter: string; look: keyof typeof LOOKS }) {
  const borderRadius = look === 'violation' ? 3 : '50%';
  return (
    <Box
      component="span"
      w={20}
      h={20}
      fz={11}
      fw={700}
      lh="18px"
      ta="center"
      flex="none"
      style={{ borderRadius }}
      {...LOOKS[look]}
    >
      {letter}
    </Box>
  );
}

/** In which of the visited states a resource was seen. */
export function StateMarks({
  visited,
  seen,
  verdicts,
}: {
  visited: readonly ScanState[];
  seen: readonly ScanState[];
  verdicts: readonly Verdict[];
}) {
  const shown = sortStates(visited);
  const list = (isSeen: boolean) =>
    shown
      .filter((state) => seen.includes(state) === isSeen)
      .map((state) => PHRASES[state])
      .join(', ');
  const label = `Seen ${list(true) || 'in no state'}. Not seen: ${list(false) || 'none'}.`;
  const toLook = (state: ScanState) => {
    if (!seen.includes(state)) return 'absent';
    return verdicts.some((verdict) => VERDICTS[verdict].violates === state) ? 'violation' : 'seen';
  };
  return (
    <Group gap={4} wrap="nowrap" role="img" aria-label={label}>
      {shown.map((state) => (
        <Mark key={state} letter={LETTERS[state]} look={toLook(state)} />
      ))}
    </Group>
  );
}

/** What the marks mean; screen readers have it in the name of each row's marks. */
export function StateLegend({ visited }: { visited: readonly ScanState[] }) {
  const items = [
    ...sortStates(visited).map((state) => [LETTERS[state], 'seen', getStateLabel(state)] as const),
    ['', 'violation', 'Seen without consent'],
    ['', 'absent', 'Not seen'],
  ] as const;
  return (
    <Group gap="md" aria-hidden style={{ rowGap: 6 }}>
      {items.map(([letter, look, text]) => (
        <Group key={text} gap={6} wrap="nowrap">
          <Mark letter={letter} look={look} />
          <Text size="xs" c="dimmed">
            {text}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
