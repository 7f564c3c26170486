import { noteWritten, type WrittenFile, type ZipFile } from '../../../platform/zip.ts';
import type { Receipts } from '../context.ts';

/** The consent records of a person, by whether the package has a receipt. */
export interface PackageReceipts {
  issued: number;
  /** Not in the consent log yet. */
  not_logged: number;
  /** Other than what was logged. */
  altered: number;
  /** Without a proof, because the log is damaged. */
  unproven: number;
  /** The path of the page that verifies them; null without receipts, and if the page is not built. */
  verifier: string | null;
}

/**
 * The receipts of a person as files, with the page that verifies them.
 * @param receipts is completed, and `written` gets the files, while they are written
 */
export async function* listReceiptFiles(
  source: Receipts,
  visitorIds: readonly string[],
  { receipts, written }: { receipts: PackageReceipts; written: WrittenFile[] },
): AsyncGenerator<ZipFile, void> {
  for (const visitorId of visitorIds) {
    for await (const receipt of source.list(visitorId)) {
      if ('missing' in receipt) {
        receipts[receipt.missing]++;
        continue;
      }
      receipts.issued++;
      const { recordId, proof, page } = receipt;
      const name = `receipts/consent-receipt-${recordId}`;
      yield noteWritten({ path: `${name}.tlog-proof`, chunks: () => [proof] }, written);
      yield noteWritten({ path: `${name}.html`, chunks: () => [page] }, written);
    }
  }
  const page = receipts.issued > 0 && (await source.readVerifier());
  if (!page) return;
  const path = 'receipts/receipt-verifier.html';
  receipts.verifier = path;
  yield noteWritten({ path, chunks: () => [page] }, written);
}
