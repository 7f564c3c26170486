import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { HOUR_MS } from '../../platform/durations.ts';
import { CONSENT_ACTIONS } from './rules.ts';

const ROOT = '/wp-json/svc/v1';

/** The categories of a new installation, of which nothing was decided. */
const NONE = Object.fromEntries(
  ['functional', 'analytics', 'marketing', 'personalisation'].map((id) => [
    id,
    { accepted: 0, rejected: 0, acceptance_rate: 0 },
  ]),
);

interface Day {
  date: string;
  total: number;
}

/** Berlin and New York change their clocks at night, Lord Howe by half an hour, Beirut and Santiago at midnight. */
const ZONES = [
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Beirut',
  'America/Santiago',
];

function clockChanges(timeZone: string): number[] {
  const changes: number[] = [];
  let at = Temporal.ZonedDateTime.from(`2023-01-01T00:00[${timeZone}]`);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (!next || next.year > 2032) return changes;
    changes.push(next.epochMilliseconds);
    at = next;
  }
}

/** Calendar days up to `last`. */
const daysUpTo = (last: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    new Date(Date.parse(last) - (count - 1 - at) * 24 * HOUR_MS).toISOString().slice(0, 10),
  );

describe.each(ZONES)(
  'Consent statistics at the clock changes of 2023 to 2032 in %s',
  (timeZone) => {
    const app = useTestApp('sqlite', { PAVIS_SITE_TIMEZONE: timeZone });
    const dayOf = (at: number) =>
      new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at);

    it('have each day once and each record on its day', async () => {
      const headers = await basicAuth(app.platform);
      const stats = async (query = '') =>
        (await app.http.get(`${ROOT}/consent/stats${query}`, { headers })).json;
      const changes = clockChanges(timeZone);
      expect(changes.length).toBeGreaterThanOrEqual(20);
      for (const change of changes) {
        const counts = new Map<string, number>();
        const around = [-25, -24, -1, -0.5, 0, 0.5, 1, 12, 23, 24, 25];
        for (const at of around.flatMap((hours) => [
          change + hours * HOUR_MS - 1,
          change + hours * HOUR_MS,
        ])) {
          app.clock.set(new Date(at).toISOString());
          const body = { visitor_id: `v-${at}`, consent_action: 'accept_all' };
          expect((await app.http.post(`${ROOT}/consent`, { body })).status).toBe(200);
          counts.set(dayOf(at), (counts.get(dayOf(at)) ?? 0) + 1);
        }
        // Every half hour, because an error would show only near midnight.
        for (let hours = 26; hours <= 50; hours += 0.5) {
          const now = change + hours * HOUR_MS;
          app.clock.set(new Date(now).toISOString());
          const { daily } = await stats();
          const shown = daysUpTo(dayOf(now), 30);
          expect(daily.map(({ date }: Day) => date)).toEqual(shown);
          expect(daily.map(({ total }: Day) => total)).toEqual(
            shown.map((date) => counts.get(date) ?? 0),
          );
        }
        for (const [date, count] of counts) {
          expect(await stats(`?from=${date}&to=${date}`)).toMatchObject({
            period: { from: date, to: date },
            total: count,
            categories: { analytics: { accepted: count, rejected: 0 } },
            daily: [{ date, total: count }],
          });
        }
      }
    }, 120_000);
  },
);

