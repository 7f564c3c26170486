import type { Routes } from '../platform/http/error-format.ts';
import { ASSET_ROUTE, Asset, readBuiltFile } from './asset.ts';

const HEADERS = {
  'cache-control': 'public, max-age=300',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'x-robots-tag': 'noindex',
  'content-type': 'application/gzip',
};

/** `/client.tgz`: the typed client as a package, for `npm install` with this address. */
export function serveClientPackage(app: Routes): void {
  let asset: Asset | undefined;
  app.get('/client.tgz', ASSET_ROUTE, async (request, reply) => {
    asset ??= new Asset(readBuiltFile('client/client.tgz'), HEADERS, true);
    return asset.send(request, reply);
  });
}
