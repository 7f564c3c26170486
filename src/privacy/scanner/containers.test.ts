import { describe, expect, it } from 'vitest';
import { findContainerIds, getMeasurementIds, parseContainer } from './containers.ts';

describe('Container and tag IDs', () => {
  it.each([
    ['https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD&l=x', ['GTM-AB12CD']],
    ['https://www.googletagmanager.com/gtag/js?id=G-ABCDEF1234', ['G-ABCDEF1234']],
    [
      `gtag('config', 'AW-123456789'); gtag("config", "UA-12345-1");`,
      ['AW-123456789', 'UA-12345-1'],
    ],
    ['{\\"id\\":\\"GT-ABCDEF\\"} `DC-1234567`', ['GT-ABCDEF', 'DC-1234567']],
    ["'GTM-AB12CD' 'GTM-AB12CD'", ['GTM-AB12CD']],
    ['class="LG-ABCDEFG" Type G-ABCDEFGH is a GTM-PRODUCT', []],
    ['"G-abcdef1234" "GTM-" "UA-1"', []],
  ])('are found as values: %s', (text, ids) => {
    expect(findContainerIds(text)).toEqual(ids);
  });
});

describe('A container', () => {
  const script = `var data = {"resource":{"version":"1",
    "macros":[{"function":"__e"},{"function":"__v"}],
    "tags":[{"function":"__gaawe","vtp_measurementIdOverride":"G-ABCDEF1234"},{"function":"__html"},
      {"function":"__awct","vtp_conversionId":"987654321"},{"function":"__gaawe"}],
    "predicates":[{"function":"_eq"}],"rules":[]}};
    window.google_tag_manager={}; var x={ctid:'GTM-AB12CD'};`;

  it('has the IDs and types of its tags, not its variables', () => {
    expect(parseContainer('https://www.googletagmanager.com/gtm.js?id=GTM-AB12CD', script)).toEqual(
      {
        id: 'GTM-AB12CD',
        tags: ['G-ABCDEF1234', 'AW-987654321', '__gaawe', '__html', '__awct'],
      },
    );
  });

  it('is recognised on a first-party domain', () => {
    expect(parseContainer('https://site.example/metrics.js', script)?.id).toBe('GTM-AB12CD');
    expect(
      parseContainer('https://site.example/other.js?id=GTM-AB12CD', 'var x=1'),
    ).toBeUndefined();
  });
});

describe('A measurement request', () => {
  it.each([
    ['https://www.google-analytics.com/g/collect?v=2&tid=G-ABCDEF1234&cid=1', ['G-ABCDEF1234']],
    ['https://shop.example/metrics/g/collect?v=2&tid=G-ABCDEF1234', ['G-ABCDEF1234']],
    ['https://shop.example/api?tid=G-ABCDEF1234', []],
    ['https://shop.example/collect?tid=7', []],
  ])('has the ID of its tag: %s', (url, ids) => {
    expect(getMeasurementIds(url)).toEqual(ids);
  });
});
