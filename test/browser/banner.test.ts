import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openPreferences, useBannerSite, type Visit } from '../support/banner.ts';
import { basicAuth } from '../support/makers.ts';

const BLOCKED = `
  <script type="text/plain" data-category="analytics" src="/one.js"></script>
  <script type="text/plain" data-pavis-category="analytics">(window.ran ??= []).push('inline after ' + window.ran)</script>
  <script type="text/plain" data-category="analytics" src="/broken.js"></script>
  <script type="text/plain" data-category="analytics">throw new Error('on purpose')</script>
  <script type="text/plain" data-category="marketing" src="/two.js"></script>
  <script type="text/plain" data-category="nonsense" src="/never.js"></script>
  <script type="text/plain" data-category="constructor" src="/never.js"></script>
  <script type="text/plain" data-category="functional" src="/needed.js"></script>
  <img data-src="/pixel.gif" data-category="marketing" alt="">
  <iframe data-src="/frame.html" data-category="marketing" title="Embedded" width="400" height="200"></iframe>`;

const CHOICE = 'pavis_consent';

describe('The banner', () => {
  const site = useBannerSite();
  let visit: Visit;
  afterEach(() => visit?.page.context().close());

  const press = (name: string) => visit.page.getByRole('button', { name }).click();
  const ask = <T>(expression: string) => visit.page.evaluate<T>(expression);
  const ran = () => ask<string[]>('window.ran ?? []');
  const asked = () => visit.asked.filter((each) => !each.startsWith('GET /page'));
  const isAsking = () => visit.page.getByRole('dialog').isVisible();
  const cookies = async () => (await visit.page.context().cookies()).map(({ name }) => name).sort();
  const choice = async () => {
    const all = await visit.page.context().cookies();
    const found = all.find(({ name }) => name === CHOICE);
    return found && { ...found, value: JSON.parse(decodeURIComponent(found.value)) };
  };
  /** Time in which something that must not happen would happen. */
  const settle = () => visit.page.waitForTimeout(300);
  /** Waits for the response to the last choice: without it, the next page sends the choice again. */
  const ready = () => ask<void>('pavis.ready.then(() => undefined)');
  const sent = () => ask<void>('pavis.sent.then(() => undefined)');
  const until = (condition: string) => visit.page.waitForFunction(condition);

  it('loads no blocked content and sets no cookie before a choice', async () => {
    visit = await site.visit({ body: BLOCKED });
    await visit.page.getByRole('dialog', { name: 'Your privacy' }).waitFor();
    await settle();
    expect(asked()).toEqual(['GET /needed.js']);
    expect(await cookies()).toEqual(['needed']);
    expect(await ask('Object.keys(localStorage)')).toEqual([]);
    expect(visit.sent).toEqual([]);
    expect(await ask('pavis.visitorId ?? null')).toBeNull();
  });

  it('rejects with one click and one POST and keeps content blocked on the next page', async () => {
    visit = await site.visit({ body: BLOCKED });
    await press('Reject all');
    await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await sent();
    expect(visit.sent).toEqual([
      {
        key: expect.any(String),
        body: expect.objectContaining({
          visitor_id: await ask('pavis.visitorId'),
          consent_action: 'reject_all',
          categories_accepted: ['functional'],
          categories_rejected: ['analytics', 'marketing', 'personalisation'],
          source: 'banner',
          language: 'en',
          page_url: visit.page.url(),
        }),
      },
    ]);
    await visit.page.reload();
    await ready();
    await settle();
    expect(await isAsking()).toBe(false);
    expect(new Set(asked())).toEqual(new Set(['GET /needed.js']));
    expect(visit.sent).toHaveLength(1);
    expect((await site.records())[0]).toMatchObject({
      consent_action: 'reject_all',
      source: 'banner',
      visitor_id: visit.sent[0]?.body.visitor_id,
    });
  });

  it('runs each script once in the order of the page, also after one that fails', async () => {
    visit = await site.visit({ body: BLOCKED });
    await press('Accept all');
    await until('window.ran?.includes("two")');
    await sent();
    await settle();
    expect(await ran()).toEqual(['needed', 'one', 'inline after needed,one', 'two']);
    expect(asked().sort()).toEqual(
      ['/broken.js', '/frame.html', '/needed.js', '/one.js', '/pixel.gif', '/two.js'].map(
        (path) => `GET ${path}`,
      ),
    );
    expect(visit.faults).toEqual(['on purpose']);
    await visit.page.reload();
    await until('window.ran?.length === 4');
    await settle();
    // With a stored choice, all tags load in the order of the page.
    expect(await ran()).toEqual(['one', 'inline after one', 'two', 'needed']);
    expect(visit.sent).toHaveLength(1);
  });

  it('shows optional categories off and required ones locked on, and saves the preferences', async () => {
    visit = await site.visit({ body: BLOCKED });
    await openPreferences(visit.page);
    const switches = visit.page.getByRole('switch');
    expect(
      await switches.evaluateAll((all) => all.map((each) => each.matches(':checked'))),
    ).toEqual([true, false, false, false]);
    expect(await visit.page.getByRole('switch', { name: 'Strictly necessary' }).isDisabled()).toBe(
      true,
    );
    await visit.page.getByRole('switch', { name: 'Marketing' }).click();
    await press('Save preferences');
    await until('window.ran?.includes("two")');
    expect(visit.sent[0]?.body).toMatchObject({
      consent_action: 'manage',
      categories_accepted: ['functional', 'marketing'],
      categories_rejected: ['analytics', 'personalisation'],
      source: 'preferences',
    });
    expect(asked()).not.toContain('GET /one.js');
    expect(await ask('[pavis.has("marketing"), pavis.has("analytics"), pavis.has("x")]')).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('stores the choice in a readable cookie for the consent lifetime', async () => {
    await site.save({ expiry_days: 30 });
    visit = await site.visit();
    await press('Accept all');
    await sent();
    const cookie = await choice();
    expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax', httpOnly: false });
    expect(cookie?.value).toEqual({
      visitor_id: expect.any(String),
      consent_action: 'accept_all',
      categories_accepted: ['functional', 'analytics', 'marketing', 'personalisation'],
      categories_rejected: [],
      version: expect.any(Number),
      at: expect.any(Number),
      until: cookie?.value.at + 30 * 86_400,
      visitor_token: expect.stringMatching(/^[\w-]{100,}$/),
    });
    expect(Math.abs((cookie?.expires ?? 0) - cookie?.value.until)).toBeLessThan(5);
  });

  it('deletes the data of vendors, reloads once and blocks content after withdrawal', async () => {
    visit = await site.visit({ body: BLOCKED });
    await press('Accept all');
    await until('window.ran?.includes("two")');
    await sent();
    await ask(`(document.cookie = '_ga=1;path=/', document.cookie = '_ga_ABC123=1;path=/',
      document.cookie = 'session=mine;path=/', localStorage.setItem('cart', '1'))`);
    let loads = 0;
    visit.page.on('load', () => loads++);
    await press('Privacy choices');
    expect(await visit.page.getByRole('switch', { name: 'Analytics' }).isChecked()).toBe(true);
    await visit.page.getByRole('switch', { name: 'Analytics' }).click();
    const reloaded = visit.page.waitForEvent('load');
    await press('Save preferences');
    await reloaded;
    await until('!window.ran?.includes("one") && window.ran?.includes("two")');
    await settle();
    expect(loads).toBe(1);
    expect(await ran()).toEqual(['two', 'needed']);
    expect(await cookies()).toEqual(['needed', 'one', CHOICE, 'session', 'two'].sort());
    expect(await ask('localStorage.getItem("cart")')).toBe('1');
    expect(visit.sent.map(({ body }) => body.consent_action)).toEqual(['accept_all', 'manage']);
    expect(new Set(visit.sent.map(({ body }) => body.visitor_id)).size).toBe(1);
    const withdrawn = visit.page.waitForEvent('load');
    await ask('void pavis.withdraw()');
    await withdrawn;
    await until('!window.ran?.includes("two")');
    await settle();
    expect(loads).toBe(2);
    expect(visit.sent.at(-1)?.body).toMatchObject({ consent_action: 'reject_all', source: 'api' });
  });

  it('deletes cookies of vendors that are valid for a part of the site only', async () => {
    visit = await site.visit({ folder: '/shop/cart' });
    await press('Accept all');
    await settle();
    const page = new URL(visit.page.url()).pathname;
    for (const [at, path] of ['/shop', '/shop/', '/shop/cart', page, '/blog'].entries()) {
      await ask(`void (document.cookie = '_ga_${at}=1;path=${path};domain=' + location.hostname)`);
    }
    const theirs = async () => (await cookies()).filter((name) => name.startsWith('_ga'));
    expect(await theirs()).toHaveLength(5);
    const reloaded = visit.page.waitForEvent('load');
    await ask('void pavis.withdraw()');
    await reloaded;
    // No page can delete a cookie that it cannot read.
    expect(await theirs()).toEqual(['_ga_4']);
  });

  it('keeps cookies that the owner has classified otherwise, and those of vendors that are still accepted', async () => {
    const { app } = site;
    const headers = await basicAuth(app.platform);
    const patterns = { _ga_ABC123: 'functional', '_pk_id.*': 'functional', 'heron_*': 'analytics' };
    for (const [pattern, category] of Object.entries(patterns)) {
      const body = { pattern, category, purpose: 'A test of our own.' };
      await app.http.post('/wp-json/svc/v1/scanner/cookies', { headers, body });
    }
    const hotjar = { label: 'Hotjar', script_url: 'https://static.hotjar.com/c/hotjar-' };
    for (const category of ['analytics', 'marketing'])
      await site.register({ ...hotjar, handle: `hotjar-${category}`, category });
    app.clock.advance(61_000);
    visit = await site.visit();
    await press('Accept all');
    await sent();
    for (const name of ['_ga_ABC123', '_ga_XYZ', '_pk_id.1.1', 'heron_1', '_hjSession_1'])
      await ask(`void (document.cookie = '${name}=1;path=/')`);
    const withdraw = async (accepted: string[]) => {
      const reloaded = visit.page.waitForEvent('load');
      await ask(`void pavis.set(${JSON.stringify(accepted)})`);
      await reloaded;
      await ready();
      return (await cookies()).filter((name) => name !== CHOICE);
    };
    expect(await withdraw(['marketing'])).toEqual(['_ga_ABC123', '_hjSession_1', '_pk_id.1.1']);
    expect(await withdraw([])).toEqual(['_ga_ABC123', '_pk_id.1.1']);
    const { db } = app.platform.datastore;
    await db.deleteFrom('cookie_classifications').execute();
    await db.deleteFrom('scripts').execute();
  });

  it('deletes what vendors write again between a withdrawal and the reload', async () => {
    const write = (value: string) =>
      `document.cookie = '_ga=${value};path=/'; localStorage.setItem('_ga_local', '${value}')`;
    const body = `<script type="text/plain" data-category="analytics">
      setInterval(() => { ${write('again')} }, 100);
      addEventListener('pagehide', () => { ${write('last')} });
      document.addEventListener('visibilitychange', () => { ${write('last')} });
    </script>`;
    visit = await site.visit({ body });
    await press('Accept all');
    await until('document.cookie.includes("_ga=again")');
    await sent();
    await visit.page.route(`${site.app.url}/**`, async (route) => {
      if (route.request().method() === 'POST') await visit.page.waitForTimeout(1_500);
      await route.continue();
    });
    const reloaded = visit.page.waitForEvent('load');
    await ask('void pavis.withdraw()');
    await reloaded;
    await ready();
    expect(await cookies()).toEqual([CHOICE]);
    expect(await ask('Object.keys(localStorage)')).not.toContain('_ga_local');
  });

  it('shows itself and its button while deferred scripts of the page are loading', async () => {
    visit = await site.visit({ head: '<script defer src="/slow.js"></script>' });
    const { page } = visit;
    await page.route('**/slow.js', () => {});
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('dialog', { name: 'Your privacy' }).waitFor({ timeout: 5_000 });
    await press('Reject all');
    await sent();
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('button', { name: 'Privacy choices' }).click({ timeout: 5_000 });
    await page.getByRole('switch').first().waitFor({ timeout: 5_000 });
    expect(await ask('document.readyState')).toBe('interactive');
  });

  it('opens the preferences from elements in shadow roots', async () => {
    const body = `<site-footer></site-footer><script>
      document.querySelector('site-footer').attachShadow({ mode: 'open' }).innerHTML =
        '<button data-pavis-open><span>My privacy</span></button>';
    </script>`;
    visit = await site.visit({ banner: 'data-button="off"', body });
    await visit.page.getByRole('button', { name: 'Reject all' }).click();
    await visit.page.getByText('My privacy').click();
    await visit.page.getByRole('switch').first().waitFor({ timeout: 5_000 });
  });

  it('opens the preferences from elements whose clicks the page stops, and takes the focus last', async () => {
    const body = `<nav tabindex="-1"><button data-pavis-open>My privacy</button></nav><script>
      document.querySelector('nav').addEventListener('click', (event) => {
        event.stopPropagation();
        event.currentTarget.focus();
      });
    </script>`;
    visit = await site.visit({ banner: 'data-button="off"', body });
    await press('Reject all');
    // The second time, the preferences have been loaded.
    for (let time = 0; time < 2; time++) {
      await press('My privacy');
      await visit.page.getByRole('switch').first().waitFor({ timeout: 5_000 });
      expect(await ask('document.activeElement.localName')).toBe('pavis-banner');
      await press('Reject all');
      await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
      expect(await ask('document.activeElement.localName')).toBe('nav');
    }
  });

  it('lets a link that opens the preferences lead on if there is nothing to open', async () => {
    const body = '<a data-pavis-open href="#privacy">My privacy</a>';
    visit = await site.visit({ body });
    await visit.page.getByText('My privacy').click();
    await visit.page.getByRole('switch').first().waitFor();
    expect(await ask('location.hash')).toBe('');
    await site.save({ enabled: false });
    onTestFinished(() => site.save({ enabled: true }).then(() => undefined));
    await visit.page.reload();
    await ready();
    await visit.page.getByText('My privacy').click();
    expect(await ask('location.hash')).toBe('#privacy');
  });

  it('opens the preferences for a click on a link while the status loads', async () => {
    const body = '<a data-pavis-open href="#privacy">My privacy</a>';
    // With the address of the server, the banner requests the status.
    visit = await site.visit({ body, banner: `data-rest-root="${site.app.url}/wp-json"` });
    const { page } = visit;
    const link = page.getByText('My privacy');
    const status = '**/consent/status';
    const answered = Promise.withResolvers<void>();
    await page.route(status, (route) => answered.promise.then(() => route.continue()));
    await page.reload();
    await link.click();
    expect(await ask('location.hash')).toBe('');
    answered.resolve();
    await page.getByRole('switch').first().waitFor();

    await site.save({ enabled: false });
    onTestFinished(() => site.save({ enabled: true }).then(() => undefined));
    await page.reload();
    await ready();
    await link.click();
    expect(await ask('location.hash')).toBe('#privacy');

    await page.unroute(status);
    await page.route(status, (route) => route.abort());
    await page.goto(page.url().replace('#privacy', '?'));
    await ready();
    await link.click();
    expect(await ask('location.hash')).toBe('#privacy');
  });

  it('asks again after a change of texts, not after a change of appearance', async () => {
    visit = await site.visit({ body: BLOCKED });
    await press('Accept all');
    await sent();
    await site.save({ position: 'top', accept_text: 'Yes to all' });
    await visit.page.reload();
    await until('window.ran?.includes("two")');
    expect(await isAsking()).toBe(false);
    await site.save({ message: 'Now we ask for something else.', accept_text: 'Accept all' });
    visit.asked.length = 0;
    await visit.page.reload();
    await visit.page.getByRole('dialog').waitFor();
    await settle();
    expect(asked()).toEqual(['GET /needed.js']);
    await press('Accept all');
    await until('window.ran?.includes("two")');
    expect(new Set(visit.sent.map(({ body }) => body.visitor_id)).size).toBe(1);
    await site.save({ position: 'bottom' });
  });

  it('asks again when consent has expired', async () => {
    visit = await site.visit();
    await press('Accept all');
    await sent();
    await visit.page.reload();
    await ready();
    await settle();
    expect(await isAsking()).toBe(false);
    await visit.page.clock.setFixedTime(Date.now() + 400 * 86_400_000);
    await visit.page.reload();
    await visit.page.getByRole('dialog').waitFor();
  });

  it('shows no banner and keeps content blocked while it is turned off', async () => {
    visit = await site.visit({ body: BLOCKED });
    await press('Accept all');
    await until('window.ran?.includes("two")');
    await sent();
    await site.save({ enabled: false });
    onTestFinished(() => site.save({ enabled: true }).then(() => undefined));
    visit.asked.length = 0;
    await visit.page.reload();
    await ready();
    await settle();
    expect(await isAsking()).toBe(false);
    await ask('pavis.accept()');
    await ask('pavis.open()');
    await settle();
    expect(await isAsking()).toBe(false);
    expect(asked()).toEqual(['GET /needed.js']);
    expect(visit.sent).toHaveLength(1);
  });

  it('loads scripts that are added later if their category is accepted', async () => {
    visit = await site.visit();
    const add = (name: string, category: string) =>
      ask(`(() => { const box = document.createElement('div');
        const script = document.createElement('script');
        Object.assign(script, { type: 'text/plain' });
        script.dataset.category = '${category}';
        script.setAttribute('src', '/${name}.js');
        box.append(script); document.body.append(box); })()`);
    await add('early', 'analytics');
    await settle();
    expect(asked()).toEqual([]);
    await openPreferences(visit.page);
    await visit.page.getByRole('switch', { name: 'Analytics' }).click();
    await press('Save preferences');
    await until('window.ran?.includes("early")');
    await add('late', 'analytics');
    await add('never', 'marketing');
    await until('window.ran?.includes("late")');
    await settle();
    expect(await ran()).toEqual(['early', 'late']);
  });

  it('blocks and loads iframes and images that are added later', async () => {
    visit = await site.visit();
    const add = (markup: string) =>
      ask(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(markup)})`);
    await add(
      '<p><iframe data-src="/frame.html" data-category="marketing" title="Late"></iframe></p>',
    );
    await visit.page.getByRole('button', { name: 'Load once' }).waitFor();
    await settle();
    expect(asked()).toEqual([]);
    await press('Accept all');
    await visit.page.frameLocator('[title=Late]').getByText('embedded').waitFor();
    await add('<img data-src="/pixel.gif" data-category="analytics" alt="">');
    await expect.poll(asked).toEqual(['GET /frame.html', 'GET /pixel.gif']);
    expect(await visit.page.getByRole('button', { name: 'Load once' }).count()).toBe(0);
  });

  it('loads registered scripts and finds their tags by handle and address', async () => {
    const script = (handle: string, blocking_method: string, more: object = {}) => ({
      handle,
      label: handle,
      category: 'analytics',
      script_url: `${site.origin()}/${handle}.js`,
      blocking_method,
      ...more,
    });
    await site.register(script('injected', 'dynamic_load'));
    await site.register(script('unwanted', 'dynamic_load', { category: 'marketing' }));
    await site.register(script('asleep', 'dynamic_load', { is_active: 0 }));
    await site.register(script('named', 'type_attribute'));
    await site.register(script('placed', 'type_attribute'));
    await site.register(script('absent', 'type_attribute'));
    visit = await site.visit({
      body: `<script type="text/plain" data-pavis-script="named"></script>
        <script type="text/plain" src="${site.origin()}/placed.js"></script>
        <script type="text/plain" src="/unknown.js"></script>
        <script type="text/plain" data-pavis-script="asleep"></script>`,
    });
    await settle();
    expect(asked()).toEqual([]);
    await ask('pavis.set(["analytics"])');
    await until('window.ran?.includes("placed")');
    await settle();
    expect(await ran()).toEqual(['injected', 'named', 'placed']);
  });

  it('loads only one iframe after "Load once" and records no consent', async () => {
    visit = await site.visit({
      body: `${BLOCKED}<iframe data-src="/frame.html?2" data-category="marketing" title="Second"></iframe>`,
    });
    await press('Reject all');
    const shows = visit.page.getByRole('button', { name: 'Load once' });
    await expect.poll(() => shows.count()).toBe(2);
    const place = await ask(`(() => {
      const frame = document.querySelector('[title=Embedded]');
      const { width, height } = frame.previousElementSibling.getBoundingClientRect();
      return [width, height];
    })()`);
    expect(place).toEqual([404, 204]);
    await shows.first().click();
    await visit.page.frameLocator('[title=Embedded]').getByText('embedded').waitFor();
    await settle();
    expect(asked()).toEqual(['GET /needed.js', 'GET /frame.html']);
    expect(await shows.count()).toBe(1);
    expect(await choice()).toMatchObject({ value: { consent_action: 'reject_all' } });
    expect(visit.sent).toHaveLength(1);
    expect(await ask('document.activeElement.title')).toBe('Embedded');
  });

  it('accepts the category, loads all its content and posts one record after "Always allow"', async () => {
    visit = await site.visit({
      body: `${BLOCKED}
        <iframe data-src="/frame.html?2" data-category="marketing" title="Second"></iframe>
        <iframe data-src="/frame.html?3" data-category="analytics" title="Third"></iframe>`,
    });
    const allow = (label: string) =>
      visit.page.getByRole('button', { name: `Always allow ${label}` });
    await allow('Analytics').waitFor();
    expect(await allow('Marketing').count()).toBe(2);
    const posted = visit.page.waitForResponse(
      (response) => response.request().method() === 'POST' && response.ok(),
    );
    await allow('Marketing').last().press('Enter');
    for (const title of ['Embedded', 'Second'])
      await visit.page.frameLocator(`[title=${title}]`).getByText('embedded').waitFor();
    await until('window.ran?.includes("two")');
    expect(await ask('document.activeElement.title')).toBe('Second');
    expect([await allow('Marketing').count(), await allow('Analytics').count()]).toEqual([0, 1]);
    expect(await isAsking()).toBe(false);

    const consent = {
      consent_action: 'manage',
      categories_accepted: ['functional', 'marketing'],
      categories_rejected: [],
    };
    expect((await choice())?.value).toMatchObject(consent);
    await posted;
    const id = await ask('pavis.visitorId');
    const records = async () =>
      (await site.records()).filter(({ visitor_id }) => visitor_id === id);
    expect(await records()).toEqual([
      expect.objectContaining({ ...consent, source: 'placeholder' }),
    ]);

    await visit.page.reload();
    await visit.page.frameLocator('[title=Second]').getByText('embedded').waitFor();
    await allow('Analytics').waitFor();
    expect(await allow('Marketing').count()).toBe(0);
    expect(asked()).not.toContain('GET /one.js');
    expect(visit.sent).toHaveLength(1);
    expect(await records()).toHaveLength(1);
  });

  it('sends an unsent choice with the same key when the connection returns', async () => {
    visit = await site.visit();
    await visit.page.context().setOffline(true);
    await press('Reject all');
    await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await until('localStorage.length === 1');
    expect((await choice())?.value.consent_action).toBe('reject_all');
    await visit.page.context().setOffline(false);
    await until('localStorage.length === 0');
    const id = await ask('pavis.visitorId');
    expect((await site.records()).filter(({ visitor_id }) => visitor_id === id)).toHaveLength(1);
    expect(new Set(visit.sent.map(({ key }) => key)).size).toBe(1);
  });

  it('applies the choice and sends it again if the server returns 500', async () => {
    visit = await site.visit({ body: BLOCKED });
    await visit.page.route('**/svc/v1/consent', (route) => route.fulfill({ status: 500 }));
    await press('Accept all');
    await until('window.ran?.includes("two")');
    await expect.poll(() => visit.sent.length).toBe(2);
    expect(visit.sent[0]).toEqual(visit.sent[1]);
    await visit.page.unroute('**/svc/v1/consent');
    await visit.page.reload();
    await until('localStorage.length === 0');
    expect(visit.sent[2]).toEqual(visit.sent[0]);
    await visit.page.route('**/svc/v1/**', (route) => route.abort());
    visit.asked.length = 0;
    await visit.page.reload();
    await until('window.ran?.includes("two")');
  });

  it('queues choices after 429 and sends them in order later', async () => {
    visit = await site.visit({ body: BLOCKED });
    await visit.page.route('**/svc/v1/consent', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'access-control-allow-origin': '*', 'retry-after': '60' },
        json: { code: 'rate_limited', message: 'Too many.', data: { status: 429 } },
      }),
    );
    await ask('pavis.set(["functional", "marketing"])');
    await until('window.ran?.includes("two")');
    await visit.page.reload();
    await until('window.ran?.includes("two")');
    const reloaded = visit.page.waitForEvent('load');
    await ask('void pavis.reject()');
    await reloaded;
    await ready();
    expect(await ran()).not.toContain('two');
    expect(await ask('[pavis.has("marketing"), pavis.state.action]')).toEqual([
      false,
      'reject_all',
    ]);
    expect((await choice())?.value.consent_action).toBe('reject_all');
    const id = await ask('pavis.visitorId');
    const records = async () =>
      (await site.records()).filter(({ visitor_id }) => visitor_id === id);
    expect(await records()).toEqual([]);

    await visit.page.unroute('**/svc/v1/consent');
    // The banner retries while the page is open.
    await until('localStorage.length === 0');
    expect((await records()).map(({ consent_action }) => consent_action)).toEqual([
      'reject_all',
      'manage',
    ]);
    expect((await choice())?.value.consent_action).toBe('reject_all');
    expect(await isAsking()).toBe(false);
  });

  it('sends the visitor token of the first response with the next choice', async () => {
    visit = await site.visit();
    await press('Accept all');
    const stored = async () => (await choice())?.value.visitor_token;
    await expect.poll(stored).toMatch(/^[\w-]{100,}$/);
    const first = await stored();
    await visit.page.reload();
    await ask('pavis.accept()');
    expect(visit.sent.map(({ body }) => body.visitor_token)).toEqual([true, first]);
    await expect.poll(stored).not.toBe(first);
  });

  it('waits at most five seconds for a server that does not respond', async () => {
    visit = await site.visit({ body: BLOCKED });
    await press('Accept all');
    await until('window.ran?.includes("two")');
    await visit.page.route('**/svc/v1/**', () => {});
    await visit.page.reload();
    await until('window.ran?.includes("two")');
    expect(await ask('pavis.has("marketing")')).toBe(true);
  });

  it('keeps content blocked without errors if the server cannot be reached', async () => {
    visit = await site.visit({ body: BLOCKED });
    await until('window.ran?.includes("needed")');
    await visit.page.route('**/svc/v1/**', (route) => route.abort());
    visit.asked.length = 0;
    await visit.page.reload();
    await ready();
    await settle();
    expect(asked()).toEqual(['GET /needed.js']);
    expect(visit.faults).toEqual([]);
    expect(await ask('pavis.has("analytics")')).toBe(false);
  });

  it('works with a strict Content Security Policy and adds the nonce to loaded scripts', async () => {
    const policy = `default-src 'none'; script-src 'nonce-abc'; connect-src ${site.app.url}`;
    visit = await site.visit({
      banner: 'nonce="abc"',
      headers: { 'content-security-policy': policy },
      body: '<script type="text/plain" data-category="analytics" src="/one.js"></script>',
    });
    const complaints: string[] = [];
    visit.page.on('console', (message) => complaints.push(message.text()));
    await visit.page.getByRole('dialog').waitFor();
    const dialog = `document.querySelector('pavis-banner').shadowRoot.querySelector('dialog')`;
    expect(await ask(`getComputedStyle(${dialog}).position`)).toBe('fixed');
    await openPreferences(visit.page);
    await visit.page.getByRole('switch', { name: 'Analytics' }).click();
    await press('Save preferences');
    await expect.poll(ran).toContain('one');
    await settle();
    expect(complaints).toEqual([]);
  });

  it('takes one request per page view, and four more when preferences are opened', async () => {
    const asked: string[] = [];
    visit = await site.visit({ withoutBanner: true });
    visit.page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === new URL(site.app.url).origin) asked.push(pathname);
    });
    await ask(
      `document.head.append(Object.assign(document.createElement('script'), { src: '${site.app.url}/banner.js' }))`,
    );
    await visit.page.getByRole('dialog', { name: 'Your privacy' }).waitFor();
    await settle();
    expect(asked).toEqual(['/banner.js']);
    await press('Manage preferences');
    await visit.page.getByRole('switch', { name: 'Analytics' }).waitFor();
    expect(asked.slice(1).sort()).toEqual([
      '/banner.details.js',
      '/banner.preferences.js',
      '/wp-json/svc/v1/consent/texts',
      '/wp-json/svc/v1/consent/vendors',
    ]);
  });

  it.each(['banner.details.js', 'banner.preferences.js'])(
    'offers to accept and reject all if %s cannot be loaded, and loads the preferences later',
    async (file) => {
      visit = await site.visit();
      await visit.page.route(`**/${file}*`, (route) => route.abort());
      await press('Manage preferences');
      await settle();
      expect(await visit.page.getByRole('switch').count()).toBe(0);
      await visit.page.getByRole('button', { name: 'Accept all' }).waitFor();
      // A click never does nothing, for those who see and those who listen.
      await visit.page.getByRole('button', { name: '⚠ Manage preferences' }).waitFor();
      expect(await visit.page.getByRole('status').textContent()).toBe('⚠ Manage preferences');
      await visit.page.unroute(`**/${file}*`);
      await press('⚠ Manage preferences');
      await visit.page.getByRole('switch', { name: 'Analytics' }).waitFor();
      await visit.page.keyboard.press('Escape');
      await visit.page.getByRole('button', { name: 'Manage preferences', exact: true }).waitFor();
      expect(visit.faults).toEqual([]);
    },
  );

  it('inserts texts as text, not as HTML', async () => {
    await site.save({ title: '<img src=x onerror="window.hit=1"> & more' });
    visit = await site.visit();
    await visit.page.getByText('<img src=x onerror="window.hit=1"> & more').first().waitFor();
    expect(await ask('window.hit ?? 0')).toBe(0);
    await site.save({ title: 'Your privacy' });
  });

  it('starts once if its tag is on the page several times', async () => {
    visit = await site.visit({ head: `<script src="${site.app.url}/banner.js"></script>` });
    await visit.page.getByRole('dialog').waitFor();
    expect(await visit.page.locator('pavis-banner').count()).toBe(1);
  });

  it('starts if an element has the id pavis', async () => {
    visit = await site.visit({ banner: 'id="pavis"', body: '<form id="pavis"></form>' });
    await visit.page.getByRole('dialog').waitFor();
    expect(await ask('pavis.has("functional")')).toBe(true);
  });

  it.each([
    ['banner.esm.js', 'startBanner'],
    ['banner.headless.js', 'createConsent'],
  ])('sets no property of the window as a module (%s)', async (file, start) => {
    const head = `<script type="module">
      import { ${start} } from '${site.app.url}/${file}';
      window.consent = ${start}();
    </script>`;
    visit = await site.visit({ withoutBanner: true, head, body: '<p id="pavis">Ours</p>' });
    const isShown = () => visit.page.getByRole('dialog').waitFor();
    await visit.page.waitForFunction('window.consent?.ready.then(() => true)');
    if (start === 'startBanner') await isShown();
    expect(await ask('[document.getElementById("pavis").textContent, pavis.textContent]')).toEqual([
      'Ours',
      'Ours',
    ]);
    visit = await site.visit({ withoutBanner: true, head });
    await visit.page.waitForFunction('window.consent?.ready.then(() => true)');
    if (start === 'startBanner') await isShown();
    expect(await ask('typeof pavis')).toBe('undefined');
  });
});
