import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { type DocumentedApi, describeApi } from '../../platform/api-docs/described-api.ts';
import type { Routes } from '../../platform/http/error-format.ts';
import { ASSET_ROUTE, Asset, readBuild } from '../asset.ts';
import { DOCS_POLICY, renderPage } from './layout.ts';
import { listGroups, listSearchRecords } from './pages.ts';
import type { BuiltGuides } from './schemas.ts';

const HEADERS = {
  'content-security-policy': DOCS_POLICY,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
};
const TYPES: Readonly<Record<string, string>> = {
  '.webp': 'image/webp',
  '.png': 'image/png',
};
const PLAIN_TEXT = 'text/plain; charset=utf-8';

interface DocsSite {
  /** By their path below `/docs/`. */
  assets: ReadonlyMap<string, Asset>;
  guides: BuiltGuides;
}

/**
 * `/docs`: the built guides, and the API reference that is rendered from the OpenAPI documents, with a search for both.
 * Everything is read and rendered with the first request.
 */
export function serveDocs(app: Routes, apis: DocumentedApi[]): void {
  let site: Promise<DocsSite> | undefined;
  const open = () => {
    site ??= openSite(app, apis).catch((error) => {
      // There may be a build later.
      site = undefined;
      throw error;
    });
    return site;
  };
  app.get('/docs', ASSET_ROUTE, (_request, reply) => reply.redirect('docs/', 301));
  app.get<{ Params: { '*': string } }>('/docs/*', ASSET_ROUTE, async (request, reply) => {
    const asset = (await open()).assets.get(request.params['*']);
    return asset ? asset.send(request, reply) : reply.callNotFound();
  });
  app.get<{ Params: { '*': string } }>('/docs/console/*', ASSET_ROUTE, async (request, reply) => {
    const { guides } = await open();
    const path = `/${request.params['*']}`;
    const up = '../'.repeat(path.split('/').length - 1);
    return reply.redirect(`${up}${findGuide(guides.console, path)}`, 302);
  });
}

/** The guide to a page of the console; the start of the documentation where there is none. */
function findGuide(guides: BuiltGuides['console'], path: string): string {
  const parts = path.split('/');
  while (parts.length > 1) {
    const guide = guides[parts.join('/')];
    if (guide !== undefined) return guide;
    parts.pop();
  }
  return '';
}

/** @throws HttpError 503 while there is no build */
async function openSite(app: Routes, apis: DocumentedApi[]): Promise<DocsSite> {
  const { guides, files } = readBuild('docs', readDocs);
  const described = await Promise.all(apis.map((each) => describeApi(app, each)));
  const groups = listGroups(guides, described);
  const records = Buffer.from(JSON.stringify(listSearchRecords(groups)));
  const assets = new Map(files);
  assets.set('search.json', toAsset(records, 'application/json; charset=utf-8'));
  for (const page of groups.flatMap(({ pages }) => pages))
    assets.set(page.path, toAsset(renderPage(page, groups), 'text/html; charset=utf-8'));
  return { assets, guides };
}

const toAsset = (bytes: Buffer, type: string, isCompressed = false): Asset =>
  new Asset(bytes, { ...HEADERS, 'content-type': type }, isCompressed);

/** The guides, their script, and the files that they show or link to. */
function readDocs(folder: string): { guides: BuiltGuides; files: Map<string, Asset> } {
  const guides: BuiltGuides = JSON.parse(readFileSync(join(folder, 'guides.json'), 'utf8'));
  const files = new Map<string, Asset>();
  const script = readFileSync(join(folder, 'docs.js'));
  files.set('docs.js', toAsset(script, 'text/javascript; charset=utf-8'));
  const shown = join(folder, 'files');
  for (const entry of readdirSync(shown, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const type = TYPES[extname(file)] ?? PLAIN_TEXT;
    const path = relative(shown, file).replaceAll('\\', '/');
    files.set(path, toAsset(readFileSync(file), type, type.startsWith('image/')));
  }
  return { guides, files };
}
