import { Anchor, Box, Stack, Text } from '@mantine/core';
import { useCan } from '../../components/access.tsx';

/** The cards by the ids of their titles. */
const CARDS = [
  ['controller', 'Controller'],
  ['mail', 'Emails'],
  ['dsar', 'Requests'],
  ['scanner', 'Scanner'],
  ['origins', 'Allowed origins'],
] as const;

/** Leads to each card of the page, and stays beside them. Buttons, because a link would ask about unsaved changes. */
export function Contents() {
  const cards = useCan('manage_options')
    ? [...CARDS, ['environment', 'Environment variables'] as const]
    : CARDS;
  return (
    <Box component="nav" aria-label="On this page" visibleFrom="md" pos="sticky" top="2rem">
      <Text size="sm" fw={600} mb="xs">
        On this page
      </Text>
      <Stack component="ul" role="list" className="plain" gap={6}>
        {cards.map(([id, title]) => (
          <li key={id}>
            <Anchor component="button" type="button" size="sm" onClick={() => goTo(id)}>
              {title}
            </Anchor>
          </li>
        ))}
      </Stack>
    </Box>
  );
}

function goTo(id: string): void {
  const title = document.getElementById(id);
  title?.scrollIntoView({ block: 'start' });
  title?.focus({ preventScroll: true });
}
