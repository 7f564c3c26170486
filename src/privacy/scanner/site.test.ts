import { describe, expect, it } from 'vitest';
import { toSitePage } from './site.ts';

describe('A page of the protected site', () => {
  it.each([
    ['https://site.example', 'https://site.example/'],
    ['https://site.example/a?b=1#c', 'https://site.example/a?b=1'],
    ['https://SITE.example:443/', 'https://site.example/'],
    ['https://www.site.example/', 'https://www.site.example/'],
    ['http://site.example/', 'http://site.example/'],
  ])('is on its origin or a redirect target of it: %s', (url, page) => {
    expect(toSitePage(url, 'https://site.example')).toBe(page);
  });

  it.each([
    'https://other.example/',
    'https://sub.site.example/',
    'https://site.example.evil.example/',
    'https://site.example:8443/',
    'https://user@site.example/',
    'https://:secret@site.example/',
    'https://site.example@evil.example/',
    'ftp://site.example/',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '//site.example/',
    '/page',
    '',
    'http://127.0.0.1/',
    'http://2130706433/',
  ])('is not %j', (url) => {
    expect(toSitePage(url, 'https://site.example')).toBeUndefined();
  });

  it('must have the port of the site', () => {
    expect(toSitePage('http://127.0.0.1:8787/x', 'http://127.0.0.1:8787')).toBeDefined();
    expect(toSitePage('http://2130706433:8787/x', 'http://127.0.0.1:8787')).toBeDefined();
    for (const url of [
      'http://127.0.0.1/',
      'http://127.0.0.1:8788/',
      'https://127.0.0.1:8787/',
      'http://localhost:8787/',
    ]) {
      expect(toSitePage(url, 'http://127.0.0.1:8787')).toBeUndefined();
    }
  });

  it('must be below the path of the site', () => {
    const site = 'https://host.example/shop/';
    for (const path of ['/shop', '/shop/', '/shop/a']) {
      expect(toSitePage(`https://host.example${path}`, site)).toBeDefined();
    }
    for (const path of ['/', '/shopping', '/shop/../admin', '/shop/%2e%2e/admin']) {
      expect(toSitePage(`https://host.example${path}`, site)).toBeUndefined();
    }
  });
});
