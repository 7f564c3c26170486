import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dumpDatabase } from '../../../test/support/dump.ts';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { makeCountryDatabase } from '../../../test/support/mmdb.ts';
import { dataFolder } from '../../../test/support/process.ts';
import { type TestApp, useTestApp } from '../../../test/support/test-app.ts';
import { openCountryFinder } from '../../platform/http/client-country.ts';

const ROOT = '/wp-json/svc/v1';
const CLIENT = '203.0.113.77';
const folder = dataFolder();
afterAll(() => folder.remove());
const save = (name: string, content: Buffer | string): string => {
  const path = join(folder.path, name);
  writeFileSync(path, content);
  return path;
};
const COUNTRIES = { '198.51.100.1': 'US', '198.51.100.2': 'GB', [CLIENT]: 'QZ' };
const database = save(
  'countries.mmdb',
  makeCountryDatabase(COUNTRIES, (country_code) => ({ country_code })),
);

const saveSettings = async (app: TestApp, consent: object) =>
  app.http.request('PUT', `${ROOT}/settings`, {
    headers: await basicAuth(app.platform),
    body: { consent },
  });
const getRegime = async (app: TestApp, headers: Record<string, string>) =>
  (await app.http.get(`${ROOT}/consent/regime`, { headers })).json.regime;

describe.each(ENGINES)('Regimes on %s', (engine) => {
  const app = useTestApp(engine, {
    PAVIS_TRUSTED_PROXIES: '127.0.0.1',
    PAVIS_COUNTRY_HEADER: 'CF-IPCountry',
    PAVIS_COUNTRY_DATABASE: database,
  });
  const listRegimes = async (query = '') =>
    app.http.get(`${ROOT}/consent/regimes${query}`, { headers: await basicAuth(app.platform) });

  beforeAll(() => saveSettings(app, { regimes: { mode: 'by_country' } }));

  it('lists the rules of today with sources, days and countries', async () => {
    const { status, json } = await listRegimes();
    expect([status, json.date]).toEqual([200, '2026-11-21']);
    const [eu, uk, us] = json.regimes;
    expect(eu.countries).toContain('DE');
    expect(uk.rules.exempt_purposes).toMatchObject({
      value: ['statistics', 'appearance'],
      valid_from: '2026-02-05',
      valid_until: null,
    });
    expect(us.rules.confirm_opt_out.source.article).toBe('§ 7025(c)(6)');
    expect(uk.rules.refused_until_days).toEqual({
      value: 0,
      source: null,
      note: null,
      valid_from: null,
      valid_until: null,
    });
  });

  it('lists the rules of another day', async () => {
    const { regimes } = (await listRegimes('?date=2025-01-21')).json;
    const { must_ask } = regimes.find(({ id }: { id: string }) => id === 'ch').rules;
    expect([must_ask.value, must_ask.valid_until]).toEqual([false, '2025-01-21']);
  });

  it.each([
    ['2019-12-31', '2020-01-01 or later'],
    ['yesterday', 'date'],
  ])('returns 400 for the date %s', async (date, message) => {
    const { status, text } = await listRegimes(`?date=${date}`);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });

  it.each([
    ['US', 'us'],
    ['gb', 'uk'],
    ['JE', 'default'],
    ['XX', 'default'],
    ['T1', 'default'],
    ['US, DE', 'default'],
  ])('finds the country %s in the header of a trusted proxy', async (country, regime) => {
    expect(await getRegime(app, { 'cf-ipcountry': country })).toBe(regime);
  });

  it('finds the country in the database if no header names it', async () => {
    expect(await getRegime(app, { 'x-forwarded-for': '198.51.100.1' })).toBe('us');
    const unknown = { 'x-forwarded-for': '198.51.100.2', 'cf-ipcountry': 'XX' };
    expect(await getRegime(app, unknown)).toBe('uk');
    expect(await getRegime(app, { 'x-forwarded-for': '198.51.100.3' })).toBe('default');
    expect(await getRegime(app, {})).toBe('default');
  });

  it('follows the choice of the owner', async () => {
    const regimes = { overrides: [{ country: 'CA', regime: 'us' }] };
    expect((await saveSettings(app, { regimes })).status).toBe(200);
    expect(await getRegime(app, { 'cf-ipcountry': 'CA' })).toBe('us');

    await saveSettings(app, { regimes: { mode: 'opt_in_everywhere' } });
    const headers = { 'cf-ipcountry': 'US' };
    const { json } = await app.http.get(`${ROOT}/consent/regime`, { headers });
    expect(json).toMatchObject({
      regime: 'default',
      rules: { must_ask: true, show_opt_out_link: true },
    });
    await saveSettings(app, { regimes: { mode: 'by_country', overrides: [] } });
  });

  it('keeps the response out of all caches and gives values only', async () => {
    const { headers, json } = await app.http.get(`${ROOT}/consent/regime`);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('etag')).toBeNull();
    expect(Object.keys(json)).toEqual(['date', 'regime', 'rules']);
    expect(json.rules).toMatchObject({ must_ask: true, exempt_purposes: [] });
  });

  it('leaves neither the country nor the address of a visitor in database, log and responses', async () => {
    const trace = new RegExp(`\\b(QZ|${CLIENT.replaceAll('.', '\\.')})\\b`);
    const headers = { 'cf-ipcountry': 'QZ', 'x-forwarded-for': CLIENT };
    const answers = [
      await app.http.get(`${ROOT}/consent/regime`, { headers }),
      await app.http.get(`${ROOT}/consent/regime`, { headers: { 'x-forwarded-for': CLIENT } }),
      await app.http.get(`${ROOT}/consent/status`, { headers }),
      await app.http.post(`${ROOT}/consent`, {
        headers,
        body: { visitor_id: 'traveller', consent_action: 'reject_all', gpc: true },
      }),
    ];
    for (const { status, text, headers: sent } of answers) {
      expect(status).toBe(200);
      expect(`${text} ${JSON.stringify([...sent])}`).not.toMatch(trace);
    }
    const dump = await dumpDatabase(app.platform);
    expect(dump).toContain('traveller');
    expect(dump).not.toMatch(trace);
    expect(app.logged()).toContain('/consent/regime');
    expect(app.logged()).not.toMatch(trace);
  });
});

describe('the header of a country', () => {
  const app = useTestApp('sqlite', {
    PAVIS_TRUSTED_PROXIES: '10.0.0.0/8',
    PAVIS_COUNTRY_HEADER: 'CF-IPCountry',
  });

  it('is ignored if the client itself sends it', async () => {
    await saveSettings(app, { regimes: { mode: 'by_country' } });
    expect(await getRegime(app, { 'cf-ipcountry': 'US' })).toBe('default');
  });
});

describe('openCountryFinder', () => {
  it('reads databases of the shape of MaxMind', async () => {
    const path = save(
      'maxmind.mmdb',
      makeCountryDatabase(COUNTRIES, (iso_code) => ({ country: { iso_code } })),
    );
    const find = await openCountryFinder({ header: undefined, database: path }, []);
    const socket = { remoteAddress: '198.51.100.2' } as never;
    expect(find?.({ headers: {}, socket })).toBe('GB');
  });

  it.each([
    ['absent.mmdb', undefined],
    ['text.mmdb', 'no database'],
  ])('refuses %s and names the variable', async (name, content) => {
    const path = content === undefined ? join(folder.path, name) : save(name, content);
    await expect(openCountryFinder({ header: undefined, database: path }, [])).rejects.toThrow(
      /^PAVIS_COUNTRY_DATABASE is ".*mmdb", which cannot be read as a country database/,
    );
  });
});
