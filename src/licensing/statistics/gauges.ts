import type { Platform } from '../../platform/deps.ts';
import { settleWithin } from '../../platform/settle-within.ts';
import { getProduct, readCatalogue } from '../products/index.ts';
import { countDownloads, countStatuses } from './store.ts';

/** Counting reads every licence, so a scrape must not do it each time. */
const FRESH_MS = 30_000;
/** A scrape does not wait longer for the database. */
const WAIT_MS = 2_000;

/** Licences and downloads of all nodes in Prometheus' format, at most 30 seconds old; nothing if they cannot be read. */
export class LicenceGauges {
  readonly #platform: Pick<Platform, 'datastore' | 'clock' | 'log'>;
  #text = '';
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(platform: Pick<Platform, 'datastore' | 'clock' | 'log'>) {
    this.#platform = platform;
  }

  async render(): Promise<string> {
    const { clock, log } = this.#platform;
    if (this.#isFresh()) return this.#text;
    this.#reading ??= this.#read()
      .then((text) => {
        this.#text = text;
        this.#readAt = clock.monotonic();
      })
      .catch((err) => log.warn({ err }, 'licences cannot be counted for /metrics'))
      .finally(() => {
        this.#reading = undefined;
      });
    await settleWithin(WAIT_MS, this.#reading);
    return this.#isFresh() ? this.#text : '';
  }

  #isFresh(): boolean {
    return this.#platform.clock.monotonic() - this.#readAt < FRESH_MS;
  }

  async #read(): Promise<string> {
    const { datastore, clock } = this.#platform;
    const { reader } = datastore;
    const [catalogue, statuses, downloads] = [
      await readCatalogue(reader),
      await countStatuses(reader, clock.now()),
      await countDownloads(reader),
    ];
    const slug = (productId: number) => getProduct(catalogue, productId).slug;
    return [
      '# HELP pavis_licences Licences of all nodes by product, mode and status.',
      '# TYPE pavis_licences gauge',
      ...statuses.map(
        ({ productId, mode, status, licences }) =>
          `pavis_licences{product="${slug(productId)}",mode="${mode}",status="${status}"} ${licences}`,
      ),
      '# HELP pavis_release_downloads_total Completed downloads of releases, of all nodes.',
      '# TYPE pavis_release_downloads_total counter',
      ...downloads.map(
        ({ productId, downloads: total }) =>
          `pavis_release_downloads_total{product="${slug(productId)}"} ${total}`,
      ),
      '',
    ].join('\n');
  }
}
