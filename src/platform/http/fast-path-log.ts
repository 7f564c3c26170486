import type { Logger } from '../log.ts';

const EVERY_MS = 1_000;
/** Slower responses get a line of their own. */
const SLOW_MS = 1_000;
/** Per second, method, path and status, so that an attack cannot fill the log. */
const LINES_MAX = 20;
const SAMPLE_SIZE = 512;

interface Series {
  method: string;
  path: string;
  status: number;
  count: number;
  /** Durations in milliseconds, sampled with equal probability (reservoir sampling). */
  sample: Float64Array;
}

/**
 * The access log of fast paths: one line per second, route and status, with count and durations. Errors and slow
 * responses have lines of their own, with the request id.
 */
export class FastPathLog {
  readonly #log: Logger;
  #series: Series[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  observe(method: string, path: string, status: number, ms: number, reqId: string): void {
    const series = this.#findSeries(method, path, status);
    const place = series.count++;
    const at = place < SAMPLE_SIZE ? place : Math.floor(Math.random() * series.count);
    if (at < SAMPLE_SIZE) series.sample[at] = ms;
    if (status < 400 && ms < SLOW_MS) return;
    if (place < LINES_MAX || ms >= SLOW_MS)
      this.#log.info({ reqId, method, path, status, ms: round(ms) }, 'request');
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { method, path, status, count, sample } of this.#series) {
      const sorted = sample.subarray(0, Math.min(count, SAMPLE_SIZE)).sort();
      const at = (share: number) => round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
      const times = { p50_ms: at(0.5), p99_ms: at(0.99) };
      this.#log.info({ method, path, status, count, ...times }, 'requests');
    }
    this.#series = [];
  }

  #findSeries(method: string, path: string, status: number): Series {
    for (const series of this.#series) {
      if (series.status === status && series.path === path && series.method === method)
        return series;
    }
    const sample = new Float64Array(SAMPLE_SIZE);
    const series = { method, path, status, count: 0, sample };
    this.#series.push(series);
    this.#timer ??= setTimeout(() => this.flush(), EVERY_MS).unref();
    return series;
  }
}

const round = (ms: number): number => Math.round(ms * 100) / 100;
