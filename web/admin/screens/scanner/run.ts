import { useSyncExternalStore } from 'react';
import { write } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import type { PageScan } from '../../api/types.ts';

/** How many pages are asked for at a time; the server has a queue of its own. */
const AT_ONCE = 2;

export interface Run {
  scanId: number;
  state: 'running' | 'stopping' | 'stopped' | 'done' | 'failed';
  planned: number;
  pages: { url: string; count: number; error?: string }[];
  findings: number;
  beforeConsent: number;
  vendors: ReadonlySet<string>;
  /** Pages that are looked at now. */
  current: readonly string[];
  error?: string;
}

let run: Run | undefined;
const listeners = new Set<() => void>();

function set(changes: Partial<Run>): void {
  if (!run) return;
  run = { ...run, ...changes };
  for (const listener of listeners) listener();
}

/** The run that goes on, or went on last; it lives on while other screens are looked at. */
export function useRun(scanId: number): Run | undefined {
  const current = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => run,
  );
  return current?.scanId === scanId ? current : undefined;
}

export const isRunning = (): boolean => run?.state === 'running' || run?.state === 'stopping';

/** Looks at pages of a scan, some at a time, and completes the scan after the last. */
export async function runScan(scanId: number, urls: readonly string[]): Promise<void> {
  if (isRunning()) return;
  run = {
    scanId,
    state: 'running',
    planned: urls.length,
    pages: [],
    findings: 0,
    beforeConsent: 0,
    vendors: new Set(),
    current: [],
  };
  set({});
  const todo = [...urls];
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(scanId, todo)));
    if (run.state === 'running') {
      await completeScan(scanId);
      set({ state: 'done' });
    } else {
      set({ state: 'stopped' });
    }
  } catch (error) {
    todo.length = 0;
    set({ state: 'failed', current: [], error: error instanceof Error ? error.message : '' });
  }
  await refresh(scanId);
}

/** Ends after the pages that are looked at now; the scan can be gone on with later. */
export const stopRun = (): void => set({ state: 'stopping' });

export async function completeScan(scanId: number): Promise<void> {
  await write('POST', '/scanner/complete', { scan_id: scanId });
  await refresh(scanId);
}

async function refresh(scanId: number): Promise<void> {
  const keys = [['scans'], ['scan', String(scanId)], ['results', String(scanId)]];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

async function work(scanId: number, todo: string[]): Promise<void> {
  for (;;) {
    const url = run?.state === 'running' ? todo.shift() : undefined;
    if (url === undefined || !run) return;
    set({ current: [...run.current, url] });
    const body = { scan_id: scanId, url };
    const { findings, count, error } = await write<PageScan>('POST', '/scanner/scan-page', body);
    const names = findings.flatMap(({ vendor }) => (vendor ? [vendor.name] : []));
    set({
      current: run.current.filter((each) => each !== url),
      pages: [{ url, count, ...(error !== undefined && { error }) }, ...run.pages],
      findings: run.findings + count,
      beforeConsent: run.beforeConsent + findings.filter((each) => each.needs_consent).length,
      vendors: new Set([...run.vendors, ...names]),
    });
  }
}
