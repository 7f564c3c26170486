import { toIsoMoment } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import { settleWithin } from '../../../platform/settle-within.ts';
import type { LicenceSnapshot, ValidationState } from '../rules.ts';
import type { CountedResult } from './rules.ts';
import { addCounts } from './store.ts';

const FLUSH_MS = 10_000;
const CLOSE_MS = 1_000;
const METRIC = 'pavis_licence_validations_total';

/** Requests with one result since this process started. */
export interface Count {
  productId: number;
  product: string;
  mode: LicenceSnapshot['licence']['mode'] | '';
  result: CountedResult;
  requests: number;
  /** How many of them are in the database. */
  written: number;
}

/**
 * Counts requests to validate in memory, so that a request writes nothing, and adds them to the database every ten
 * seconds. A process that is killed loses the counts of at most that time.
 */
export class ValidationCounts {
  /** The key is not valid: no licence has it, or it is retired, or its licence belongs to another product. */
  readonly unknownKey: Count;
  readonly #platform: Pick<Platform, 'datastore' | 'clock' | 'log'>;
  readonly #counts: Count[];
  #timer: NodeJS.Timeout | undefined;
  #flushing: Promise<void> = Promise.resolve();

  constructor(platform: Pick<Platform, 'datastore' | 'clock' | 'log'>) {
    this.#platform = platform;
    this.unknownKey = {
      productId: 0,
      product: '',
      mode: '',
      result: 'unknown_key',
      requests: 0,
      written: 0,
    };
    this.#counts = [this.unknownKey];
  }

  /** The count of a result, for the caller to increment. */
  of({ licence, product }: LicenceSnapshot, result: ValidationState): Count {
    const { productId, mode } = licence;
    const known = this.#counts.find(
      (each) => each.result === result && each.productId === productId && each.mode === mode,
    );
    if (known) return known;
    const added = { productId, product, mode, result, requests: 0, written: 0 };
    this.#counts.push(added);
    return added;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
  }

  /** Writes the rest. A database that does not respond must not hold up the end of the process. */
  close(): Promise<void> {
    return settleWithin(CLOSE_MS, this.flush());
  }

  /** Writes what is not written yet. Does not fail: what cannot be written stays in memory. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write());
    return this.#flushing;
  }

  async #write(): Promise<void> {
    const { datastore, clock, log } = this.#platform;
    const day = toIsoMoment(clock.now()).slice(0, 10);
    const counted = this.#counts
      .map((count) => ({ count, requests: count.requests - count.written }))
      .filter(({ requests }) => requests > 0)
      // Nodes lock the rows in the same order.
      .toSorted((a, b) => compare(toKey(a.count), toKey(b.count)));
    if (counted.length === 0) return;
    const rows = counted.map(({ count: { productId: product_id, mode, result }, requests }) => ({
      day,
      product_id,
      mode,
      result,
      requests,
    }));
    try {
      await datastore.transaction((trx) => addCounts(trx, rows));
      for (const { count, requests } of counted) count.written += requests;
    } catch (err) {
      log.warn({ err }, 'counts of validations cannot be written, and are kept in memory');
    }
  }

  /** The counts of this process in Prometheus' format. */
  render(): string {
    return [
      `# HELP ${METRIC} Requests to validate a licence, by result.`,
      `# TYPE ${METRIC} counter`,
      ...this.#counts.map(
        ({ product, mode, result, requests }) =>
          `${METRIC}{product="${product}",mode="${mode}",result="${result}"} ${requests}`,
      ),
      '',
    ].join('\n');
  }
}

const toKey = ({ productId, mode, result }: Count): string => `${productId} ${mode} ${result}`;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
