import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';

/** The snippets of the vendors as they publish them, with a script of the test site as the library. */
const UET = `<script>(function(w,d,t,r,u){var f,n,i;w[u]=w[u]||[],f=function(){var o={ti:"1"};o.q=w[u],
  w[u]=new UET(o),w[u].push("pageLoad")},n=d.createElement(t),n.src=r,n.async=1,n.onload=n.onreadystatechange=
  function(){var s=this.readyState;s&&s!=="loaded"&&s!=="complete"||(f(),n.onload=n.onreadystatechange=null)},
  i=d.getElementsByTagName(t)[0],i.parentNode.insertBefore(n,i)})(window,document,"script","/bat.js","uetq");</script>`;
const CLARITY = `<script>(function(c,l,a,r,i,t,y){
  c[a]=c[a]||function(){(c[a].q=c[a].q||[]).push(arguments)};
  t=l.createElement(r);t.async=1;t.src="/clarity-"+i+".js";
  y=l.getElementsByTagName(r)[0];y.parentNode.insertBefore(t,y);
  })(window, document, "clarity", "script", "tag"); clarity("set", "page", "start");</script>`;
const META = `<script>!function(f,b,e,v,n,t,s){if(f.fbq)return;n=f.fbq=function(){n.callMethod?
  n.callMethod.apply(n,arguments):n.queue.push(arguments)};if(!f._fbq)f._fbq=n;
  n.push=n;n.loaded=!0;n.version='2.0';n.queue=[];t=b.createElement(e);t.async=!0;
  t.src=v;s=b.getElementsByTagName(e)[0];s.parentNode.insertBefore(t,s)}(window,
  document,'script','/fbevents.js'); fbq('init', '1'); fbq('track', 'PageView');</script>`;
/** What Shopify puts into its pages: `loadFeatures` in a deferred script, and consent that it stores itself. */
const SHOPIFY = `<script>window.Shopify = {}; window.calls = []</script><script type="module">
  Shopify.loadFeatures = (features, done) => {
    window.features = features;
    Shopify.customerPrivacy = {
      currentVisitorConsent: () => JSON.parse(localStorage.shopify ?? '{"analytics":""}'),
      setTrackingConsent(consent, stored) {
        window.calls.push(consent);
        const words = Object.entries(consent).map(([name, is]) => [name, is ? 'yes' : 'no']);
        localStorage.shopify = JSON.stringify(Object.fromEntries(words));
        stored();
      },
    };
    setTimeout(done);
  }</script>`;
/**
 * Libraries that record what they are given. That of Microsoft Advertising takes the queue when it starts, as bat.js
 * does.
 */
const LIBRARIES = `<script>
  window.UET = function ({ q }) { this.said = [...q]; this.push = (...all) => this.said.push(...all) };
  window.said = () => ({
    uet: uetq.said ?? [...uetq],
    clarity: clarity.q.map((each) => Array.from(each)),
    meta: fbq.queue.map((each) => Array.from(each)),
    shopify: window.calls,
  });
  addEventListener('pagehide', () => sessionStorage.left = JSON.stringify(said()));
</script>`;

const DENIED = { ad_Storage: 'denied', analytics_Storage: 'denied' };
const GRANTED = { ad_Storage: 'granted', analytics_Storage: 'granted' };
const SNIPPETS = { head: LIBRARIES + UET + CLARITY + META + SHOPIFY };

