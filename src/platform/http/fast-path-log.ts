import type { Logger } from '../log.ts';

const EVERY_MS = 1_000;
/** Slower than that an answer gets a line of its own, and so does an error. */
const SLOW_MS = 1_000;
/** Of each second, method, path and status: an attack must not fill the log. */
const LINES_MAX = 20;
const SAMPLE_SIZE = 512;

/** The answers of one second to one route with one status. */
interface Series {
  method: string;
  path: string;
  status: number;
  count: number;
  /** Durations in milliseconds: each of the answers has the same chance to be among them. */
  sample: Float64Array;
}

/**
 * The access log of what is answered before Fastify: once a second a line for each route and status,
 * with the number of answers and how long they took. Errors and slow answers have lines of their own,
 * with the request id.
 */
export class FastPathLog {
  readonly #log: Logger;
  #series: Series[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(log: Logger) {
    this.#log = log;
  }

  observe(method: string, path: string, status: number, ms: number, reqId: string): void {
    const series = this.#seriesOf(method, path, status);
    const place = series.count++;
    const at = place < SAMPLE_SIZE ? place : Math.floor(Math.random() * series.count);
    if (at < SAMPLE_SIZE) series.sample[at] = ms;
    if (status < 400 && ms < SLOW_MS) return;
    if (place < LINES_MAX || ms >= SLOW_MS)
      this.#log.info({ reqId, method, path, status, ms: rounded(ms) }, 'request');
  }

  /** Writes what was counted. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const { method, path, status, count, sample } of this.#series) {
      const sorted = sample.subarray(0, Math.min(count, SAMPLE_SIZE)).sort();
      const at = (share: number) => rounded(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
      const times = { p50_ms: at(0.5), p99_ms: at(0.99) };
      this.#log.info({ method, path, status, count, ...times }, 'requests');
    }
    this.#series = [];
  }

  #seriesOf(method: string, path: string, status: number): Series {
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

const rounded = (ms: number): number => Math.round(ms * 100) / 100;
