import { toIsoMoment } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/index.ts';
import { noteWritten, toChecksums, type WrittenFile, type ZipFile } from '../../../platform/zip.ts';
import type { EntryColumns } from '../entries/columns.ts';
import type { ConsentLog } from '../log/open.ts';
import type { ProvenCheckpoint } from '../proofs/service.ts';
import { readVerifierPage } from '../receipts/verifier-page.ts';
import { type BannerFacts, listBannerFiles } from './banner-files.ts';
import { createLines } from './lines.ts';
import { renderReadme } from './readme.ts';
import { createRecordCounts, listRecordFiles } from './record-files.ts';
import type { Period } from './store.ts';

/** What the files of a bundle are written from. */
export interface BundleContents {
  db: Db;
  log: ConsentLog;
  columns: EntryColumns;
  siteUrl: string;
  timeZone: string;
  period: Period;
  /** The lowest and the highest id of its records. */
  limits: { first: number; last: number };
  banners: readonly BannerFacts[];
  /** The checkpoint of the log that the proofs lead to. */
  checkpoint: ProvenCheckpoint;
  verifierKey: string;
  /** In epoch milliseconds. */
  createdAt: number;
}

/**
 * The files of a bundle, with their checksums at the end.
 * @param counted is called with the number of records of each file
 */
export async function* listFiles(
  contents: BundleContents,
  counted: (records: number) => void,
): AsyncGenerator<ZipFile> {
  const written: WrittenFile[] = [];
  for await (const each of listContents(contents, counted)) yield noteWritten(each, written);
  yield toChecksums(written);
}

async function* listContents(
  { db, log, columns, siteUrl, timeZone, period, limits, banners, ...contents }: BundleContents,
  counted: (records: number) => void,
): AsyncGenerator<ZipFile> {
  const { checkpoint } = contents;
  const scope = { db, columns, lines: createLines(log, checkpoint) };
  const counts = createRecordCounts();
  yield toFile('README.txt', renderReadme(siteUrl, timeZone, period));
  yield toFile('log-key.txt', `${contents.verifierKey}\n`);
  yield toFile('checkpoint.txt', checkpoint.note);
  yield* listRecordFiles(scope, period, limits, counts, counted);
  yield* listBannerFiles(scope, banners, counts.versions);
  const page = await readVerifierPage();
  if (page) yield toFile('receipt-verifier.html', page);
  const facts = { format: 'pavis-bundle-1', site_url: siteUrl, time_zone: timeZone, ...period };
  const manifest = {
    ...facts,
    created_at: toIsoMoment(contents.createdAt),
    records: counts.records,
  };
  yield toFile('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
}

const toFile = (path: string, content: string | Uint8Array): ZipFile => ({
  path,
  chunks: () => [content],
});
