import { Group, type MantineSpacing } from '@mantine/core';
import { LinkButton } from './link-button.tsx';

/** Links to the views of a page, which its address names; they look like tabs. */
export function ViewLinks({
  label,
  views,
  current,
  keep,
  mb = 'lg',
}: {
  /** The accessible name. */
  label: string;
  views: readonly (readonly [name: string, label: string])[];
  current: string;
  /** Parameters of the address that apply to every view. */
  keep?: Partial<Record<string, string>>;
  /** The space below; 0 within a stack. */
  mb?: MantineSpacing;
}) {
  return (
    <Group
      component="nav"
      aria-label={label}
      gap={0}
      mb={mb}
      style={{ borderBottom: '1px solid var(--line)' }}
    >
      {views.map(([name, text]) => {
        const isCurrent = name === current;
        const page = isCurrent ? 'page' : undefined;
        return (
          <LinkButton
            key={name}
            to="."
            search={{ ...keep, view: name } as never}
            resetScroll={false}
            aria-current={page}
            activeProps={{ 'aria-current': page }}
            variant="subtle"
            color="gray"
            radius={0}
            px="sm"
            fw={isCurrent ? 600 : 400}
            c={isCurrent ? 'var(--ink)' : 'dimmed'}
            style={{ boxShadow: isCurrent ? 'inset 0 -2px var(--accent)' : undefined }}
          >
            {text}
          </LinkButton>
        );
      })}
    </Group>
  );
}
