import { describe, expect, it } from 'vitest';
import { isFormServiceUrl, isPixelUrl } from './resources.ts';

describe('isPixelUrl', () => {
  it.each([
    'https://www.facebook.com/tr?id=1&ev=PageView',
    'https://www.facebook.com/tr/?id=1',
    'https://region1.google-analytics.com/g/collect?v=2',
    'https://googleads.g.doubleclick.net/pagead/viewthroughconversion/1/',
    'https://px.ads.linkedin.com/collect/?pid=1',
    'https://mc.yandex.ru/watch/1',
    'https://example.org/matomo.php?idsite=1',
  ])('includes %s', (url) => {
    expect(isPixelUrl(url)).toBe(true);
  });

  it.each([
    'https://www.facebook.com/training',
    'https://www.google-analytics.com/analytics.js',
    'https://evilfacebook.com/tr?id=1',
    'https://example.org/?u=facebook.com/tr',
    'https://example.org/matomo.js',
    'nonsense',
  ])('does not include %s', (url) => {
    expect(isPixelUrl(url)).toBe(false);
  });
});

describe('isFormServiceUrl', () => {
  it.each([
    'https://formspree.io/f/abc',
    'https://shop.us1.list-manage.com/subscribe/post',
    'https://docs.google.com/forms/d/e/1/formResponse',
  ])('includes %s', (url) => {
    expect(isFormServiceUrl(url)).toBe(true);
  });

  it.each([
    'https://docs.google.com/document/d/1',
    'https://notkit.com/',
    'https://hubspot.com/',
    '/send',
  ])('does not include %s', (url) => {
    expect(isFormServiceUrl(url)).toBe(false);
  });
});
