import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FixtureSite {
  url: string;
  /** Replaces the response of a path. Returns a function that restores it. */
  replace(path: string, page: string | ((response: ServerResponse) => void)): () => void;
  close(): void;
}

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Shop</title></head><body>${body}</body></html>`;

/** A small shop with common third parties, on a free port. */
export async function fixtureSite(): Promise<FixtureSite> {
  const pages = new Map<string, string | ((response: ServerResponse) => void)>([
    [
      '/',
      (response) => {
        response.setHeader('set-cookie', [
          'PHPSESSID=s3cretvalue; Path=/; HttpOnly',
          '_ga=GA1.1.s3cretvalue; Max-Age=31536000; Path=/',
        ]);
        response.end(
          page(`<a href="/about">About</a> <a href="/contact?utm_source=home">Contact</a>
            <a href="/terms.pdf">Terms</a> <a href="https://elsewhere.example/">Elsewhere</a>
            <script src="https://www.googletagmanager.com/gtm.js?id=GTM-ABC123&token=s3cretvalue"></script>
            <script src="/js/matomo.js"></script>
            <script src="https://cdn.nobody-known.example/lib.js"></script>
            <noscript><img src="https://www.facebook.com/tr?id=12345&ev=PageView" width="1" height="1"></noscript>`),
        );
      },
    ],
    [
      '/about',
      page(`<a href="/">Home</a> <a href="/deep">Deep</a>
        <iframe src="https://www.youtube.com/embed/abc"></iframe>
        <script type="text/plain" data-category="marketing" src="https://connect.facebook.net/en_US/fbevents.js"></script>`),
    ],
    [
      '/contact',
      page(
        `<form action="https://formspree.io/f/abc" method="post"><input type="email" name="email"></form>`,
      ),
    ],
    ['/deep', page('<p>Nothing here.</p>')],
    [
      '/plain',
      (response) => {
        response.setHeader('content-type', 'text/plain');
        response.end('no page');
      },
    ],
  ]);
  const server = createServer((request, response) => {
    const found = pages.get(new URL(request.url ?? '/', 'http://x').pathname);
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (typeof found === 'function') found(response);
    else response.writeHead(found === undefined ? 404 : 200).end(found ?? page('Not found.'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replace(path, content) {
      const before = pages.get(path);
      pages.set(path, content);
      return () => {
        if (before === undefined) pages.delete(path);
        else pages.set(path, before);
      };
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
