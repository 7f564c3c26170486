import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemo } from '../support/demo.ts';

describe('A scan of a page that relies on automatic blocking', () => {
  let demo: DemoServer;
  beforeAll(async () => {
    demo = await startDemo();
  });
  afterAll(() => demo?.close());

  it('finds a registered frame, and what it loads, blocked until consent', async () => {
    const { port } = new URL(demo.server.url);
    const script_url = `http://clipframe.localhost:${port}/embed/marsh-at-dawn`;
    const blocking = { category: 'personalisation', blocking_method: 'iframe_placeholder' };
    await demo.ask('POST', '/scripts', {
      handle: 'marsh',
      label: 'A film',
      script_url,
      ...blocking,
    });
    const states = ['before', 'rejected', 'accepted'];
    const { json } = await demo.ask('POST', '/scanner/start', { scan_depth: 0, states });
    const url = `${demo.server.url}/demo/film/`;
    // The page is sent with an unchanged tag.
    expect((await demo.server.http.get('/demo/film/')).text).toContain(`src="${script_url}"`);
    await demo.ask('POST', '/scanner/scan-page', { scan_id: json.scan_id, url });
    await demo.ask('POST', '/scanner/complete', { scan_id: json.scan_id });
    const { json: found } = await demo.ask('GET', `/scanner/results/${json.scan_id}`);
    const ofVendor = found.results.filter(({ url: of }: { url: string }) => /clipframe/.test(of));
    expect(ofVendor.map((each: { url: string }) => each.url)).toContain(script_url);
    for (const each of ofVendor) {
      expect(each).toMatchObject({ states: ['accepted'], verdict: 'blocked_until_consent' });
    }
  }, 120_000);
});
