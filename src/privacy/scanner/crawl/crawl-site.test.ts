import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { startCanary, startWebServer } from '../../../../test/support/web-server.ts';
import { parseConnectTo } from '../net/connect-to.ts';
import { createGuard } from '../net/guard.ts';
import { type Fetch, getScannerUserAgent, guardedFetch } from '../net/guarded-fetch.ts';
import { type CrawlOptions, crawlSite } from './crawl-site.ts';

type Pages = Record<string, string | Buffer | RequestListener>;

/** A site of these pages; `asked` are the addresses that were asked for. */
async function startSite(pages: Pages) {
  const asked: string[] = [];
  const { origin, port } = await startWebServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const page = pages[path];
    if (typeof page === 'function') return page(request, response);
    if (page === undefined) response.statusCode = 404;
    const isMarkup = !/\.(txt|xml|gz)$/.test(path);
    if (isMarkup) response.setHeader('content-type', 'text/html');
    response.end(page ?? 'not found');
  });
  return { origin, port, asked };
}

const redirect =
  (location: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();

const links = (...hrefs: string[]) => hrefs.map((href) => `<a href="${href}">x</a>`).join('');

type Options = Partial<CrawlOptions> & { connectTo?: string };

async function crawlFor(siteUrl: string, options: Options = {}) {
  const parsed = parseConnectTo(options.connectTo ?? '');
  const guard = createGuard({
    siteOrigin: new URL(siteUrl).origin,
    connectTo: 'entries' in parsed ? parsed.entries : [],
    lookup: async () => [],
  });
  const userAgent = getScannerUserAgent('1.0.0');
  const fetch: Fetch = (url, given) => guardedFetch(url, { guard, userAgent, ...given });
  return crawlSite({
    siteUrl,
    depth: 1,
    maxPages: 200,
    deadlineMs: 6_000,
    fetch,
    userAgent,
    ...options,
  });
}

/** The paths of what a crawl finds. */
async function crawl(siteUrl: string, options: Options = {}) {
  const { pages } = await crawlFor(siteUrl, options);
  const { origin } = new URL(pages[0]?.url ?? '');
  return pages.map(({ url }) => url.replace(origin, ''));
}

describe('The pages of a site', () => {
  const pages: Pages = {
    '/': links('/b', '/a#top', 'a', '/b/'),
    '/a': links('/a/deep', '/'),
    '/b': links('/b/deep'),
    '/a/deep': links('/a/deeper'),
    '/sitemap.xml': '<urlset><url><loc>/mapped</loc></url></urlset>',
  };

  it.each([
    [0, ['/']],
    [1, ['/', '/b', '/a', '/mapped']],
    [2, ['/', '/b', '/a', '/b/deep', '/a/deep', '/mapped']],
    [3, ['/', '/b', '/a', '/b/deep', '/a/deep', '/a/deeper', '/mapped']],
  ])('are those within %i links of the home page, and the sitemap', async (depth, expected) => {
    const { origin, asked } = await startSite(pages);
    expect(await crawl(origin, { depth })).toEqual(expected);
    if (depth === 0) expect(asked).toEqual(['/']);
  });

  it('are limited to the maximum', async () => {
    const { origin } = await startSite({
      '/': links(...Array.from({ length: 50 }, (_, at) => `/page-${at}`)),
    });
    expect(await crawl(origin, { depth: 5, maxPages: 7 })).toHaveLength(7);
    expect(await crawl(origin, { depth: 5, maxPages: 1 })).toEqual(['/']);
  });

  it('are listed once for all spellings', async () => {
    const { origin } = await startSite({
      '/': links(
        '/p',
        '/p/',
        '/p#x',
        '/p?utm_source=x&gclid=1',
        '/p/index.html',
        '/index.php',
        '/q?id=1&fbclid=2',
        '/q?id=1',
        '/s;jsessionid=A1',
        '/s',
      ),
    });
    expect(await crawl(origin)).toEqual(['/', '/p', '/q?id=1', '/s']);
  });

  it('are on the site if their path begins with two slashes', async () => {
    const { origin, asked } = await startSite({
      '/': (_request, response) =>
        void response
          .setHeader('content-type', 'text/html')
          .end(links(`${origin}//`, `${origin}//x/`, `${origin}//other.example/admin?a=1`)),
      '//x/': '',
      '//other.example/admin?a=1': '',
      '/sitemap.xml': (_request, response) =>
        void response.end(`<urlset><loc>${origin}//</loc><loc>${origin}//mapped</loc></urlset>`),
    });
    expect(await crawl(origin, { depth: 2 })).toEqual([
      '/',
      '//x/',
      '//other.example/admin?a=1',
      '//mapped',
    ]);
    expect(asked).toContain('//other.example/admin?a=1');
  });

  it('exclude files, other sites and action links', async () => {
    const { origin } = await startSite({
      '/': links(
        '/a.pdf',
        '/b.JPG',
        'mailto:a@b.example',
        'javascript:x()',
        'https://other.example/',
        '/logout',
        '/wp-login.php?x',
        '/wp-admin/',
        '/cart?add-to-cart=5',
        '/x?action=delete',
        '/x?_wpnonce=1',
        '/account/delete',
        '/unsubscribe?u=1',
        '/index.php?do=logout',
        '/how-to-delete-cookies',
        '/user:pw@x',
      ),
    });
    expect(await crawl(origin)).toEqual(['/', '/how-to-delete-cookies', '/user:pw@x']);
  });

  it('exclude addresses that are too long when encoded', async () => {
    const { origin } = await startSite({
      '/': links(
        `/long?q=${'~'.repeat(1_000)}&utm_source=x`,
        `/short?utm_source=${'x'.repeat(2_100)}`,
      ),
    });
    expect(await crawl(origin)).toEqual(['/', '/short']);
  });

  it('respect robots.txt', async () => {
    const { origin, asked } = await startSite({
      '/robots.txt': `User-agent: *\nDisallow: /\n\nUser-agent: PavisScanner\nDisallow: /secret\nAllow: /secret/open\nSitemap: /maps/index.xml`,
      '/': links('/secret', '/secret/open', '/free'),
      '/maps/index.xml':
        '<sitemapindex><sitemap><loc>/maps/1.xml.gz</loc></sitemap><sitemap><loc>/maps/index.xml</loc></sitemap><sitemap><loc>https://other.example/s.xml</loc></sitemap></sitemapindex>',
      '/maps/1.xml.gz': gzipSync(
        '<urlset><url><loc><![CDATA[/m?a=1&b=2]]></loc></url><url><loc>/n?a=1&amp;b=2</loc></url><url><loc>/secret/mapped</loc></url></urlset>',
      ),
    });
    expect(await crawl(origin)).toEqual(['/', '/secret/open', '/free', '/m?a=1&b=2', '/n?a=1&b=2']);
    expect(asked).not.toContain('/sitemap.xml');
  });

  it('include or count the pages that robots.txt excludes', async () => {
    const { origin } = await startSite({
      '/robots.txt': 'User-agent: *\nDisallow: /',
      '/': links('/a', '/a#top', '/b', '/'),
      '/sitemap.xml': '<urlset><url><loc>/a</loc></url><url><loc>/c</loc></url></urlset>',
    });
    const crawled = (ignoreRobots: boolean) => crawlFor(origin, { ignoreRobots });
    expect(await crawled(false)).toEqual({
      pages: [{ url: `${origin}/`, distance: 0 }],
      robotsExcluded: 3,
      limit: null,
    });
    expect(await crawled(true)).toEqual({
      pages: [
        { url: `${origin}/`, distance: 0 },
        { url: `${origin}/a`, distance: 1 },
        { url: `${origin}/b`, distance: 1 },
        { url: `${origin}/c`, distance: null },
      ],
      robotsExcluded: 0,
      limit: null,
    });
  });

  it('include other languages of a page or the sitemap', async () => {
    const { origin } = await startSite({
      '/': `<link rel="alternate" hreflang="de" href="/de/"><link hreflang="fr" rel="ALTERNATE" href="/fr/">
        <link rel="alternate" type="application/rss+xml" href="/feed/"><link rel="stylesheet" href="/style">
        <link rel="alternate" hreflang="en" href="https://other.example/">`,
      '/sitemap.xml': `<urlset xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>/about</loc>
        <xhtml:link rel="alternate" hreflang="de" href="${'/de/ueber?a=1&amp;b=2'}"/>
        <xhtml:link rel="alternate" media="only screen" href="/mobile"/></url></urlset>`,
    });
    expect(await crawl(origin)).toEqual(['/', '/de/', '/fr/', '/about', '/de/ueber?a=1&b=2']);
  });

  it('include links that scripts of the home page add', async () => {
    const { origin } = await startSite({
      '/': links('/a'),
      '/a': '',
      '/scripted': links('/deep'),
    });
    const listRenderedLinks = async (url: string) => [`${url}scripted`, `${url}a`];
    expect(await crawl(origin, { depth: 2, listRenderedLinks })).toEqual([
      '/',
      '/a',
      '/scripted',
      '/deep',
    ]);
  });

  it('are found with an invalid robots.txt and sitemap', async () => {
    const { origin } = await startSite({
      '/': links('/a'),
      '/robots.txt': (_request, response) => void response.writeHead(500).end('x'),
      '/sitemap.xml': gzipSync(Buffer.alloc(50_000_000)),
    });
    expect(await crawl(origin)).toEqual(['/', '/a']);
  });

  it('are found in the beginning of a large gzipped sitemap', async () => {
    const rest = `<!--${'x'.repeat(6_000_000)}--><url><loc>/last</loc></url></urlset>`;
    const { origin } = await startSite({
      '/': '',
      '/sitemap.xml': gzipSync(`<urlset><url><loc>/first</loc></url>${rest}`),
    });
    expect(await crawl(origin)).toEqual(['/', '/first']);
  });

  it('are no images of a sitemap, and no files of other types', async () => {
    const { origin } = await startSite({
      '/': '<a href="/a.avif"></a><a href="/a.heic"></a><a href="/a.webmanifest"></a><a href="/a.atom"></a>',
      '/sitemap.xml':
        '<urlset><url><loc>/first</loc><image:image><image:loc>/img?id=4</image:loc></image:image></url><url><loc>/cut',
    });
    expect(await crawl(origin)).toEqual(['/', '/first']);
  });

  it('are found by character references of a sitemap', async () => {
    const { origin } = await startSite({
      '/': '',
      '/sitemap.xml':
        '<urlset><loc>/a?x=1&#038;y=2</loc><loc>/b?x=1&#x26;y=2</loc><loc>/c&#x110000;&#0;d</loc></urlset>',
    });
    expect(await crawl(origin)).toEqual(['/', '/a?x=1&y=2', '/b?x=1&y=2', '/c&']);
  });

  it('do not expand XML entities of a sitemap', async () => {
    const { origin } = await startSite({
      '/': '',
      '/sitemap.xml':
        '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset><url><loc>/&a;</loc></url></urlset>',
    });
    expect(await crawl(origin)).toEqual(['/', '/&a;']);
  });

  it('are found in an adversarial sitemap within the time limit', async () => {
    const { origin } = await startSite({
      '/': '',
      '/sitemap.xml': `<urlset>${'<loc>'.repeat(100_000)}${' '.repeat(1_000_000)}${'<aaaa:'.repeat(100_000)}`,
    });
    const started = performance.now();
    expect(await crawl(origin)).toEqual(['/']);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('are below the path of the site', async () => {
    const { origin } = await startSite({
      '/shop/': links('/shop/a', '/', '/shopping', 'b', '../c'),
    });
    expect(await crawl(`${origin}/shop/`)).toEqual(['/shop/', '/shop/a', '/shop/b']);
  });

  it('start at the redirect target of the home page', async () => {
    const { port } = await startSite({
      '/': (request, response) => {
        if (!request.headers.host?.startsWith('www.'))
          redirect('http://www.site.example/')(request, response);
        else
          response
            .setHeader('content-type', 'text/html')
            .end(links('http://site.example/a', 'https://www.site.example/b', '/a'));
      },
    });
    const options = { connectTo: `*:80=127.0.0.1:${port}` };
    expect(await crawl('http://site.example', options)).toEqual(['/', '/a', '/b']);
  });

  it('are those of the whole site if the home page redirects to a page below it', async () => {
    const { origin } = await startSite({
      '/': redirect('/en/'),
      '/en/': links('/', '/en/a', '/de/', '/about'),
      '/shop': redirect('/shop/start.html'),
      '/shop/start.html': links('a', '/shop/', '/about'),
    });
    expect(await crawl(origin)).toEqual(['/en/', '/en/a', '/de/', '/about']);
    expect(await crawl(`${origin}/shop`)).toEqual(['/shop/start.html', '/shop/a']);
  });

  it('exclude duplicates by redirect and non-HTML pages', async () => {
    const { origin } = await startSite({
      '/': links('/old', '/new', '/download', '/home', '/out'),
      '/old': redirect('/new'),
      '/new': links('/deep'),
      '/home': redirect('/'),
      '/out': redirect('https://other.example/'),
      '/download': (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
    });
    expect(await crawl(origin, { depth: 2 })).toEqual(['/', '/new', '/out', '/deep']);
  });

  it('are limited for URLs that differ in their query only', async () => {
    const { origin } = await startSite({
      '/': links(...Array.from({ length: 40 }, (_, at) => `/calendar?day=${at}`), '/a'),
    });
    expect(await crawl(origin)).toHaveLength(12);
  });

  it('include all posts of a site with plain permalinks of WordPress', async () => {
    const posts = Array.from({ length: 20 }, (_, at) => `/?p=${at}`);
    const others = Array.from({ length: 20 }, (_, at) => `/?p=1&replies=${at}`);
    const { origin } = await startSite({ '/': links(...posts, ...others) });
    const { pages, limit } = await crawlFor(origin);
    expect([pages.length, limit]).toEqual([1 + 20 + 9, 'variants']);
  });

  it('tell which limit keeps others out', async () => {
    const { origin } = await startSite({
      '/': links('/a', '/b', '/c?x=1'),
      '/a': links('/b'),
      '/few': links(...Array.from({ length: 12 }, (_, at) => `/few/c?day=${at}`)),
      '/slow': links('/slow/hung', '/slow/a'),
      '/slow/hung': () => {},
    });
    const limitOf = async (path: string, options: Options = {}) =>
      (await crawlFor(origin + path, options)).limit;
    expect(await limitOf('')).toBeNull();
    expect(await limitOf('', { maxPages: 4 })).toBeNull();
    expect(await limitOf('', { maxPages: 3 })).toBe('max_pages');
    expect(await limitOf('', { maxPages: 1 })).toBe('max_pages');
    expect(await limitOf('', { maxPages: 1, depth: 0 })).toBeNull();
    expect(await limitOf('', { maxPages: 4, depth: 2 })).toBe('max_pages');
    expect(await limitOf('/few')).toBe('variants');
    expect(await limitOf('/few', { maxPages: 5 })).toBe('max_pages');
    expect(await limitOf('/slow', { depth: 2, deadlineMs: 1_500 })).toBe('time');
  });

  it.each<[string, Pages, string | null]>([
    ['is read', { '/sitemap.xml': '<urlset><loc>/a</loc></urlset>' }, null],
    ['is missing', {}, null],
    [
      'has more sitemaps than are read',
      {
        '/sitemap.xml': `<sitemapindex>${'<loc>/s-NR.xml</loc>'
          .repeat(21)
          .replace(/NR/g, () => String(Math.random()))}</sitemapindex>`,
      },
      'sitemaps',
    ],
    [
      'is one of more in robots.txt than are read',
      { '/robots.txt': Array.from({ length: 21 }, (_, at) => `Sitemap: /s${at}.xml`).join('\n') },
      'sitemaps',
    ],
    [
      'has more locations than are read',
      { '/sitemap.xml': `<urlset>${'<loc>/a</loc>'.repeat(10_001)}</urlset>` },
      'sitemaps',
    ],
    [
      'is larger than is read',
      { '/sitemap.xml': `<urlset><loc>/a</loc><!--${' '.repeat(5_000_000)}--></urlset>` },
      'sitemaps',
    ],
    [
      'is larger than is read when decompressed',
      { '/sitemap.xml': gzipSync(`<urlset><loc>/a</loc><!--${' '.repeat(5_000_000)}--></urlset>`) },
      'sitemaps',
    ],
    ['does not respond', { '/sitemap.xml': () => {} }, 'sitemaps'],
    [
      'does not respond, whatever else is left out',
      {
        '/': links(...Array.from({ length: 12 }, (_, at) => `/c?day=${at}`)),
        '/sitemap.xml': () => {},
      },
      'sitemaps',
    ],
  ])('tell that a sitemap %s', async (_what, more, limit) => {
    const { origin } = await startSite({ '/': '', ...more });
    expect((await crawlFor(origin)).limit).toBe(limit);
  });

  it('are returned within the time limit, possibly incomplete', async () => {
    const { origin } = await startSite({
      '/': links('/slow', '/fast'),
      '/slow': () => {},
      '/fast': links('/deep'),
    });
    const started = performance.now();
    // Enough for the thread that parses documents to start on a busy machine.
    expect(await crawl(origin, { depth: 3, deadlineMs: 2_000 })).toEqual([
      '/',
      '/slow',
      '/fast',
      '/deep',
    ]);
    expect(performance.now() - started).toBeLessThan(8_000);
  });

  it('include a home page with an error status', async () => {
    const { origin } = await startSite({});
    expect(await crawl(origin)).toEqual(['/']);
  });

  it('are never at private addresses', async () => {
    const canary = await startCanary();
    const inside = `http://127.0.0.1:${canary.port}/`;
    const { origin } = await startSite({
      '/': `${links(inside, '/r')}<base href="${inside}">`,
      '/robots.txt': redirect(inside),
      '/sitemap.xml': `<sitemapindex><loc>${inside}</loc><loc>http://localhost:${canary.port}/s.xml</loc></sitemapindex>`,
      '/r': redirect(inside),
    });
    await crawl(origin, { depth: 3 });
    expect(canary.connections()).toBe(0);
  });
});

describe('A site that cannot be reached', () => {
  it('is reported with a message', async () => {
    await expect(crawl('http://127.0.0.1:1')).rejects.toMatchObject({
      name: 'SiteUnreachable',
      message: '127.0.0.1:1 refused the connection.',
    });
    await expect(crawl('http://nobody.example')).rejects.toThrow(
      'The host nobody.example does not exist.',
    );
  });

  it('includes a site that redirects to another one', async () => {
    const { origin } = await startSite({ '/': redirect('https://other.example/home') });
    await expect(crawl(origin)).rejects.toThrow(/redirects to another site, other\.example\./);
  });

  it('includes a site whose home page redirects to a page outside its path', async () => {
    const { origin } = await startSite({ '/shop': redirect('/en/shop/?a=1'), '/en/shop/?a=1': '' });
    await expect(crawl(`${origin}/shop`)).rejects.toThrow(
      `${origin}/shop redirects to ${origin}/en/shop/, which is outside its path. To scan that part of the site, set PAVIS_SITE_URL to its address.`,
    );
  });

  it('includes a site that does not respond', async () => {
    const { origin } = await startSite({ '/': () => {} });
    await expect(crawl(origin, { deadlineMs: 200 })).rejects.toThrow(/did not respond in time/);
  });
});
