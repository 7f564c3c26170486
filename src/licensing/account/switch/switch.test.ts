import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { createBearerHeader, makeLicence } from '../../../../test/support/makers.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { editLicence, extendLicence, suspendLicence } from '../../licences/index.ts';

const OLD = 'https://old.example.com';
const NEW = 'https://new.example.com';

describe.each(ENGINES)('Switching sites on %s', (engine) => {
  const app = useTestApp(engine);

  const activate = async (key: string, site: string) =>
    (await app.http.site('activate', key, site)).json.activation_id;
  const isActive = async (key: string, site: string) =>
    (await app.http.site('validate', key, site)).json.site_active;

  /** A licence whose only slot is in use. */
  async function makeFull() {
    const { key, id, email } = await makeLicence(app.platform, { sitesAllowed: 1 });
    const activation = await activate(key, OLD);
    const headers = await createBearerHeader(app.platform, email);
    const switchTo = (site_url: unknown, activation_id?: unknown, of = id) =>
      app.http.post(`/customer/licences/${of}/switch`, {
        headers,
        body: { site_url, activation_id },
      });
    const options = (site: string, of = id) =>
      app.http.get(`/customer/licences/${of}/switch?site_url=${encodeURIComponent(site)}`, {
        headers,
      });
    return { key, id, email, activation, headers, switchTo, options };
  }

  it('deactivates one site and activates another, seen by validations at once', async () => {
    const { key, id, activation, switchTo, options } = await makeFull();
    expect(await isActive(key, OLD)).toBe(true);
    expect((await options(NEW)).json).toEqual({
      id,
      product: 'pavis',
      plan: 'Pro',
      status: 'active',
      sites_allowed: 1,
      sites_used: 1,
      site_active: false,
      sites: [
        {
          activation_id: activation,
          site_url: OLD,
          activated_at: new Date(app.clock.now()).toISOString(),
        },
      ],
    });
    const { status, json } = await switchTo(NEW, activation);
    expect([status, json]).toEqual([
      200,
      {
        success: true,
        activation_id: expect.any(Number),
        deactivated: OLD,
        message: `${OLD} is deactivated. ${NEW} is active.`,
      },
    ]);
    expect([await isActive(key, OLD), await isActive(key, NEW)]).toEqual([false, true]);
    expect(await activate(key, NEW)).toBe(json.activation_id);
    const events = await app.platform.datastore.db
      .selectFrom('licence_events')
      .innerJoin('licences', 'licences.id', 'licence_events.licence_id')
      .select(['actor', 'action'])
      .where('licences.public_id', '=', id)
      .where('actor', '=', 'customer')
      .orderBy('licence_events.id')
      .execute();
    expect(events.map(({ action }) => action)).toEqual(['deactivated', 'activated']);
  });

  it('repeats without effect, and keeps other sites if the site is active already', async () => {
    const { key, activation, switchTo } = await makeFull();
    const first = await switchTo(NEW, activation);
    const again = await switchTo(NEW, activation);
    expect(again.json).toMatchObject({
      activation_id: first.json.activation_id,
      deactivated: null,
      message: `${NEW} is active.`,
    });
    expect((await switchTo(NEW, first.json.activation_id)).json.deactivated).toBeNull();
    expect(await isActive(key, NEW)).toBe(true);
  });

  it('changes nothing if no slot is free afterwards', async () => {
    const { key, id, activation, switchTo } = await makeFull();
    const none = await switchTo(NEW);
    expect(none).toMatchObject({ status: 403, json: { error: 'activation_limit_reached' } });
    expect(none.json.help_url).toContain(`/account/switch-site?licence=${id}`);
    // Another tab has given the slot to another site.
    await switchTo('https://faster.example.com', activation);
    const late = await switchTo(NEW, activation);
    expect(late).toMatchObject({ status: 403, json: { error: 'activation_limit_reached' } });
    expect(await isActive(key, 'https://faster.example.com')).toBe(true);
  });

  it('counts the chosen site as in use if too many sites are active', async () => {
    const { key, id, email } = await makeLicence(app.platform, { sitesAllowed: 3 });
    const activation_id = await activate(key, OLD);
    for (const site of ['https://a.example.com', 'https://b.example.com'])
      await activate(key, site);
    await editLicence(app.platform, id, { edits: { sites_allowed: 1 } }, 'test');
    const { json } = await app.http.post(`/customer/licences/${id}/switch`, {
      headers: await createBearerHeader(app.platform, email),
      body: { site_url: NEW, activation_id },
    });
    expect(json.message).toContain('3 of 1');
    expect(await isActive(key, OLD)).toBe(true);
  });

  it('does not free a slot with a development site, which stays active', async () => {
    const { key, id, switchTo, options } = await makeFull();
    await editLicence(app.platform, id, { edits: { development_sites_free: true } }, 'test');
    const free = await activate(key, 'https://staging.example.com');
    expect((await options(NEW)).json.sites).toMatchObject([{ site_url: OLD }]);
    expect((await switchTo(NEW, free)).status).toBe(403);
    expect(await isActive(key, 'https://staging.example.com')).toBe(true);
  });

  it('gives one slot to one of many concurrent switches, and loses none', async () => {
    const { key, activation, switchTo } = await makeFull();
    const sites = Array.from({ length: 8 }, (_, n) => `https://site-${n}.example.com`);
    const answers = await Promise.all(sites.map((site) => switchTo(site, activation)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(403)]);
    const active = await Promise.all([OLD, ...sites].map((site) => isActive(key, site)));
    expect(active.filter(Boolean)).toHaveLength(1);
    expect(active[0]).toBe(false);
  });

  it('uses a free slot without deactivating a site', async () => {
    const { key, email, id } = await makeLicence(app.platform, { sitesAllowed: 2 });
    await activate(key, OLD);
    const { status, json } = await app.http.post(`/customer/licences/${id}/switch`, {
      headers: await createBearerHeader(app.platform, email),
      body: { site_url: NEW },
    });
    expect([status, json.deactivated]).toEqual([200, null]);
    expect([await isActive(key, OLD), await isActive(key, NEW)]).toEqual([true, true]);
  });

  it('keeps the site of a licence that has expired or is suspended', async () => {
    const { key, id, activation, switchTo, options } = await makeFull();
    await suspendLicence(app.platform, id, 'test');
    expect((await switchTo(NEW, activation)).json.error).toBe('licence_suspended');
    const expired = await makeFull();
    await extendLicence(app.platform, expired.id, app.clock.now() - 1, 'test');
    const refused = await expired.switchTo(NEW, expired.activation);
    expect(refused.json.error).toBe('licence_expired');
    expect(refused.json.message).toContain(`/account/renew?licence=${expired.id}`);
    expect((await options(NEW)).json).toMatchObject({ status: 'suspended', sites_used: 1 });
    expect(await isActive(key, OLD)).toBe(true);
  });

  it("does not change or reveal another customer's licence", async () => {
    const mine = await makeFull();
    const theirs = await makeFull();
    const answers = await Promise.all([
      mine.switchTo(NEW, theirs.activation, theirs.id),
      mine.switchTo(NEW, mine.activation, 'lic_0000000000000000'),
      mine.options(NEW, theirs.id),
      mine.options(NEW, 'lic_0000000000000000'),
    ]);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]).toMatchObject({ status: 404, json: { error: 'licence_not_found' } });
    expect((await mine.switchTo(NEW, theirs.activation)).status).toBe(403);
    expect(await isActive(theirs.key, OLD)).toBe(true);
    expect(await isActive(mine.key, OLD)).toBe(true);
    const anonymous = await app.http.post(`/customer/licences/${mine.id}/switch`, {
      body: { site_url: NEW, activation_id: mine.activation },
    });
    expect(anonymous.status).toBe(401);
  });

  it.each([
    ['shop', 17],
    [undefined, 17],
    [NEW, 0],
    [NEW, '17'],
  ])('rejects the site %j with the activation %j', async (site, activation) => {
    const { switchTo } = await makeFull();
    const { status, json } = await switchTo(site, activation);
    expect([status, json.error]).toEqual([400, 'invalid_request']);
  });
});
