import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { extname, join } from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { matchesIfNoneMatch } from '../platform/http/entity-tags.ts';
import type { Routes } from '../platform/http/error-format.ts';
import { HttpError } from '../platform/http/errors.ts';
import { PROJECT_ROOT } from '../platform/project-root.ts';
import type { BlockingRule } from './blocking.ts';
import {
  CLIPS,
  ENDPOINTS,
  type Endpoint,
  FILE_COOKIES,
  OWN_MATOMO,
  OWN_MATOMO_PIXEL,
  THIRD_PARTY_NAMES,
} from './third-parties.ts';

const FOLDER = join(PROJECT_ROOT, 'web/demo/');
const THIRD_PARTIES = '/demo/third-parties/';
/** Files of the guesthouse that do nothing but load what third parties provide. */
const LOADERS = '/demo/assets/loaders/';

/** Pages that are sent unchanged: the banner blocks their third parties (docs/guides/banner.md). */
const UNCHANGED = new Set(['/demo/film/']);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
};
const PAGE_COOKIE = 'heron_session=demo; Path=/demo/; HttpOnly; SameSite=Lax';
/** The browser lets nothing be put around or into the pages; what they load themselves is theirs to show. */
const POLICY = "base-uri 'self'; object-src 'none'; frame-ancestors 'self'";

/** Text of the folder, by its address. Links to sample third parties have no port yet. */
interface DemoFile {
  type: string;
  text: string;
}

/**
 * Internal URL for a request to a sample third party, which is another host name of this server; undefined for other
 * hosts. Such a host serves only its own files.
 */
export function thirdPartyUrl({ url = '/', headers }: IncomingMessage): string | undefined {
  const name = findThirdParty(headers.host);
  if (name === undefined || !url.startsWith('/')) return undefined;
  // The query is ignored.
  return `${THIRD_PARTIES}${name}${url.split('?', 1)[0]}`;
}

/**
 * `/demo/`: a fictional guesthouse and its third parties, which store nothing.
 * @param pluginPrefix path of the plugin REST API, from which the pages read the script registry as any CMS would
 */
export function serveDemo(server: Routes, pluginPrefix: string): void {
  const { site, thirdParties, notFound } = readFiles();

  async function applyRegistry(request: FastifyRequest, page: DemoFile): Promise<DemoFile> {
    const answer = await server.inject({ url: `${pluginPrefix}/svc/v1/consent/scripts` });
    if (answer.statusCode === 404) return page;
    if (answer.statusCode !== 200) throw new HttpError(503);
    const registry = answer.json<BlockingRule[]>();
    if (registry.length === 0) return page;
    // Not before it is needed: its parser takes memory that a start can do without.
    const { applyBlockingRules } = await import('./blocking.ts');
    const address = `http://${request.headers.host}${request.url}`;
    const text = withPort(page.text, request);
    const readLoader = ({ host, pathname }: URL) =>
      host === request.headers.host && pathname.startsWith(LOADERS)
        ? withPort(site.get(pathname)?.text ?? '', request)
        : undefined;
    return { ...page, text: applyBlockingRules(text, address, registry, readLoader) };
  }

  server.register(async (routes: Routes) => {
    // Forms and beacons of any kind are read to their end and forgotten.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null));
    const options = { schema: { hide: true }, config: { quiet: true } };

    routes.get('/demo', options, (_request, reply) => reply.redirect('/demo/', 301));
    routes.get(OWN_MATOMO, options, (request, reply) =>
      sendEndpoint(request, reply, OWN_MATOMO_PIXEL),
    );
    routes.post('/demo/booking/', options, (_request, reply) =>
      reply.redirect('/demo/thanks/', 303),
    );
    routes.get('/demo/*', options, async (request, reply) => {
      const path = getPath(request);
      const file = site.get(path);
      if (!file && site.has(`${path}/`)) return reply.redirect(`${path}/`, 301);
      reply.code(file ? 200 : 404);
      if (file && file.type !== TYPES['.html']) return sendFile(request, reply, file);
      const page =
        UNCHANGED.has(path) && file ? file : await applyRegistry(request, file ?? notFound);
      reply.header('content-security-policy', POLICY).header('set-cookie', PAGE_COOKIE);
      return sendFile(request, reply, page);
    });

    routes.route({
      ...options,
      method: ['GET', 'POST'],
      url: `${THIRD_PARTIES}*`,
      handler(request, reply) {
        const path = getPath(request);
        const isThere = findThirdParty(request.headers.host) !== undefined;
        const endpoint = isThere ? ENDPOINTS[path.slice(THIRD_PARTIES.length)] : undefined;
        reply.header('access-control-allow-origin', '*');
        reply.header('cross-origin-resource-policy', 'cross-origin');
        if (endpoint) return sendEndpoint(request, reply, endpoint);
        const file = isThere && request.method !== 'POST' ? thirdParties.get(path) : undefined;
        if (!file) return sendFile(request, reply.code(404), NO_FILE);
        for (const cookie of FILE_COOKIES[path.slice(THIRD_PARTIES.length)] ?? []) {
          reply.header('set-cookie', cookie);
        }
        return sendFile(request, reply, file);
      },
    });
  });
}

