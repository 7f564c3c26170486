import { Group, ThemeIcon, Tooltip } from '@mantine/core';
import {
  IconAdjustments,
  IconChartBar,
  IconLock,
  IconSpeakerphone,
  IconTag,
  IconUserHeart,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import { getCategoryLabel } from '../../components/badges.tsx';

const ICONS: Record<string, ComponentType<{ size: number; 'aria-hidden': true }>> = {
  necessary: IconLock,
  functional: IconAdjustments,
  analytics: IconChartBar,
  marketing: IconSpeakerphone,
  personalisation: IconUserHeart,
};

/** Accepted and rejected categories, one icon each: accepted ones are filled. */
export function CategoryIcons({
  accepted,
  rejected,
}: {
  accepted: readonly string[];
  rejected: readonly string[];
}) {
  return (
    <Group gap={4}>
      {accepted.map((id) => (
        <CategoryIcon key={id} id={id} isAccepted />
      ))}
      {rejected.map((id) => (
        <CategoryIcon key={id} id={id} isAccepted={false} />
      ))}
    </Group>
  );
}

function CategoryIcon({ id, isAccepted }: { id: string; isAccepted: boolean }) {
  const Icon = ICONS[id] ?? IconTag;
  const label = `${getCategoryLabel(id)}: ${isAccepted ? 'accepted' : 'rejected'}`;
  return (
    <Tooltip label={label}>
      <ThemeIcon
        role="img"
        aria-label={label}
        size="sm"
        radius="sm"
        color={isAccepted ? 'teal.9' : 'gray'}
        variant={isAccepted ? 'filled' : 'outline'}
        opacity={isAccepted ? 1 : 0.55}
      >
        <Icon size={14} aria-hidden />
      </ThemeIcon>
    </Tooltip>
  );
}

/** Explains the icons of the categories. */
export function CategoryLegend({ ids }: { ids: readonly string[] }) {
  return (
    <Group gap="md" mb="sm" aria-hidden="true" c="dimmed" fz="sm">
      {ids.map((id) => {
        const Icon = ICONS[id] ?? IconTag;
        return (
          <Group key={id} gap={4} wrap="nowrap">
            <Icon size={14} aria-hidden /> {getCategoryLabel(id)}
          </Group>
        );
      })}
      <span>Filled: accepted · Outlined: rejected</span>
    </Group>
  );
}
