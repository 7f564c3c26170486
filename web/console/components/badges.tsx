import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ConsentRecord } from '../api/types.ts';
import { toLabel } from './format.ts';

const COLORS = {
  neutral: 'gray',
  good: 'green',
  warn: 'yellow',
  bad: 'red',
  info: 'blue',
} as const;

export type Tone = keyof typeof COLORS;

export function StatusBadge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <Badge color={COLORS[tone]} data-tone={tone}>
      {children}
    </Badge>
  );
}

const CATEGORY_TONES: Record<string, Tone> = {
  necessary: 'good',
  functional: 'info',
  analytics: 'warn',
  marketing: 'bad',
};

/** The name that the banner gives a consent category by default. */
export const getCategoryLabel = (id: string): string =>
  id === 'functional' ? 'Strictly necessary' : toLabel(id);

/** What a visitor chose. */
export const CHOICES: Record<ConsentRecord['consent_action'], { label: string; tone: Tone }> = {
  accept_all: { label: 'Accepted all', tone: 'good' },
  manage: { label: 'Customised', tone: 'warn' },
  reject_all: { label: 'Rejected all', tone: 'neutral' },
};

export function CategoryBadge({ id }: { id: string | null }) {
  if (!id) return '–';
  return <StatusBadge tone={CATEGORY_TONES[id] ?? 'neutral'}>{getCategoryLabel(id)}</StatusBadge>;
}
