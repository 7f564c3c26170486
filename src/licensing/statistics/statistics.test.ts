import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { makeLicence } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser } from '../../../test/support/users.ts';
import { DAY_MS } from '../../platform/durations.ts';
import {
  extendLicence,
  getLicenceStatus,
  type Licence,
  reinstateLicence,
  revokeLicence,
  suspendLicence,
} from '../licences/index.ts';
import { createPlan, createProduct } from '../products/index.ts';
import { deleteOldCounts, ValidationCounts } from '../validation/index.ts';

const SITE = 'https://shop.example.org';
const NOTHING = {
  active: 0,
  grace: 0,
  not_activated: 0,
  limit_reached: 0,
  expired: 0,
  suspended: 0,
  revoked: 0,
  unknown_key: 0,
};

describe.each(ENGINES)('Licence statistics on %s', (engine) => {
  const app = useTestApp(engine);
  let staff: Promise<Awaited<ReturnType<typeof makeUser>>> | undefined;
  async function ask(query: string) {
    staff ??= makeUser(app.platform);
    const { login, applicationPassword } = await staff;
    const headers = basic(login, applicationPassword);
    return app.http.request('GET', `/console/licences/stats?${query}`, { headers });
  }
  let made = 0;
  async function makeProduct(): Promise<string> {
    const slug = `counted-${++made}`;
    await createProduct(app.platform, { slug, name: 'Counted' }, 'test');
    await createPlan(app.platform, slug, { tier: 'solo', sites_allowed: 1 }, 'test');
    return slug;
  }
  const make = (product: string, more: object = {}) =>
    makeLicence(app.platform, { product, tier: 'solo', ...more });
  const validate = async (key: string, site = SITE) =>
    (await app.http.site('validate', key, site)).json.state;
  const scrape = async () => {
    // The counts of licences are kept for 30 seconds.
    app.clock.advance(30_000);
    return (await app.http.get('/metrics')).text;
  };

  it('count active, new and churned licences by day, with renewals and grace periods', async () => {
    const product = await makeProduct();
    const now = app.clock.now();
    const kept = await make(product, { expiresAt: now + DAY_MS, graceDays: 1 });
    await make(product, { expiresAt: now + DAY_MS, graceDays: 1 });
    const revoked = await make(product);
    await make(product, { mode: 'test' });
    app.clock.advance(DAY_MS);
    const at = () => ask(`days=4&product=${product}`).then(({ json }) => json);
    expect(await at()).toMatchObject({ active: 3, new: 3, churned: 0 });
    await revokeLicence(app.platform, revoked.id, 'test');
    app.clock.advance(DAY_MS);
    const dates = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'];
    const [active, fresh, churned] = [
      [0, 3, 2, 0],
      [0, 3, 0, 0],
      [0, 0, 1, 2],
    ] as const;
    const toDays = (values: readonly (readonly number[])[]) =>
      dates.map((date, day) => ({
        date,
        active: values[0]?.[day],
        suspended: 0,
        new: values[1]?.[day],
        churned: values[2]?.[day],
        validations: NOTHING,
        webhook_failures: 0,
      }));
    expect(await at()).toEqual({
      from: dates[0],
      to: dates[3],
      active: 0,
      suspended: 0,
      new: 3,
      churned: 3,
      validations: expect.anything(),
      webhook_failures: 0,
      daily: toDays([active, fresh, churned]).map((day) => ({
        ...day,
        validations: expect.anything(),
      })),
    });
    // A renewal is not new, and counts from the end of the grace period on.
    await extendLicence(app.platform, kept.id, app.clock.now() + 300 * DAY_MS, 'test');
    const renewed = await at();
    expect(renewed).toMatchObject({ active: 1, new: 3, churned: 2 });
    expect(renewed.daily.map((day: { active: number }) => day.active)).toEqual([0, 3, 2, 1]);
    // The days before the period are the start of its counts.
    expect((await ask(`days=1&product=${product}`)).json).toMatchObject({
      active: 1,
      new: 0,
      churned: 1,
    });
    expect((await ask(`days=4&product=${product}&mode=test`)).json).toMatchObject({
      active: 1,
      new: 1,
      churned: 0,
    });
  });

  it('do not count suspended licences as active, nor as churned', async () => {
    const product = await makeProduct();
    const { id } = await make(product);
    await make(product);
    app.clock.advance(DAY_MS);
    await suspendLicence(app.platform, id, 'test');
    const at = async () => (await ask(`days=3&product=${product}`)).json;
    const suspended = await at();
    expect(suspended).toMatchObject({ active: 1, suspended: 1, churned: 0 });
    expect(suspended.daily.map((day: { active: number }) => day.active)).toEqual([0, 2, 1]);
    await reinstateLicence(app.platform, id, 'test');
    expect(await at()).toMatchObject({ active: 2, suspended: 0, churned: 0 });
  });

  it('are what the status of each licence was at the end of each day, whatever its dates', async () => {
    const { db } = app.platform.datastore;
    const DAYS = 6;
    const moment = fc.integer({ min: -4 * 24, max: 10 * 24 });
    const dates = fc.record({
      issued: moment,
      expires: moment,
      graceDays: fc.integer({ min: 0, max: 3 }),
      suspended: fc.option(moment),
      revoked: fc.option(moment),
    });
    const start = Math.floor(app.clock.now() / DAY_MS) * DAY_MS;
    app.clock.set(new Date(start + 5 * DAY_MS + 12 * 3_600_000).toISOString());
    const now = app.clock.now();
    const toMoment = (hours: number) => start + hours * 3_600_000;
    await fc.assert(
      fc.asyncProperty(fc.array(dates, { maxLength: 8 }), async (all) => {
        const product = await makeProduct();
        const { email } = await make(product);
        const { id: productId } = await db
          .selectFrom('products')
          .select('id')
          .where('slug', '=', product)
          .executeTakeFirstOrThrow();
        const { id: customer } = await db
          .selectFrom('customers')
          .select('id')
          .where('email', '=', email)
          .executeTakeFirstOrThrow();
        await db
          .updateTable('licences')
          .set({ mode: 'test' })
          .where('customer_id', '=', customer)
          .execute();
        const licences = all.map((each) => ({
          issuedAt: toMoment(each.issued),
          expiresAt: toMoment(each.expires),
          graceDays: each.graceDays,
          suspendedAt: each.suspended === null ? null : toMoment(each.suspended),
          revokedAt: each.revoked === null ? null : toMoment(each.revoked),
        }));
        for (const [index, each] of licences.entries())
          await db
            .insertInto('licences')
            .values({
              public_id: `lic_${product}_${index}`,
              customer_id: customer,
              mode: 'live',
              product_id: productId,
              tier: 'solo',
              sites_allowed: 1,
              grace_days: each.graceDays,
              issued_at: each.issuedAt,
              expires_at: each.expiresAt,
              suspended_at: each.suspendedAt,
              revoked_at: each.revokedAt,
            })
            .execute();
        const expected = Array.from({ length: DAYS }, (_, day) => {
          const end = Math.min(now, start + (day + 1) * DAY_MS - 1);
          const statuses = licences
            .filter(({ issuedAt }) => issuedAt <= end)
            .map((each) => getLicenceStatus(asOf(each, end), end));
          const ended = licences.filter((each) => {
            const churnedAt = getChurn(each);
            return (
              Math.floor(churnedAt / DAY_MS) * DAY_MS === start + day * DAY_MS && churnedAt <= now
            );
          });
          return {
            active: statuses.filter((status) => status === 'active').length,
            churned: ended.filter(({ issuedAt }) => issuedAt <= now).length,
          };
        });
        const { json } = await ask(`days=${DAYS}&product=${product}`);
        const shown = json.daily.map(({ active, churned }: Record<string, number>) => ({
          active,
          churned,
        }));
        expect(shown).toEqual(expected);
        const listed = await app.platform.datastore.db
          .selectFrom('licences')
          .select('id')
          .where('product_id', '=', productId)
          .where('mode', '=', 'live')
          .execute();
        expect(listed).toHaveLength(licences.length);
      }),
      { numRuns: 25 },
    );
  });

  it('count validations by result, and unknown keys apart from products', async () => {
    const product = await makeProduct();
    const { key } = await make(product, { expiresAt: app.clock.now() + DAY_MS, graceDays: 1 });
    const before = (await ask('days=1')).json.validations.unknown_key;
    expect(await validate(key)).toBe('not_activated');
    await app.http.site('activate', key, SITE);
    // The second answer and later ones come from the fast path.
    for (let times = 0; times < 3; times++) expect(await validate(key)).toBe('active');
    expect(await validate(key, 'https://other.example.org')).toBe('limit_reached');
    app.clock.advance(DAY_MS);
    expect(await validate(key)).toBe('grace');
    await validate(`pv_live_${'a'.repeat(32)}`);
    const counted = { not_activated: 1, active: 3, limit_reached: 1, grace: 1 };
    const get = async (query: string) => (await ask(query)).json.validations;
    // In memory until the next flush.
    expect(await get(`days=1&product=${product}`)).toEqual(NOTHING);
    await app.validationCounts.flush();
    await app.validationCounts.flush();
    expect(await get(`days=1&product=${product}`)).toEqual({ ...NOTHING, ...counted });
    expect(await get(`days=1&product=${product}&mode=test`)).toEqual(NOTHING);
    expect((await get('days=1')).unknown_key).toBe(before + 1);
    const text = await scrape();
    const series = (mode: string, result: string, of = product) =>
      `pavis_licence_validations_total{product="${of}",mode="${mode}",result="${result}"}`;
    expect(text).toContain(`${series('live', 'active')} 3\n`);
    expect(text).toContain(`${series('live', 'grace')} 1\n`);
    expect(text).toContain(series('', 'unknown_key', ''));
    expect(text).not.toContain(`${series('', 'unknown_key', '')} 0
`);
  });

  it('add up what several nodes have counted, and keep what could not be written', async () => {
    const product = await makeProduct();
    const { key } = await make(product);
    await validate(key);
    await app.validationCounts.flush();
    const { id: productId } = await app.platform.datastore.db
      .selectFrom('products')
      .select('id')
      .where('slug', '=', product)
      .executeTakeFirstOrThrow();
    const snapshot = { licence: { productId, mode: 'live' }, product } as never;
    const get = async () => (await ask(`days=1&product=${product}`)).json.validations;
    const node = new ValidationCounts(app.platform);
    node.of(snapshot, 'not_activated').requests += 4;
    const rename = (from: string, to: string) =>
      app.platform.datastore.db.schema.alterTable(from).renameTo(to).execute();
    await rename('validation_counts', 'validation_counts_away');
    await node.flush();
    await rename('validation_counts_away', 'validation_counts');
    expect((await get()).not_activated).toBe(1);
    node.start();
    await node.stop();
    await node.close();
    expect((await get()).not_activated).toBe(5);
  });

  it('are kept for 25 months', async () => {
    const { datastore, clock } = app.platform;
    const row = { product_id: 0, mode: '', result: 'unknown_key', requests: 1 } as const;
    const days = ['2000-01-09', '2000-01-10', '2000-02-28', '2000-02-29'];
    await datastore.db
      .insertInto('validation_counts')
      .values(days.map((day) => ({ ...row, day })))
      .execute();
    await datastore.transaction((trx) =>
      deleteOldCounts(trx, Date.parse('2002-02-10T23:00:00.000Z')),
    );
    const kept = async () => {
      const rows = await datastore.db
        .selectFrom('validation_counts')
        .select('day')
        .where('day', '<', '2001')
        .orderBy('day')
        .execute();
      return rows.map(({ day }) => day);
    };
    expect(await kept()).toEqual(['2000-01-10', '2000-02-28', '2000-02-29']);
    // February 2000 has no 31st day.
    await datastore.transaction((trx) =>
      deleteOldCounts(trx, Date.parse('2002-03-31T01:00:00.000Z')),
    );
    expect(await kept()).toEqual(['2000-02-29']);
    await datastore.transaction((trx) => deleteOldCounts(trx, clock.now()));
  });

  it('count licences by status and downloads in /metrics', async () => {
    const product = await makeProduct();
    const { id } = await make(product);
    await make(product, { expiresAt: app.clock.now() });
    await make(product, { mode: 'test' });
    const series = (mode: string, status: string) =>
      `pavis_licences{product="${product}",mode="${mode}",status="${status}"}`;
    const first = await scrape();
    expect(first).toContain(`${series('live', 'active')} 1\n`);
    expect(first).toContain(`${series('live', 'expired')} 1\n`);
    expect(first).toContain(`${series('test', 'active')} 1\n`);
    expect(first).toContain('# TYPE pavis_release_downloads_total counter\n');
    await revokeLicence(app.platform, id, 'test');
    const kept = (await app.http.get('/metrics')).text;
    expect(kept).toContain(`${series('live', 'active')} 1\n`);
    const later = await scrape();
    expect(later).toContain(`${series('live', 'revoked')} 1\n`);
    expect(later).not.toContain(series('live', 'active'));
  });

  it('refuse an unknown product and too many days', async () => {
    expect((await ask('days=30&product=nothing')).json).toMatchObject({
      code: 'rest_invalid_param',
      data: { status: 400, params: { product: expect.stringContaining('product must be one of') } },
    });
    expect((await ask('days=400')).status).toBe(400);
  });
});

type Dates = Pick<Licence, 'issuedAt' | 'expiresAt' | 'graceDays' | 'suspendedAt' | 'revokedAt'>;

/** The licence before the moments that are still to come. */
const asOf = ({ suspendedAt, revokedAt, ...rest }: Dates, end: number): Dates => ({
  ...rest,
  suspendedAt: suspendedAt !== null && suspendedAt <= end ? suspendedAt : null,
  revokedAt: revokedAt !== null && revokedAt <= end ? revokedAt : null,
});

function getChurn({ issuedAt, expiresAt, graceDays, revokedAt }: Dates): number {
  const end = expiresAt + graceDays * DAY_MS;
  return Math.max(issuedAt, Math.min(end, revokedAt ?? end));
}
