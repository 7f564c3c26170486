import type { Platform } from '../../../platform/deps.ts';
import { DomainError } from '../../../platform/errors.ts';
import { assertPeriod } from '../../../platform/period.ts';
import { createSigner } from '../../../platform/transparency-log/index.ts';
import { zipFiles } from '../../../platform/zip.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import type { ConsentLog } from '../log/open.ts';
import { explainEmptyLog } from '../noted-head/service.ts';
import { findCheckpointOf } from '../proofs/service.ts';
import { listFacts } from '../verification/store.ts';
import { listFiles } from './contents.ts';
import { findIdRange, type Period } from './store.ts';

export interface BundleScope {
  log: ConsentLog;
  columns: EntryColumns;
  siteUrl: () => string;
  /** Of the days of the period. */
  timeZone: string;
}

export interface Bundle {
  fileName: string;
  /** Writes the archive, once. `counted` is called with the number of records of each file. */
  write: (counted: (records: number) => void) => AsyncIterable<Buffer>;
}

/**
 * The consent records of a period with their proofs and all that is needed to verify them without the server, as a ZIP
 * file. The records of one file are in memory at once.
 * @throws InvalidFieldError if the period is reversed; DomainError `not_found` if it has no records, `log_empty` if
 * nothing has been logged yet
 */
export async function openBundle(
  { datastore, secret, clock }: Pick<Platform, 'datastore' | 'secret' | 'clock'>,
  { log, columns, siteUrl, timeZone }: BundleScope,
  period: Period,
): Promise<Bundle> {
  const { from, to } = period;
  assertPeriod(from, to);
  const db = datastore.reader;
  const limits = await findIdRange(db, period);
  if (!limits) {
    const message = `There are no consent records from ${from} to ${to}. Choose another period.`;
    throw new DomainError('not_found', 'not_found', message);
  }
  const { bannerVersion, bannerPictures } = ENTRY_KINDS;
  const banners = await listFacts(db, [bannerVersion, bannerPictures]);
  const head = await log.readHead();
  const indexes = [
    // Without an entry of the last record, the newest checkpoint has most of the others.
    (await log.findIndex(1, limits.last)) ?? (head?.size ?? 1) - 1,
    ...(await Promise.all(banners.map(({ id }) => log.findIndex(2, id)))),
  ];
  const needed = indexes.reduce<number>((most, index) => Math.max(most, index ?? 0), 0);
  const checkpoint = await findCheckpointOf(db, log, needed);
  if (!head || !checkpoint) {
    const why = await explainEmptyLog(db, 'A running server writes it within seconds');
    throw new DomainError('conflict', 'log_empty', `The consent log ${why}.`);
  }
  const { verifierKey } = createSigner(head.origin, secret.key('consent log'));
  const createdAt = clock.now();
  const contents = {
    ...{ db, log, columns, siteUrl: siteUrl(), timeZone },
    ...{ period, limits, banners, checkpoint, verifierKey, createdAt },
  };
  return {
    fileName: `consent-records-${from}-to-${to}.zip`,
    write: (counted) => zipFiles(listFiles(contents, counted), createdAt),
  };
}
