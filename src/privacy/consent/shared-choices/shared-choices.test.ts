import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../../test/support/engines.ts';
import { basicAuth } from '../../../../test/support/makers.ts';
import { createSubjectToken } from '../../../../test/support/subject-token.ts';
import { useTestApp } from '../../../../test/support/test-app.ts';
import { toIsoMoment } from '../../../platform/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../platform/durations.ts';
import { deleteExpired } from './store.ts';

const ROOT = '/wp-json/svc/v1';

describe.each(ENGINES)('Shared choices on %s', (engine) => {
  const app = useTestApp(engine);
  let headers: Record<string, string>;
  let key: string;
  let version: number;
  const admin = async (method: string, path: string, body?: object) =>
    (await app.http.request(method, ROOT + path, { headers, body })).json;
  const save = (shared_choices: boolean) =>
    admin('PUT', '/settings', { consent: { shared_choices } });
  const token = (user: string, ago = 0) => createSubjectToken(key, user, app.clock.now() - ago);
  const choose = (subject_token: string, body: object = {}) =>
    app.http.post(`${ROOT}/consent`, {
      body: {
        visitor_id: randomUUID(),
        consent_action: 'accept_all',
        config_version: version,
        subject_token,
        ...body,
      },
    });
  const ask = async (subject_token: string, visitor_id: string = randomUUID()) =>
    (await app.http.post(`${ROOT}/consent/subject`, { body: { subject_token, visitor_id } })).json
      .choice;
  const latest = async () => (await admin('GET', '/consent/records?per_page=1'))[0];
  const subjects = () =>
    app.platform.datastore.db.selectFrom('consent_subjects').selectAll().execute();
  const entries = async () =>
    (await admin('GET', '/data-map?per_page=100&search=signed-in')).map(
      ({ status }: { status: string }) => status,
    );

  beforeAll(async () => {
    headers = await basicAuth(app.platform);
    ({ key } = await admin('GET', '/consent/subject-key'));
    ({ version } = (await app.http.get(`${ROOT}/consent/status`)).json);
  });

  it('are off by default: choices are recorded, nothing is shared, and the data map has no entry', async () => {
    expect((await choose(token('off'))).status).toBe(200);
    expect(await subjects()).toEqual([]);
    expect(await ask(token('off'))).toBeNull();
    expect(await entries()).toEqual([]);
    const { text } = await app.http.get('/banner.js');
    expect(text).not.toContain('/subject');
  });

  it('have an entry in the data map while they are on, and visitors read about them', async () => {
    await save(true);
    ({ version } = (await app.http.get(`${ROOT}/consent/status`)).json);
    expect(await entries()).toEqual(['active']);
    const [entry] = await admin('GET', '/data-map?search=signed-in');
    expect(entry.recipients).toBe('Administrators of this installation');
    await save(false);
    expect(await entries()).toEqual(['archived']);
    await save(true);
    ({ version } = (await app.http.get(`${ROOT}/consent/status`)).json);
    expect(await entries()).toEqual(['active']);
    const { text } = await app.http.get('/banner.js?language=de');
    expect(text).toContain('gilt Ihre Auswahl auch auf Ihren anderen Geräten');
    const { message, asked_since } = (await app.http.get(`${ROOT}/consent/texts`)).json;
    expect(message).toMatch(/While you are signed in, .* where you are signed in\.$/);
    expect(asked_since).toBeLessThan(version);
  });

  it('give the latest choice to other visitors with a token of the same person only', async () => {
    await choose(token('ada'), { consent_action: 'reject_all', language: 'de' });
    app.clock.advance(90_000);
    expect(await ask(token('ada'))).toMatchObject({
      consent_action: 'reject_all',
      categories_accepted: ['functional'],
      config_version: version,
      language: 'de',
      asked_first: true,
      age: 90,
    });
    expect(await ask(token('bob'))).toBeNull();
    await choose(token('ada'));
    expect(await ask(token('ada'))).toMatchObject({ consent_action: 'accept_all', age: 0 });
  });

  it.each([
    ['unsigned', () => `${token('eve').slice(0, -1)}_`],
    ['signed with another key', () => createSubjectToken('other', 'eve', app.clock.now())],
    ['expired', () => token('eve', 15 * MINUTE_MS)],
    ['from the future', () => token('eve', -6 * MINUTE_MS)],
    ['malformed', () => 'v1.x'],
    ['empty', () => ''],
  ])('ignore a token that is %s, and record the choice', async (_name, make) => {
    const answer = await choose(make());
    const good = await choose(token('frank'));
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.json)).toEqual(Object.keys(good.json));
    expect(await ask(token('eve'))).toBeNull();
    expect(await ask(make())).toBeNull();
  });

  it('tolerate clocks that differ by five minutes', async () => {
    await choose(token('late', 14 * MINUTE_MS));
    expect(await ask(token('late', -4 * MINUTE_MS))).not.toBeNull();
  });

  it('bind a token to the first visitor who uses it', async () => {
    const used = token('grace');
    const visitor_id = randomUUID();
    await choose(used, { visitor_id, consent_action: 'reject_all' });
    await choose(used, { consent_action: 'accept_all' });
    expect(await ask(used)).toBeNull();
    expect(await ask(used, visitor_id)).toMatchObject({ consent_action: 'reject_all' });
    const racing = token('grace');
    const found = await Promise.all(Array.from({ length: 8 }, () => ask(racing)));
    expect(found.filter(Boolean)).toHaveLength(1);
  });

  it('keep the latest of simultaneous choices', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        choose(token('race'), { consent_action: at % 2 ? 'accept_all' : 'reject_all' }),
      ),
    );
    const newest = Math.max(...answers.map(({ json }) => json.id));
    const row = (await subjects()).find(({ record_id }) => record_id === newest);
    expect(row).toBeDefined();
    const records = await admin('GET', '/consent/records?per_page=20');
    const { consent_action } = records.find(({ id }: { id: number }) => id === newest);
    expect(await ask(token('race'))).toMatchObject({ consent_action });
  });

  it('keep a withdrawal that is recorded after the clock of the server was set back', async () => {
    await choose(token('zoe'));
    const now = app.clock.now();
    app.clock.set(toIsoMoment(now - HOUR_MS));
    await choose(token('zoe'), { consent_action: 'reject_all' });
    expect(await ask(token('zoe'))).toMatchObject({ consent_action: 'reject_all' });
    app.clock.set(toIsoMoment(now));
  });

  it('keep a newer refusal when an older choice of another device is sent again', async () => {
    const at = Math.floor((app.clock.now() - DAY_MS) / 1_000);
    const resent = { consent_action: 'accept_all', at, source: 'resent' };
    await choose(token('ned'), { consent_action: 'reject_all' });
    expect((await choose(token('ned'), resent)).status).toBe(200);
    expect(await ask(token('ned'))).toMatchObject({ consent_action: 'reject_all' });
    const twice = [{ consent_action: 'reject_all' }, resent];
    await Promise.all(twice.map((body) => choose(token('olga'), body)));
    expect(await ask(token('olga'))).toMatchObject({ consent_action: 'reject_all' });
    // One that is sent again and newer counts.
    app.clock.advance(HOUR_MS);
    const newer = Math.floor(app.clock.now() / 1_000);
    await choose(token('ned'), { ...resent, at: newer });
    expect(await ask(token('ned'))).toMatchObject({ consent_action: 'accept_all' });
  });

  it('do not count what a device has adopted, which expires with the original', async () => {
    await choose(token('henry'), { consent_action: 'reject_all' });
    const { expires_at } = await latest();
    app.clock.advance(30 * DAY_MS);
    await choose(token('henry'), { consent_action: 'accept_all', source: 'shared' });
    expect(await latest()).toMatchObject({
      source: 'shared',
      consent_action: 'accept_all',
      expires_at,
    });
    expect(await ask(token('henry'))).toMatchObject({ consent_action: 'reject_all' });
  });

  it('expire with the choice that the visitor made if it is sent again, as the cookie does', async () => {
    const visitor_id = randomUUID();
    const at = Math.floor(app.clock.now() / 1_000);
    const made = { visitor_id, at, source: 'banner' };
    await choose(token('mia', HOUR_MS), made);
    const { expires_at } = await latest();
    app.clock.advance(30 * DAY_MS);
    const again = await choose(token('mia'), { ...made, source: 'resent' });
    const until = Date.parse(expires_at);
    const sent = await latest();
    expect(sent.source).toBe('resent');
    expect(Math.abs(Date.parse(sent.expires_at) - until)).toBeLessThan(1_000);
    const [, text = ''] = /pavis_consent=([^;]*)/.exec(again.headers.get('set-cookie') ?? '') ?? [];
    const cookie = JSON.parse(decodeURIComponent(text));
    expect(cookie).toMatchObject({ at, until: Math.floor(Date.parse(sent.expires_at) / 1_000) });
    const shared = await ask(token('mia'));
    expect(shared.expires_at).toBe(sent.expires_at);
    expect(shared.age).toBe((30 * DAY_MS) / 1_000);
  });

  it.each([Number.MIN_SAFE_INTEGER, 1_600_000_000, Number.MAX_SAFE_INTEGER])(
    'are recorded if one is sent again with %s as its time, and do not expire before that',
    async (at) => {
      for (const given of [token('nia'), 'v1.x']) {
        const { status, headers } = await choose(given, { at, source: 'resent' });
        expect(status).toBe(200);
        const { source, created_at, expires_at } = await latest();
        expect(source).toBe('resent');
        expect(Date.parse(expires_at)).toBeGreaterThanOrEqual(Date.parse(created_at));
        expect(headers.get('set-cookie')).toMatch(
          at === 1_600_000_000 ? /Max-Age=0;/ : /Max-Age=\d/,
        );
      }
    },
  );

  it('are not given once their banner version is no longer valid, and without one are not shared', async () => {
    await choose(token('no version'), { config_version: undefined });
    expect(await ask(token('no version'))).toBeNull();
    await choose(token('iris'));
    await admin('PUT', '/settings', { consent: { title: `Another title ${engine}` } });
    expect(await ask(token('iris'))).toBeNull();
    ({ version } = (await app.http.get(`${ROOT}/consent/status`)).json);
  });

  it('are refused to pages of other origins', async () => {
    const { status } = await app.http.post(`${ROOT}/consent/subject`, {
      headers: { origin: 'https://evil.example' },
      body: { subject_token: token('jane'), visitor_id: 'x' },
    });
    expect(status).toBe(403);
  });

  it('are gone when the key is rotated, which only administrators can do and the security log records', async () => {
    await choose(token('kim'));
    const old = token('kim');
    expect((await app.http.get(`${ROOT}/consent/subject-key`)).status).toBe(401);
    expect((await app.http.post(`${ROOT}/consent/subject-key`)).status).toBe(401);
    const rotated = await admin('POST', '/consent/subject-key');
    expect(rotated.key).not.toBe(key);
    ({ key } = rotated);
    expect(await admin('GET', '/consent/subject-key')).toEqual({ key });
    expect(await subjects()).toEqual([]);
    expect((await choose(old)).status).toBe(200);
    expect(await ask(old)).toBeNull();
    await choose(token('kim'));
    expect(await ask(token('kim'))).not.toBeNull();
    const events = await admin('GET', '/security-log?per_page=5');
    expect(events.map(({ event }: { event: string }) => event)).toEqual(
      expect.arrayContaining(['subject_key_shown', 'subject_key_rotated']),
    );
  });

  it('are deleted once they have expired, with the used tokens', async () => {
    await choose(token('lea'));
    app.clock.advance(366 * DAY_MS);
    expect(await ask(token('lea'))).toBeNull();
    const { db } = app.platform.datastore;
    await app.platform.datastore.transaction((trx) => deleteExpired(trx, app.clock.now()));
    expect(await subjects()).toEqual([]);
    const tokens = await db.selectFrom('consent_subject_tokens').selectAll().execute();
    expect(tokens).toHaveLength(1);
  });
});
