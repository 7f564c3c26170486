import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useBannerSite, type Visit } from '../support/banner.ts';
import { basicAuth } from '../support/makers.ts';
import { createSubjectToken } from '../support/subject-token.ts';

describe('Choices on several devices', () => {
  const site = useBannerSite();
  let key: string;
  let person = 0;
  const open: Visit[] = [];
  afterEach(async () => {
    for (const visit of open.splice(0)) await visit.page.context().close();
  });
  beforeAll(async () => {
    const headers = await basicAuth(site.app.platform);
    ({ key } = (await site.app.http.get('/wp-json/svc/v1/consent/subject-key', { headers })).json);
    await site.save({ shared_choices: true });
  });

  /** A page with a token, or without one. */
  const toPage = (user?: string) => ({
    banner: user ? `data-subject="${createSubjectToken(key, user, site.app.clock.now())}"` : '',
    body: '<script type="text/plain" data-category="analytics" src="/stats.js"></script>',
  });
  /** A new device. */
  const visitAs = async (user?: string): Promise<Visit> => {
    const visit = await site.visit(toPage(user));
    open.push(visit);
    return visit;
  };
  /** Another page on the same device: the cookies are those of the first. */
  const continueAs = async (before: Visit, user?: string): Promise<Visit> => {
    const storageState = await before.page.context().storageState();
    const visit = await site.visit(toPage(user), { storageState });
    open.push(visit);
    return visit;
  };
  const ask = <T>(visit: Visit, expression: string) => visit.page.evaluate<T>(expression);
  const choose = async (visit: Visit, call: string) => {
    await ask(visit, `pavis.${call}`);
    // The clock of the server stands still, that of the browser does not.
    site.app.clock.advance(2_000);
    await visit.page.waitForTimeout(1_100);
  };
  const accepted = (visit: Visit) => ask<string[]>(visit, 'pavis.state.accepted');
  const mustAsk = (visit: Visit) => ask<boolean>(visit, 'pavis.mustAsk');
  const compared = ({ sent }: Visit) => sent.filter(({ body }) => !body.consent_action).length;
  /** Makes the comparison due again. */
  const forget = (visit: Visit) =>
    ask(
      visit,
      `document.cookie = document.cookie.match(/pavis_consent=[^;]*/)[0].replace(/(%22shared%22%3A%22[^.]*\\.)\\d+/, '$11') + ';Path=/;Max-Age=9999'`,
    );
  const newPerson = () => `person-${++person}`;

  it('adopt the choice on another device once, and do not ask again', async () => {
    const ada = newPerson();
    const phone = await visitAs(ada);
    expect(await mustAsk(phone)).toBe(true);
    const banner = phone.page.getByRole('dialog');
    await banner.getByText('your choice also applies on your other devices').waitFor();
    await choose(phone, 'set(["analytics"])');
    const laptop = await visitAs(ada);
    expect(await mustAsk(laptop)).toBe(false);
    expect(await accepted(laptop)).toEqual(['functional', 'analytics']);
    await expect.poll(() => ask(laptop, 'window.ran')).toEqual(['stats']);
    await ask(laptop, 'pavis.sent');
    expect((await site.records())[0]).toMatchObject({
      source: 'shared',
      consent_action: 'manage',
      categories_accepted: ['functional', 'analytics'],
    });
    const records = (await site.records()).length;
    await laptop.page.reload();
    await ask(laptop, 'pavis.ready');
    expect([compared(laptop), (await site.records()).length]).toEqual([1, records]);
    expect(laptop.faults).toEqual([]);
  });

  it('apply a stricter newer choice, with a reload, and ignore a looser one', async () => {
    const bob = newPerson();
    const phone = await visitAs(bob);
    await choose(phone, 'accept()');
    const laptop = await visitAs(bob);
    expect(await accepted(laptop)).toContain('marketing');
    await choose(phone, 'set(["analytics"])');
    await forget(laptop);
    const later = await continueAs(laptop, bob);
    await expect
      .poll(() => accepted(later).catch(() => undefined))
      .toEqual(['functional', 'analytics']);
    await choose(phone, 'accept()');
    await forget(later);
    const last = await continueAs(later, bob);
    await expect.poll(() => compared(last)).toBe(1);
    await last.page.waitForTimeout(300);
    expect(await accepted(last)).toEqual(['functional', 'analytics']);
  });

  it('keep the choices of two people on one browser apart', async () => {
    const [carl, dora] = [newPerson(), newPerson()];
    const hers = await visitAs(dora);
    await choose(hers, 'reject()');
    const device = await visitAs(carl);
    await choose(device, 'accept()');
    const then = await continueAs(device, dora);
    await expect.poll(() => accepted(then).catch(() => undefined)).toEqual(['functional']);
    // Hers is still her own word, and so is his.
    const others = await visitAs(carl);
    expect(await accepted(others)).toContain('marketing');
    expect(await mustAsk(await visitAs(dora))).toBe(false);
  });

  it('send a choice again that was made after its token had expired', async () => {
    const emma = newPerson();
    const phone = await visitAs(emma);
    await choose(phone, 'accept()');
    await ask(phone, 'performance.now = () => 600_000');
    const reloaded = phone.page.waitForEvent('load');
    await ask(phone, 'pavis.reject()').catch(() => undefined);
    await reloaded;
    // The reloaded page has a valid token.
    await expect.poll(() => phone.sent.at(-1)?.body.source).toBe('resent');
    const rejected = phone.sent.find(({ body }) => body.consent_action === 'reject_all');
    expect(rejected?.body).not.toHaveProperty('subject_token');
    await expect.poll(async () => (await site.records())[0]?.source).toBe('resent');
    expect(await accepted(await visitAs(emma))).toEqual(['functional']);
    expect(phone.faults).toEqual([]);
  });

  it('send a choice again that was delivered after its token had expired', async () => {
    const ivy = newPerson();
    const phone = await visitAs(ivy);
    await choose(phone, 'accept()');
    await phone.page.route('**/svc/v1/consent', (route) => route.abort());
    const reloaded = phone.page.waitForEvent('load');
    await ask(phone, 'pavis.reject()').catch(() => undefined);
    await reloaded;
    await phone.page.clock.setFixedTime(Date.now() + 1_200_000);
    site.app.clock.advance(1_200_000);
    await phone.page.unroute('**/svc/v1/consent');
    await expect
      .poll(async () => (await site.records())[0])
      .toMatchObject({ consent_action: 'reject_all', source: 'api' });
    expect(await accepted(await visitAs(ivy))).toContain('marketing');
    const next = await continueAs(phone, ivy);
    await expect.poll(() => next.sent.at(-1)?.body.source).toBe('resent');
    await next.untilAnswered();
    expect(await accepted(await visitAs(ivy))).toEqual(['functional']);
  });

  it('hold back what Global Privacy Control forbids', async () => {
    const finn = newPerson();
    await choose(await visitAs(finn), 'accept()');
    const visit = await site.visit({ ...toPage(finn), bannerHeaders: { 'sec-gpc': '1' } });
    open.push(visit);
    expect([await accepted(visit), compared(visit)]).toEqual([['functional'], 0]);
  });

  it('are adopted by an interface of the site, too', async () => {
    const gus = newPerson();
    await choose(await visitAs(gus), 'reject()');
    const visit = await site.visit({ withoutBanner: true });
    open.push(visit);
    const found = await ask(
      visit,
      `(async () => {
        const from = (file) => import('${site.app.url}/' + file);
        const { createConsent } = await from('banner.headless.js');
        const parts = await from('banner.sharing.js');
        const subject = '${createSubjectToken(key, gus, site.app.clock.now())}';
        const consent = createConsent({ restRoot: '${site.app.url}/wp-json', subject, parts });
        await consent.ready;
        return [consent.mustAsk, consent.state.action];
      })()`,
    );
    expect(found).toEqual([false, 'reject_all']);
  });

  it('take no request for visitors who are not signed in, and while they are off', async () => {
    const out = await visitAs();
    await site.save({ shared_choices: false });
    const off = await visitAs(newPerson());
    expect([compared(out), compared(off)]).toEqual([0, 0]);
    expect(await mustAsk(off)).toBe(true);
    await site.save({ shared_choices: true });
  });
});
