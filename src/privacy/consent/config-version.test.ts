import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import { basicAuth } from '../../../test/support/makers.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { DAY_MS } from '../../platform/durations.ts';

const ROOT = '/wp-json/svc/v1';

let made = 0;

describe.each(ENGINES)('config_version of consent choices on %s', (engine) => {
  const app = useTestApp(engine);
  const admin = async (method: string, path: string, body?: object) =>
    app.http.request(method, ROOT + path, {
      headers: await basicAuth(app.platform),
      ...(body && { body }),
    });
  const save = (consent: object) => admin('PUT', '/settings', { consent });
  const current = async () => (await app.http.get(`${ROOT}/consent/status`)).json.version;
  const versions = async () => (await admin('GET', '/settings/consent-versions')).json;
  /** Returns the response and the record. */
  async function decide(more: object) {
    const visitor_id = `shown-${++made}`;
    const body = { visitor_id, consent_action: 'accept_all', ...more };
    const answer = await app.http.post(`${ROOT}/consent`, { body });
    const records = (await admin('GET', `/consent/records?search=${visitor_id}`)).json;
    return { ...answer, record: records[0] };
  }
  let counter = 0;
  /** Changes only the look of the banner, so that earlier consent stays valid. */
  const changeLooks = () => save({ accept_text: `Accept ${++counter}` });
  /** Changes the message, so that visitors are asked again. */
  const changeQuestion = () => save({ message: `May we? ${++counter}` });

  beforeAll(changeQuestion);

  it('records the version that was shown, not the current one', async () => {
    const shown = await current();
    await changeLooks();
    expect(await current()).toBe(shown + 1);
    const { status, record } = await decide({ config_version: shown });
    expect([status, record.config_version]).toEqual([200, shown]);
    expect((await decide({ config_version: shown + 1 })).record.config_version).toBe(shown + 1);
  });

  it('validates categories against the version that was shown', async () => {
    const { consent } = (await admin('GET', '/settings')).json;
    await save({ ask_again_on: ['texts'] });
    const shown = await current();
    const chat = { id: 'chat', label: 'Chat', description: '', required: false };
    const [functional, analytics] = consent.categories;
    await save({ categories: [functional, analytics, chat] });
    const all = consent.categories.map(({ id }: { id: string }) => id);
    const { record } = await decide({ config_version: shown, categories_accepted: ['marketing'] });
    expect(record.categories_accepted).toEqual(all);
    const choice = { consent_action: 'manage', categories_rejected: ['chat'] };
    expect((await decide({ config_version: shown, ...choice })).status).toBe(400);
    const latest = await decide({ config_version: shown + 1, ...choice });
    expect(latest.record.categories_rejected).toEqual(['chat']);
    const unstated = await decide(choice);
    expect(unstated.record.categories_rejected).toEqual(['chat']);
    await save({ categories: consent.categories, ask_again_on: consent.ask_again_on });
  });

  it('takes the consent lifetime from the version that was shown', async () => {
    await save({ expiry_days: 100 });
    const shown = await current();
    await save({ expiry_days: 10 });
    const { record } = await decide({ config_version: shown });
    expect(Date.parse(record.expires_at) - Date.parse(record.created_at)).toBe(100 * DAY_MS);
    await save({ expiry_days: 365 });
  });

  it('records no version if none is stated', async () => {
    const { status, record } = await decide({});
    expect([status, record.config_version]).toEqual([200, null]);
    const csv = (await admin('GET', '/consent/records/export?format=csv')).text;
    const [head = '', ...rows] = csv.trim().split('\r\n');
    const at = head.split(',').indexOf('config_version');
    const row = rows.find((each) => each.includes(record.visitor_id)) ?? '';
    // The lists contain commas, so columns are counted from the end.
    expect(row.split(',').at(at - head.split(',').length)).toBe('not stated');
    const json = (await admin('GET', '/consent/records/export?format=json')).json;
    expect(json.find(({ id }: { id: number }) => id === record.id).config_version).toBeNull();
  });

  it('returns 400 with the current version for an unknown one', async () => {
    const before = (await admin('GET', '/consent/stats')).json.total;
    const version = await current();
    for (const unknown of [0, -1, version + 1, 2 ** 40]) {
      const { status, json, record, headers } = await decide({ config_version: unknown });
      expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
      expect(json.data.params.config_version).toContain(`current version is ${version}`);
      expect(json.data.current_version).toBe(version);
      expect(record).toBeUndefined();
      expect(headers.get('set-cookie')).toBeNull();
    }
    expect((await admin('GET', '/consent/stats')).json.total).toBe(before);
  });

  it('returns 400 for a version to which consent is no longer valid', async () => {
    const shown = await current();
    await changeQuestion();
    const { status, json, record } = await decide({ config_version: shown });
    expect([status, json.data.current_version, record]).toEqual([400, shown + 1, undefined]);
    expect((await decide({ config_version: shown + 1 })).status).toBe(200);
  });

  it('returns 400 for a hash that does not match', async () => {
    const [{ version, hash }, older] = await versions();
    const { record } = await decide({ config_version: version, config_hash: hash });
    expect(record.config_version).toBe(version);
    const digits = (length: number) =>
      decide({ config_version: version, config_hash: hash.slice(0, length) });
    expect([(await digits(16)).status, (await digits(15)).status]).toEqual([200, 400]);
    const wrong = await decide({ config_version: version, config_hash: older.hash });
    expect([wrong.status, wrong.json.data.current_version]).toEqual([400, version]);
    expect(wrong.json.data.params).toHaveProperty('config_hash');
    expect((await decide({ config_hash: hash })).status).toBe(400);
    expect((await decide({ config_version: version, config_hash: 'short' })).status).toBe(400);
  });

  it.each([['1.5'], ['one'], [[1]], [true], [null]])('returns 400 for %j', async (value) => {
    const { status, json } = await decide({ config_version: value });
    expect([status, json.code]).toEqual([400, 'rest_invalid_param']);
  });

  it('returns the texts of a valid earlier version', async () => {
    const [{ version, hash, config }] = await versions();
    await changeLooks();
    const texts = (query: string) => app.http.get(`${ROOT}/consent/texts?${query}`);
    expect((await texts(`version=${version}`)).json).toMatchObject({
      version,
      hash,
      accept_text: config.accept_text,
      asked_since: expect.any(Number),
    });
    const latest = (await texts('')).json;
    expect(latest.version).toBe(version + 1);
    // For an unknown or invalid version the texts are those of the current one.
    expect((await texts(`version=${version + 50}`)).json).toEqual(latest);
  });

  it('sets null in the consent cookie if no version is stated', async () => {
    const versionIn = ({ headers }: { headers: Headers }) => {
      const [, value = ''] = /pavis_consent=([^;]+)/.exec(headers.get('set-cookie') ?? '') ?? [];
      return JSON.parse(decodeURIComponent(value)).version;
    };
    expect(versionIn(await decide({}))).toBeNull();
    const version = await current();
    expect(versionIn(await decide({ config_version: version }))).toBe(version);
  });
});
