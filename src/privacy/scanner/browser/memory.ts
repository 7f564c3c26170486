import { readdirSync, readFileSync } from 'node:fs';
import type { Logger } from '../../../platform/log.ts';

/** A page that fills memory as fast as it can takes some 200 MB in this time. */
const LOOK_EVERY_MS = 100;

/** One process of a browser. */
export interface Process {
  pid: number;
  /** Memory of its own in bytes: what it has allocated, not the program's files that it shares. */
  bytes: number;
}

export interface MemoryLimit {
  /** What one page may take, in bytes; each open page adds as much to what the browser may take. */
  pageBytes: number;
  /** How many pages are open. */
  pages: number;
}

/** The page, or another that was open with it, was ended for the memory that it took. */
export class MemoryLimitError extends Error {
  /** No other page was open. */
  readonly alone: boolean;

  constructor(alone: boolean) {
    super('ended for the memory it took');
    this.alone = alone;
  }
}

/** The largest process, when it takes more than one page may, or all take more than all pages may. */
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

  /** @param browserPid leads the group of all the browser's processes */
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
      // It has ended by itself.
    }
  }

  #processes(): Process[] {
    const pids = readdir('/proc').filter((name) => /^\d+$/.test(name));
    const alive = new Set(pids);
    for (const pid of this.#groups.keys()) if (!alive.has(pid)) this.#groups.delete(pid);
    return pids.flatMap((pid) => {
      if (this.#groupOf(pid) !== this.#browserPid) return [];
      return [{ pid: Number(pid), bytes: bytesOf(read(`/proc/${pid}/status`)) }];
    });
  }

  #groupOf(pid: string): number {
    let group = this.#groups.get(pid);
    if (group === undefined) {
      // A program's name may have blanks and brackets in it.
      const [, , , pgrp] = /\) (\S+) (\d+) (\d+)/.exec(read(`/proc/${pid}/stat`)) ?? [];
      group = Number(pgrp);
      this.#groups.set(pid, group);
    }
    return group;
  }
}

/** Anonymous memory, shared memory, and what of it was swapped out. */
function bytesOf(status: string): number {
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
