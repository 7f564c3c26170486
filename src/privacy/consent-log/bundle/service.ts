import { setImmediate } from 'node:timers/promises';
import { toIsoMoment } from '../../../platform/clock.ts';
import type { Platform } from '../../../platform/deps.ts';
import { DomainError, InvalidFieldError } from '../../../platform/errors.ts';
import { createSigner } from '../../../platform/transparency-log/index.ts';
import {
  noteWritten,
  toChecksums,
  type WrittenFile,
  type ZipFile,
  zipFiles,
} from '../../../platform/zip.ts';
import type { EntryColumns } from '../entries/columns.ts';
import { ENTRY_KINDS } from '../entries/kinds.ts';
import type { ConsentLog } from '../log/open.ts';
import { findCheckpointOf } from '../proofs/service.ts';
import { readVerifierPage } from '../receipts/verifier-page.ts';
import { listFacts } from '../verification/store.ts';
import { findBannerVersion, findPictureFile } from '../verification/subjects/store.ts';
import { createLines } from './lines.ts';
import { renderReadme } from './readme.ts';
import { findIdRange, listRecordsOf, type Period } from './store.ts';

export interface BundleScope {
  log: ConsentLog;
  columns: EntryColumns;
  siteUrl: () => string;
}

export interface Bundle {
  fileName: string;
  /** Writes the archive, once. `counted` is called with the number of records of each file. */
  write: (counted: (records: number) => void) => AsyncIterable<Buffer>;
}

const RECORDS_PER_FILE = 500;
/** Proofs that are made before other work has its turn. */
const RECORDS_AT_ONCE = 10;

/**
 * The consent records of a period with their proofs and all that is needed to verify them without the server, as a ZIP
 * file. The records of one file are in memory at once.
 * @throws InvalidFieldError if the period is reversed; DomainError `not_found` if it has no records, `log_empty` if
 * nothing has been logged yet
 */
export async function openBundle(
  { datastore, secret, clock }: Pick<Platform, 'datastore' | 'secret' | 'clock'>,
  { log, columns, siteUrl }: BundleScope,
  period: Period,
): Promise<Bundle> {
  const { from, to } = period;
  if (to < from)
    throw new InvalidFieldError(
      'date_to',
      `The period ends on ${to}, before it begins on ${from}. Give the first day and then the last.`,
    );
  const db = datastore.reader;
  const range = await findIdRange(db, period);
  if (!range) {
    const message = `There are no consent records from ${from} to ${to}. Choose another period.`;
    throw new DomainError('not_found', 'not_found', message);
  }
  const { bannerVersion, bannerPictures } = ENTRY_KINDS;
  const banners = await listFacts(db, [bannerVersion, bannerPictures]);
  const head = await log.readHead();
  const indexes = [
    // Without an entry of the last record, the newest checkpoint has most of the others.
    (await log.findIndex(1, range.last)) ?? (head?.size ?? 1) - 1,
    ...(await Promise.all(banners.map(({ id }) => log.findIndex(2, id)))),
  ];
  const needed = indexes.reduce<number>((most, index) => Math.max(most, index ?? 0), 0);
  const checkpoint = await findCheckpointOf(db, log, needed);
  if (!head || !checkpoint) {
    const message = 'The consent log has no entries yet. Try again in a few seconds.';
    throw new DomainError('conflict', 'log_empty', message);
  }
  const { verifierKey } = createSigner(head.origin, secret.key('consent log'));
  const lines = createLines(log, checkpoint.size);
  const records = { total: 0, proven: 0, not_logged: 0, altered: 0 };
  const versions = new Set<unknown>();
  const now = clock.now();
  const file = (path: string, ...chunks: (string | Uint8Array)[]): ZipFile => ({
    path,
    chunks: () => chunks,
  });

  async function* listRecordFiles(
    limits: { first: number; last: number },
    counted: (records: number) => void,
  ): AsyncGenerator<ZipFile> {
    let { first } = limits;
    for (let number = 1; ; number++) {
      const page = { first, last: limits.last, limit: RECORDS_PER_FILE };
      const rows = await listRecordsOf(db, columns, period, page);
      if (rows.length === 0) return;
      yield {
        path: `records/${String(number).padStart(6, '0')}.jsonl`,
        async *chunks() {
          for (const [at, row] of rows.entries()) {
            // The log answers without waiting, so other work would have to.
            if (at % RECORDS_AT_ONCE === 0) await setImmediate();
            const { line, state } = await lines.ofRecord(row, columns);
            records[state]++;
            if (row.config_version !== null) versions.add(row.config_version);
            yield `${JSON.stringify(line)}\n`;
          }
          records.total += rows.length;
          counted(rows.length);
        },
      };
      first = Number(rows.at(-1)?.id) + 1;
    }
  }

  /** The texts and pictures of the versions that the records state, and the entries about them. */
  async function* listBannerFiles(): AsyncGenerator<ZipFile> {
    const shown = banners
      .map((banner) => ({ ...banner, stated: JSON.parse(banner.facts) }))
      .filter(({ stated }) => versions.has(stated.version));
    const proven = await Promise.all(shown.map(({ id, facts }) => lines.ofFacts(id, facts)));
    const texts = proven.map(({ line }) => `${JSON.stringify(line)}\n`);
    yield file('versions.jsonl', ...texts);
    for (const version of versions) {
      const row = await findBannerVersion(db, Number(version));
      if (row) yield file(`versions/${version}.json`, String(row.config));
    }
    const pictures = shown.flatMap(({ stated }) => (stated.pictures ?? []) as { sha256: string }[]);
    for (const sha256 of new Set(pictures.map((picture) => picture.sha256))) {
      const png = await findPictureFile(db, sha256);
      if (png) yield { ...file(`pictures/${sha256}.png`, png), isCompressed: true };
    }
  }

  async function* listContents(
    recordFiles: AsyncIterable<ZipFile>,
    note: string,
  ): AsyncGenerator<ZipFile> {
    yield file('README.txt', renderReadme(siteUrl(), period));
    yield file('log-key.txt', `${verifierKey}\n`);
    yield file('checkpoint.txt', note);
    yield* recordFiles;
    yield* listBannerFiles();
    const page = await readVerifierPage();
    if (page) yield file('receipt-verifier.html', page);
    const facts = { format: 'pavis-bundle-1', site_url: siteUrl(), from, to };
    const manifest = { ...facts, created_at: toIsoMoment(now), records };
    yield file('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
  }

  async function* listFiles(contents: AsyncIterable<ZipFile>): AsyncGenerator<ZipFile> {
    const written: WrittenFile[] = [];
    for await (const each of contents) yield noteWritten(each, written);
    yield toChecksums(written);
  }

  return {
    fileName: `consent-records-${from}-to-${to}.zip`,
    write: (counted) =>
      zipFiles(listFiles(listContents(listRecordFiles(range, counted), checkpoint.note)), now),
  };
}
