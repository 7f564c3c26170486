import { describe, expect, it } from 'vitest';
import { startCanary, startWebServer } from '../../../../test/support/web-server.ts';
import { createGuard } from '../net/guard.ts';
import { getScannerUserAgent, guardedFetch } from '../net/guarded-fetch.ts';
import { createHtmlEngine } from './html-engine.ts';

function visit(url: string, signal = new AbortController().signal) {
  const guard = createGuard({
    siteOrigin: new URL(url).origin,
    connectTo: [],
    lookup: async () => [],
  });
  const engine = createHtmlEngine({
    fetch: (address, options) =>
      guardedFetch(address, { guard, userAgent: getScannerUserAgent('1.0.0'), ...options }),
  });
  return engine.visit(url, signal);
}

const PAGE = '<script src="https://t.example/t.js"></script>';

describe('A page scanned without a browser', () => {
  it('follows redirects within the site', async () => {
    const { origin } = await startWebServer((request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/home', 'set-cookie': 'a=1' });
      response.end(request.url === '/' ? '' : PAGE);
    });
    const seen = await visit(`${origin}/`);
    expect(seen).toMatchObject({
      url: `${origin}/`,
      finalUrl: `${origin}/home`,
      status: 200,
      partial: false,
      observations: [{ kind: 'cookie', name: 'a', setBy: `${origin}/` }, { kind: 'script' }],
    });
    expect(seen).not.toHaveProperty('error');
  });

  it.each([404, 500])('is read with status %i', async (status) => {
    const { origin } = await startWebServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end(PAGE);
    });
    expect(await visit(origin)).toMatchObject({ status, observations: [{ kind: 'script' }] });
  });

  it('is decoded with its charset', async () => {
    const { origin } = await startWebServer((request, response) => {
      const type = request.url === '/header' ? 'text/html; charset=utf-16le' : 'text/html';
      const html = `<meta charset="iso-8859-1"><form action="/\u00e4"></form>`;
      const encoding = request.url === '/header' ? 'utf16le' : 'latin1';
      response.writeHead(200, { 'content-type': type }).end(Buffer.from(html, encoding));
    });
    for (const path of ['/header', '/meta']) {
      const { observations } = await visit(origin + path);
      expect(observations).toMatchObject([{ kind: 'form', action: `${origin}/%C3%A4` }]);
    }
  });

  it('returns an error for non-HTML, external redirects and no response', async () => {
    const canary = await startCanary();
    const { origin } = await startWebServer((request, response) => {
      if (request.url === '/pdf') response.writeHead(200, { 'content-type': 'application/pdf' });
      if (request.url === '/out')
        response.writeHead(302, { location: `http://127.0.0.1:${canary.port}/` });
      response.end('%PDF');
    });
    const nothing = { observations: [], partial: false };
    expect(await visit(`${origin}/pdf`)).toMatchObject({
      ...nothing,
      error: 'The page is not HTML (application/pdf).',
    });
    expect(await visit(`${origin}/out`)).toMatchObject({
      ...nothing,
      error: `The page redirects to another site, 127.0.0.1:${canary.port}. The scanner scans pages of the protected site only.`,
    });
    expect(await visit('http://127.0.0.1:1/')).toMatchObject({
      ...nothing,
      error: '127.0.0.1:1 refused the connection.',
    });
    expect(canary.connections()).toBe(0);
  });

  it('is read up to the size and time limits', async () => {
    const { origin } = await startWebServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).write(PAGE);
      if (request.url === '/stalls') return;
      const more = setInterval(() => response.write('x'.repeat(500_000)), 1);
      response.on('close', () => clearInterval(more));
    });
    for (const path of ['/endless', '/stalls']) {
      const seen = await visit(origin + path, AbortSignal.timeout(5_000));
      expect(seen).toMatchObject({ partial: true, observations: [{ kind: 'script' }] });
    }
  });
});