describe('Signals of the banner to other services', () => {
  const site = useBannerSite();
  let visit: Visit;
  beforeAll(() => site.save({ signals: ['uet', 'clarity', 'meta', 'shopify'] }));
  afterEach(() => visit?.page.context().close());

  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const said = () =>
    ask<Record<'uet' | 'clarity' | 'meta' | 'shopify', unknown[]>>('window.said()');
  /** Until the libraries have loaded and the choice is known. */
  const settle = () =>
    visit.page.waitForFunction(
      'document.readyState === "complete" && window.ran?.length >= 3 && uetq.said && pavis.ready.then(() => true)',
    );
  const chosen = (action: string) =>
    visit.page.waitForFunction(`window.pavis?.state.action === '${action}' && window.calls.length`);

  it('denies before the first event of each tag, then passes on the choice, stored choices and withdrawal', async () => {
    visit = await site.visit(SNIPPETS);
    await settle();
    expect([...(await ask<string[]>('window.ran'))].sort()).toEqual([
      'bat',
      'clarity-tag',
      'fbevents',
    ]);
    expect(await said()).toEqual({
      uet: ['consent', 'default', { ad_storage: 'denied' }, 'pageLoad'],
      clarity: [
        ['consentv2', DENIED],
        ['set', 'page', 'start'],
      ],
      meta: [
        ['consent', 'revoke'],
        ['init', '1'],
        ['track', 'PageView'],
      ],
      // Shopify would store a denial as the visitor's refusal.
      shopify: [],
    });

    await ask('pavis.accept()');
    await chosen('accept_all');
    const granted = await said();
    expect(granted.uet.slice(4)).toEqual(['consent', 'update', { ad_storage: 'granted' }]);
    expect(granted.clarity.slice(2)).toEqual([['consentv2', GRANTED]]);
    expect(granted.meta.slice(3)).toEqual([['consent', 'grant']]);
    const yes = { analytics: true, marketing: true, preferences: true, sale_of_data: true };
    expect(granted.shopify).toEqual([yes]);
    expect(await ask('window.features')).toEqual([
      { name: 'consent-tracking-api', version: '0.1' },
    ]);

    await visit.page.reload();
    await settle();
    const stored = await said();
    expect(stored.uet.slice(0, 3)).toEqual(['consent', 'default', { ad_storage: 'denied' }]);
    expect(stored.uet).toContainEqual({ ad_storage: 'granted' });
    // The choice is known before the tags.
    expect(stored.clarity[0]).toEqual(['consentv2', GRANTED]);
    // A denial that is still in the queue would make Clarity delete its cookies.
    expect(stored.clarity).not.toContainEqual(['consentv2', DENIED]);
    expect(stored.meta[0]).toEqual(['consent', 'grant']);
    expect(stored.meta).not.toContainEqual(['consent', 'revoke']);
    // Shopify has this choice.
    expect(stored.shopify).toEqual([]);

    const reloaded = visit.page.waitForEvent('load');
    await ask('void pavis.withdraw()');
    await reloaded;
    const left = JSON.parse(await ask<string>('sessionStorage.left'));
    expect(left.uet.slice(-3)).toEqual(['consent', 'update', { ad_storage: 'denied' }]);
    expect(left.clarity.at(-1)).toEqual(['consentv2', DENIED]);
    expect(left.meta.at(-1)).toEqual(['consent', 'revoke']);
    const no = { analytics: false, marketing: false, preferences: false, sale_of_data: false };
    expect(left.shopify).toEqual([no]);
    await settle();
    const after = await said();
    expect(JSON.stringify(after)).not.toContain('grant');
    expect(after.shopify).toEqual([]);
    expect(visit.faults).toEqual([]);
  });

  it('grants by category and denies what the site has no category for', async () => {
    visit = await site.visit(SNIPPETS);
    await settle();
    await ask('pavis.set(["analytics", "personalisation"])');
    await chosen('manage');
    const { uet, clarity, meta, shopify } = await said();
    expect(uet.slice(4)).toEqual(['consent', 'update', { ad_storage: 'denied' }]);
    expect(clarity.at(-1)).toEqual([
      'consentv2',
      { ad_Storage: 'denied', analytics_Storage: 'granted' },
    ]);
    expect(meta.at(-1)).toEqual(['consent', 'revoke']);
    expect(shopify).toEqual([
      { analytics: true, marketing: false, preferences: true, sale_of_data: false },
    ]);
    // As a site that has other categories than Pavis.
    await ask(`document.dispatchEvent(new CustomEvent('pavis:change',
      { detail: { accepted: ['statistics', 'ads'] } }))`);
    const other = await said();
    expect(other.clarity.at(-1)).toEqual(['consentv2', DENIED]);
    expect(other.meta.at(-1)).toEqual(['consent', 'revoke']);
  });

  it('denies at once where the library of the pixel is on the page, and once with two banner tags', async () => {
    visit = await site.visit({
      head: `${META}<script src="${site.app.url}/banner.js"></script><script>
        fbq.callMethod = (...command) => (window.live ??= []).push(command);
        window.fbq = fbq;</script>`,
    });
    await visit.page.waitForFunction('document.readyState === "complete"');
    expect(await ask('fbq.queue.map((each) => Array.from(each))')).toEqual([
      ['consent', 'revoke'],
      ['init', '1'],
      ['track', 'PageView'],
    ]);
    expect(await ask('window.live')).toEqual([['consent', 'revoke']]);
    expect(await ask('uetq')).toEqual(['consent', 'default', { ad_storage: 'denied' }]);
    await ask('pavis.accept()');
    await visit.page.waitForFunction('window.live.length > 1');
    expect(await ask('window.live')).toEqual([
      ['consent', 'revoke'],
      ['consent', 'grant'],
    ]);
  });

  it('starts the banner even if the page uses the name of a service', async () => {
    visit = await site.visit({
      beforeBanner: '<script>var fbq; var clarity = "clear"; var uetq = {};</script>',
    });
    await ask('pavis.accept()');
    expect(await ask('pavis.state.action')).toBe('accept_all');
    expect(visit.faults.length).toBeGreaterThan(0);
  });

  it('defines nothing if no signal is on', async () => {
    await site.save({ signals: [] });
    visit = await site.visit();
    expect(
      await ask('["uetq", "clarity", "fbq", "Shopify"].filter((name) => name in window)'),
    ).toEqual([]);
  });
});
