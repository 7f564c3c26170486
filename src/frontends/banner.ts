import type { Routes } from '../platform/http/error-format.ts';
import { ASSET_ROUTE, Asset, readBuiltFile } from './asset.ts';
import { insertRestRoot, SITE_SCRIPT_HEADERS } from './site-script.ts';

const FILES = ['banner.js', 'banner.esm.js', 'banner.headless.js'];
/** The placeholder for the rules of automatic blocking (web/banner/auto-blocking.ts). */
const RULES = /(["'`])#blocking-rules\1/;

/** The built banner. @throws HttpError 503 while there is no build */
export const readBanner = (): Buffer => readBuiltFile('banner/banner.js');

/**
 * The banner for sites, and the resource that declares support of Global Privacy Control.
 * @param restRoot a URL, or a path at the banner's own origin
 * @param rules the rules of automatic blocking as JSON, which each file contains
 */
export function serveBanner(
  app: Routes,
  restRoot: string,
  rules: { read(): Promise<string> },
): void {
  for (const file of FILES) {
    let source: string | undefined;
    let known: { text: string; asset: Asset } | undefined;
    app.get(`/${file}`, ASSET_ROUTE, async (request, reply) => {
      // A database that is away must not take the banner with it.
      const text = await rules.read().catch((error) => known?.text ?? Promise.reject(error));
      source ??= insertRestRoot(readBuiltFile(`banner/${file}`), restRoot);
      if (known?.text !== text) {
        const bytes = Buffer.from(source.replace(RULES, () => text));
        known = { text, asset: new Asset(bytes, SITE_SCRIPT_HEADERS) };
      }
      return known.asset.send(request, reply);
    });
  }
  // https://www.w3.org/TR/gpc/#gpc-support-resource
  app.get('/.well-known/gpc.json', ASSET_ROUTE, async (_request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=86400', 'access-control-allow-origin': '*' });
    return { gpc: true, lastUpdate: '2026-11-21' };
  });
}