describe.each(ENGINES)('GET /consent/stats on %s', (engine) => {
  const app = useTestApp(engine);
  const FIRST = '2026-01-01';
  const DAYS = 40;
  let headers: Record<string, string>;
  const get = async (path: string) => app.http.get(`${ROOT}${path}`, { headers });
  const stats = async (query = '') => (await get(`/consent/stats${query}`)).json;

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    for (let day = 0; day < DAYS; day++) {
      for (let nth = 0; nth <= day % 4; nth++) {
        app.clock.set(new Date(Date.parse(FIRST) + (day * 24 + nth * 7) * HOUR_MS).toISOString());
        const consent_action = CONSENT_ACTIONS[(day + nth) % 3];
        const lists = { categories_accepted: ['analytics'], categories_rejected: ['marketing'] };
        const body = {
          visitor_id: `v-${day}-${nth}`,
          consent_action,
          ...(consent_action === 'manage' && lists),
        };
        expect((await app.http.post(`${ROOT}/consent`, { body })).status).toBe(200);
      }
    }
    app.clock.set('2026-02-09T20:00:00Z');
  });

  it('counts the records of any period', async () => {
    const day = fc.integer({ min: -5, max: DAYS + 5 });
    await fc.assert(
      fc.asyncProperty(day, day, async (one, other) => {
        const [from, to] = [one, other].map((at) =>
          new Date(Date.parse(FIRST) + at * 24 * HOUR_MS).toISOString().slice(0, 10),
        ) as [string, string];
        const found = await stats(`?from=${from}&to=${to}`);
        const query = `date_from=${from}&date_to=${to}&per_page=1000`;
        const records: Record<string, string[] & string>[] = (
          await get(`/consent/records?${query}`)
        ).json;
        expect(found.period).toEqual({ from, to });
        expect(found.total).toBe(records.length);
        for (const action of CONSENT_ACTIONS) {
          const count = records.filter(({ consent_action }) => consent_action === action).length;
          expect(found.by_action[action]).toBe(count);
        }
        const count = (list: string, id: string) =>
          records.filter((record) => record[list]?.includes(id)).length;
        const ids = records.length > 0 ? ['analytics', 'functional', 'marketing'] : [];
        expect(Object.keys(found.categories)).toEqual(expect.arrayContaining(ids));
        for (const [id, { accepted, rejected, acceptance_rate }] of Object.entries<
          Record<string, number>
        >(found.categories)) {
          expect(accepted).toBe(count('categories_accepted', id));
          expect(rejected).toBe(count('categories_rejected', id));
          const decided = (accepted ?? 0) + (rejected ?? 0);
          expect(acceptance_rate).toBeCloseTo(decided === 0 ? 0 : (accepted ?? 0) / decided);
        }
        const dates = found.daily.map(({ date }: Day) => date);
        expect(dates).toEqual(daysUpTo(to, Math.max(0, other - one + 1)));
        const sum = found.daily.reduce((total: number, each: Day) => total + each.total, 0);
        expect(sum).toBe(records.length);
      }),
      { numRuns: 60 },
    );
  });

  it('counts all records and lists the last 30 days without a period', async () => {
    const all = await stats();
    expect(all.period).toBeNull();
    expect(all.total).toBe(100);
    expect(all.daily.map(({ date }: Day) => date)).toEqual(daysUpTo('2026-02-09', 30));
    expect(all.categories.analytics.accepted + all.categories.analytics.rejected).toBe(100);
  });

  it('completes a period of which only one end is given', async () => {
    expect((await stats('?from=2026-02-08')).period).toEqual({
      from: '2026-02-08',
      to: '2026-02-09',
    });
    expect((await stats('?to=2026-01-31')).period).toEqual({
      from: '2026-01-02',
      to: '2026-01-31',
    });
    const future = await stats('?from=2027-01-01');
    expect(future).toMatchObject({ total: 0, categories: NONE, daily: [] });
  });

  it('returns no days for a reversed period and 400 for invalid days and more than 3,660 days', async () => {
    expect(await stats('?from=2026-02-01&to=2026-01-01')).toEqual({
      period: { from: '2026-02-01', to: '2026-01-01' },
      total: 0,
      by_action: { accept_all: 0, reject_all: 0, manage: 0 },
      categories: NONE,
      daily: [],
    });
    for (const query of [
      '?from=2026-02-30',
      '?to=yesterday',
      '?from=2016-01-30&to=2026-02-06',
      '?from=0001-01-01',
      '?from[]=2026-01-01',
    ]) {
      const { status, json } = await get(`/consent/stats${query}`);
      expect([query, status, json.code]).toEqual([query, 400, 'rest_invalid_param']);
    }
    expect((await stats('?to=0000-01-02')).period).toEqual({
      from: '0000-01-01',
      to: '0000-01-02',
    });
    expect((await stats('?from=2016-01-31&to=2026-02-06')).daily).toHaveLength(3_660);
  });
});
