import type { Routes } from '../platform/http/error-format.ts';
import { ASSET_ROUTE, Asset, readBuiltFile } from './asset.ts';

/** The page has its own policy, which also applies where it is opened from a disk; it cannot state the last part. */
const HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'content-type': 'text/html; charset=utf-8',
};

/** The built page that verifies receipts. @throws HttpError 503 while there is no build */
const readReceiptVerifier = (): Buffer => readBuiltFile('receipt-verifier/receipt-verifier.html');

/** `/receipt-verifier.html`, which calls no server. */
export function serveReceiptVerifier(app: Routes): void {
  let asset: Asset | undefined;
  app.get('/receipt-verifier.html', ASSET_ROUTE, async (request, reply) => {
    asset ??= new Asset(readReceiptVerifier(), HEADERS);
    return asset.send(request, reply);
  });
}
