import type { ReactNode } from 'react';
import { words } from './format.ts';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'info';

export function Tag({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`tag ${tone}`}>{children}</span>;
}

const CATEGORY_TONES: Record<string, Tone> = {
  necessary: 'good',
  functional: 'info',
  analytics: 'warn',
  marketing: 'bad',
};

/** A consent category. */
export function Category({ id }: { id: string | null }) {
  if (!id) return <span className="soft">–</span>;
  return <Tag tone={CATEGORY_TONES[id] ?? 'neutral'}>{words(id)}</Tag>;
}
