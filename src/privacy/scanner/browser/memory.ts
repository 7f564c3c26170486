import { readdirSync, readFileSync } from 'node:fs';
import type { Logger } from '../../../platform/log.ts';

/** A page that fills memory as fast as it can takes some 200 MB in this time. */
const LOOK_EVERY_MS = 100;

export interface Process {
  pid: number;
  /** Allocated memory in bytes, without mapped program files. */
  bytes: number;
}

export interface MemoryLimit {
  /** What one page may take, in bytes. The limit of the browser is this times the open pages. */
  pageBytes: number;
  pages: number;
}

/** The page, or another page of the same browser, was ended for its memory. */
export class MemoryLimitError extends Error {
  /** No other page was open. */
  readonly alone: boolean;

  constructor(alone: boolean) {
    super('ended for the memory it took');
    this.alone = alone;
  }
}

/** Returns the largest process if it exceeds the limit of a page, or all processes exceed the limit of all pages. */
export function findExcess(
  processes: readonly Process[],
  { pageBytes, pages }: MemoryLimit,
): Process | undefined {
  const [largest] = processes.toSorted((a, b) => b.bytes - a.bytes);
  const total = processes.reduce((sum, { bytes }) => sum + bytes, 0);
  return largest && (largest.bytes > pageBytes || total > pageBytes * pages) ? largest : undefined;
}

/** Watches the memory of one browser while pages are open. Linux only; there is no limit on other systems. */
export class BrowserMemory {
  readonly #browserPid: number;
  readonly #limit: () => MemoryLimit;
  readonly #log: Logger;
  readonly #groups = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #endedAt = Number.NEGATIVE_INFINITY;

  /** @param browserPid the leader of the process group of the browser */
  constructor(browserPid: number, limit: () => MemoryLimit, log: Logger) {
    this.#browserPid = browserPid;
    this.#limit = limit;
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref();
  }

  /** @param since as `performance.now()` gives it */
  hasKilledSince(since: number): boolean {
    return this.#endedAt >= since;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const limit = this.#limit();
    if (limit.pages === 0) return;
    const processes = this.#processes();
    const excess = findExcess(processes, limit);
    if (!excess) return;
    this.#endedAt = performance.now();
    this.#log.warn({ processes, ...limit, pid: excess.pid }, 'page ended for the memory it takes');
    try {
      process.kill(excess.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  #processes(): Process[] {
    const pids = readdir('/proc').filter((name) => /^\d+$/.test(name));
    const alive = new Set(pids);
    for (const pid of this.#groups.keys()) if (!alive.has(pid)) this.#groups.delete(pid);
    return pids.flatMap((pid) => {
      if (this.#groupOf(pid) !== this.#browserPid) return [];
      return [{ pid: Number(pid), bytes: parseBytes(read(`/proc/${pid}/status`)) }];
    });
  }

  #groupOf(pid: string): number {
    let group = this.#groups.get(pid);
    if (group === undefined) {
      // Program names may contain spaces and brackets.
      const [, , , pgrp] = /\) (\S+) (\d+) (\d+)/.exec(read(`/proc/${pid}/stat`)) ?? [];
      group = Number(pgrp);
      this.#groups.set(pid, group);
    }
    return group;
  }
}

/** Anonymous memory, shared memory, and what of it was swapped out. */
function parseBytes(status: string): number {
  let bytes = 0;
  for (const [, kB] of status.matchAll(/^(?:RssAnon|RssShmem|VmSwap):\s+(\d+) kB$/gm)) {
    bytes += Number(kB) * 1024;
  }
  return bytes;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function readdir(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
