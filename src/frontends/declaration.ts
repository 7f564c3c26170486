import type { Routes } from '../platform/http/error-format.ts';
import { ASSET_ROUTE, Asset, readBuiltFile } from './asset.ts';
import { insertRestRoot, SITE_SCRIPT_HEADERS } from './site-script.ts';

/**
 * `/declaration.js`, the element `<pavis-declaration>` for sites.
 * @param restRoot a URL, or a path at the script's own origin
 */
export function serveDeclarationScript(app: Routes, restRoot: string): void {
  let asset: Asset | undefined;
  app.get('/declaration.js', ASSET_ROUTE, async (request, reply) => {
    asset ??= new Asset(
      Buffer.from(insertRestRoot(readBuiltFile('declaration/declaration.js'), restRoot)),
      SITE_SCRIPT_HEADERS,
    );
    return asset.send(request, reply);
  });
}
