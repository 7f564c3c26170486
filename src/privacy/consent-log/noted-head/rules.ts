import { isKeyName } from '../../../platform/transparency-log/index.ts';

/** A state of the log that the main database remembers. */
export interface NotedHead {
  /** Name of the log. */
  origin: string;
  /** Number of entries. */
  size: number;
  root: Buffer;
}

/** Formats a head as the facts of a log entry. */
export const toNotedFacts = ({ origin, size, root }: NotedHead) => ({
  origin,
  size,
  root: root.toString('base64'),
});

/** @returns undefined unless facts have it as Pavis writes it */
export function readNotedFacts(facts: unknown): NotedHead | undefined {
  const { origin, size, root } = (facts ?? {}) as Record<string, unknown>;
  if (!isKeyName(origin) || typeof root !== 'string') return undefined;
  if (!Number.isSafeInteger(size) || Number(size) < 1) return undefined;
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

/** @returns undefined unless a JSON text has it as Pavis writes it */
export function parseNotedHead(text: string): NotedHead | undefined {
  try {
    return readNotedFacts(JSON.parse(text));
  } catch {
    return undefined;
  }
}