const NO_FILE: DemoFile = { type: 'text/plain; charset=utf-8', text: 'Not found.\n' };

const getPath = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

/** The first label of a sample third party's host; undefined for other hosts. */
function findThirdParty(host = ''): string | undefined {
  const name = /^([a-z-]+)\.localhost(?::\d+)?$/i.exec(host)?.[1]?.toLowerCase();
  return name !== undefined && THIRD_PARTY_NAMES.has(name) ? name : undefined;
}

function sendEndpoint(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
): FastifyReply {
  reply.code(endpoint.status).header('cache-control', 'no-store');
  for (const cookie of endpoint.cookies ?? []) reply.header('set-cookie', cookie);
  if (endpoint.location) reply.header('location', withPort(endpoint.location, request));
  return endpoint.type ? reply.type(endpoint.type).send(endpoint.body) : reply.send();
}

/** The file as this server's address has it, or 304. It may be kept, if it is asked for again each time. */
function sendFile(request: FastifyRequest, reply: FastifyReply, file: DemoFile): FastifyReply {
  const text = withPort(file.text, request);
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
  reply.header('cache-control', 'no-cache').header('etag', etag).header('vary', 'host');
  if (reply.statusCode === 200 && matchesIfNoneMatch(request.headers['if-none-match'], etag)) {
    return reply.code(304).send();
  }
  return reply.type(file.type).send(text);
}

/** Sends third parties' links to the port that the visitor came by, which need not be the one we listen on. */
function withPort(text: string, { headers }: FastifyRequest): string {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[0] ?? '';
  // In a script's text a slash may be written as `\/`.
  return text.replace(/\.localhost(?=\\?\/)/g, `.localhost${port}`);
}

function readFiles() {
  const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
  const list = (folder: string) =>
    readdirSync(join(FOLDER, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(FOLDER.length).replaceAll('\\', '/'),
      );
  const readFile = (path: string): DemoFile => ({
    type: TYPES[extname(path)] ?? NO_FILE.type,
    // `<!-- #head -->` stands for parts/head.html.
    text: read(path).replace(/<!-- #(\w+) -->/g, (_, part: string) => read(`parts/${part}.html`)),
  });

  const site = new Map<string, DemoFile>();
  for (const path of list('pages')) {
    const name = path.slice('pages/'.length).replace(/\.html$/, '');
    site.set(name === 'home' ? '/demo/' : `/demo/${name}/`, readFile(path));
  }
  for (const path of [...list('assets'), ...list('vendor')]) {
    site.set(`/demo/${path}`, readFile(path));
  }
  const thirdParties = new Map<string, DemoFile>();
  for (const path of list('third-parties')) {
    thirdParties.set(`/demo/${path}`, readFile(path));
    // Frames and tags are asked for without an ending.
    thirdParties.set(`/demo/${path.replace(/\.\w+$/, '')}`, readFile(path));
  }
  const clip = readFile('parts/clip.html');
  for (const [name, words] of Object.entries(CLIPS)) {
    const text = clip.text.replace(/\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole);
    thirdParties.set(`${THIRD_PARTIES}clipframe/embed/${name}`, { ...clip, text });
  }
  return { site, thirdParties, notFound: readFile('parts/notfound.html') };
}
