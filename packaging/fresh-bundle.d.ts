/** The newest bundle of a checkout. */
export interface Bundle {
  folder: string;
  /** Each file that it depends on, the time of its last change in milliseconds, and its size in bytes. */
  sources: [file: string, mtimeMs: number, size: number][];
}

export const BUNDLES: string;
export const CURRENT: string;
export function readCurrent(project: string): Bundle | undefined;
export function findFreshBundle(project: string): string | undefined;
export function markInUse(folder: string): boolean;
export function isInUse(folder: string): boolean;
