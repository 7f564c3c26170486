import { describe, expect, it } from 'vitest';
import { findBotWall, getAccessError } from './page-access.ts';

describe('getAccessError', () => {
  it.each([200, 204, 304, undefined])('returns no error for status %s', (status) => {
    expect(getAccessError(status === undefined ? {} : { status })).toBeUndefined();
  });

  it.each([
    [401, /^The server answered 401 \(Unauthorized\) .* requires sign-in/],
    [403, /^The server answered 403 \(Forbidden\) .*firewall/],
    [404, /^The server answered 404 \(Not Found\) .*does not exist/],
    [418, /^The server answered 418 \(I'm a Teapot\) instead of the page\.$/],
    [429, /limits requests/],
    [500, /^The server answered 500 \(Internal Server Error\)/],
    [503, /^The server answered 503 \(Service Unavailable\) .*error or is under maintenance/],
    [599, /^The server answered 599 instead of the page/],
  ])('explains status %i', (status, words) => {
    expect(getAccessError({ status })).toMatch(words);
  });

  it('returns the name of the bot protection for any status', () => {
    expect(getAccessError({ status: 202, botWall: 'AWS WAF' })).toMatch(/AWS WAF.* with 202/);
  });
});

describe('A bot protection', () => {
  const page = (html: string, status = 200, headers = {}) => findBotWall({ status, headers, html });

  it.each([
    ['Cloudflare', 403, { 'cf-mitigated': 'challenge' }, ''],
    [
      'Cloudflare',
      503,
      {},
      '<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/h/b">',
    ],
    ['Cloudflare', 403, {}, '<title>Attention Required! | Cloudflare</title>'],
    ['AWS WAF', 202, { 'X-Amzn-Waf-Action': 'challenge' }, ''],
    ['DataDome', 403, {}, '<script src="https://ct.captcha-delivery.com/c.js"></script>'],
    [
      'Imperva',
      200,
      {},
      '<META NAME="robots" CONTENT="noindex,nofollow"><iframe src="/_Incapsula_Resource?SWUDNSAI=31"></iframe>',
    ],
  ])('is recognised by its challenge: %s with %i', (name, status, headers, html) => {
    expect(page(html, status, headers)).toBe(name);
  });

  it.each([
    '<title>Just a moment with our founder</title><p>Coffee.</p>',
    '<title>Shop</title><script src="/cdn-cgi/scripts/email-decode.min.js"></script>',
    `<title>Just a moment...</title>cloudflare${'x'.repeat(70_000)}`,
    '<p>How we replaced DataDome (captcha-delivery.com)</p>',
  ])('is not confused with a page of the site: %s', (html) => {
    expect(page(html)).toBeUndefined();
  });
});
