import { expect, it } from 'vitest';
import { listBuiltinVendors } from './library.ts';
import { createOwnPathFinder } from './own-paths.ts';

const find = createOwnPathFinder(listBuiltinVendors());

it.each([
  [
    'posthog',
    ['/ingest/e/?ip=0&_=1&ver=1.257.0', '/ingest/static/recorder.js?v=1', '/ingest/flags/?v=2'],
  ],
  ['posthog', ['/relay/array/phc_abcDEF123/config.js', '/relay/i/v0/e/?ip=0&_=1']],
  ['vercel-analytics', ['/_vercel/insights/script.js', '/_vercel/insights/view']],
  ['vercel-analytics', ['/_vercel/speed-insights/vitals']],
  ['plausible', ['/stats/js/script.js', '/stats/api/event']],
  ['plausible', ['/js/script.outbound-links.js', '/api/event']],
  ['google-analytics', ['/g/collect?v=2&tid=G-ABC123DEF4&gtm=45&cid=1.2']],
  ['google-analytics', ['/metrics/x?v=2&tid=G-ABC123DEF4&gtm=45&cid=1.2']],
  ['snowplow', ['/com.snowplowanalytics.snowplow/tp2']],
  ['cloudflare-insights', ['/cdn-cgi/rum']],
  ['countly', ['/i?app_key=abc&device_id=1&sdk_name=javascript_native_web&sdk_version=25.4.0']],
])('%s is recognised on a first-party domain by %j', (slug, paths) => {
  const urls = paths.map((path) => `https://shop.example${path}`);
  expect([...find(urls)].map(([url, vendor]) => [url, vendor.slug])).toEqual(
    expect.arrayContaining(urls.map((url) => [url, slug])),
  );
});

it.each([
  ['/js/script.js', '/app.js'],
  ['/api/event'],
  ['/ingest', '/ingest/orders', '/static/recorder.js'],
  ['/g/collect', '/collect?v=2', '/search?tid=G-ABC123DEF4', '/i?app_key=1'],
  ['/_vercel/image?url=x', '/cdn-cgi/challenge-platform/x.js'],
])('%s alone has no vendor', (...paths) => {
  expect(find(paths.map((path) => `https://shop.example${path}`))).toEqual(new Map());
});
