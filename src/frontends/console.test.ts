import { describe, expect, it } from 'vitest';
import { useTestApp } from '../../test/support/test-app.ts';

describe('/admin/', () => {
  const app = useTestApp('sqlite', {
    PAVIS_REST_ROOT: 'http://127.0.0.1:1/privacy/api',
    PAVIS_BASE_URL: 'http://127.0.0.1:1/licences',
  });

  const withoutNonce = (text: string) => text.replace(/ nonce="[^"]+"/, '');

  it('is one page for every address of the console, which may not be kept and loads only its own', async () => {
    const page = await app.http.get('/admin/');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(page.text).toContain('content="/privacy/api"');
    expect(page.text).toContain('content="http://127.0.0.1:1/licences"');
    expect(page.text).not.toMatch(/(src|href)="(https?:)?\/\//);
    for (const path of ['/admin/vendors/1', '/admin/scanner?page=2', '/admin/no/such']) {
      expect(withoutNonce((await app.http.get(path)).text)).toBe(withoutNonce(page.text));
    }
  });

  it('lets in the styles of the page by a nonce that no other answer has', async () => {
    const seen = new Set<string>();
    for (const path of ['/admin/', '/admin/', '/admin/index.html']) {
      const { headers, text } = await app.http.get(path);
      const [, nonce = ''] = / nonce="([^"]{22,})"/.exec(text) ?? [];
      expect(headers.get('content-security-policy')).toContain(
        `style-src 'self' 'nonce-${nonce}';`,
      );
      seen.add(nonce);
    }
    expect(seen.size).toBe(3);
  });

  it('lets its hashed files be kept for ever, and has no others', async () => {
    const page = await app.http.get('/admin/');
    const script = /src="([^"]+\.js)"/.exec(page.text)?.[1] ?? '';
    const { headers, status } = await app.http.get(script);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    for (const path of ['/admin/assets/none.js', '/admin/assets/../../package.json']) {
      expect((await app.http.get(path)).status).toBe(404);
    }
  });

  it('leads from /admin to it', async () => {
    const answer = await fetch(`${app.url}/admin`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([301, '/admin/']);
  });
});
