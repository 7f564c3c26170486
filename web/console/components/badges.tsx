import type { ReactNode } from 'react';
import { toLabel } from './format.ts';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

export function StatusBadge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`tag ${tone}`}>{children}</span>;
}

const CATEGORY_TONES: Record<string, Tone> = {
  necessary: 'good',
  functional: 'info',
  analytics: 'warn',
  marketing: 'bad',
};

/** A consent category. */
export function CategoryBadge({ id }: { id: string | null }) {
  if (!id) return <span className="soft">–</span>;
  return <StatusBadge tone={CATEGORY_TONES[id] ?? 'neutral'}>{toLabel(id)}</StatusBadge>;
}
