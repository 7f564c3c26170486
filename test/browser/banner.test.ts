import { afterEach, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';

const GATED = `
  <script type="text/plain" data-category="analytics" src="/one.js"></script>
  <script type="text/plain" data-pavis-category="analytics">(window.ran ??= []).push('inline after ' + window.ran.length)</script>
  <script type="text/plain" data-category="analytics" src="/broken.js"></script>
  <script type="text/plain" data-category="analytics">throw new Error('on purpose')</script>
  <script type="text/plain" data-category="marketing" src="/two.js"></script>
  <script type="text/plain" data-category="nonsense" src="/never.js"></script>
  <script type="text/plain" data-category="constructor" src="/never.js"></script>
  <script type="text/plain" data-category="functional" src="/needed.js"></script>
  <img data-src="/pixel.gif" data-category="marketing" alt="">
  <iframe data-src="/frame.html" data-category="marketing" title="Embedded" width="400" height="200"></iframe>`;

const ran = ({ page }: Visit) => page.evaluate(() => (window as { ran?: string[] }).ran ?? []);
const button = ({ page }: Visit, name: string) => page.getByRole('button', { name });

describe('The banner', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit?.page.context().close());

  it('asks for nothing that is gated and sets no cookie before there is a choice', async () => {
    visit = await site.visit({ body: GATED });
    await button(visit, 'Accept all').waitFor();
    await visit.page.waitForTimeout(300);
    expect(visit.asked.filter((each) => !each.startsWith('GET /page'))).toEqual(['GET /needed.js']);
    const cookies = await visit.page.context().cookies();
    expect(cookies.map(({ name }) => name)).toEqual(['needed']);
    expect(await visit.page.evaluate(() => Object.keys(localStorage))).toEqual([]);
    expect(visit.sent).toEqual([]);
  });
});
