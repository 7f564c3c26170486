import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../../test/support/engines.ts';
import {
  CLIENT,
  identityProvider,
  type ProviderClaims,
} from '../../../test/support/identity-provider.ts';
import { reservePort } from '../../../test/support/ports.ts';
import { useTestApp } from '../../../test/support/test-app.ts';
import { basic, makeUser, signIn } from '../../../test/support/users.ts';
import { confirmEmail } from '../users/index.ts';

const START = '/console/single-sign-on';
const PORTS = Object.fromEntries(
  await Promise.all(ENGINES.map(async (engine) => [engine, await reservePort()] as const)),
);

describe.each(ENGINES)('Single sign-on on %s', (engine) => {
  const issuer = `http://127.0.0.1:${PORTS[engine]}`;
  const app = useTestApp(engine, {
    PAVIS_TRUSTED_PROXIES: '127.0.0.1',
    PAVIS_OIDC_ISSUER: issuer,
    PAVIS_OIDC_CLIENT_ID: CLIENT.id,
    PAVIS_OIDC_CLIENT_SECRET: CLIENT.secret,
    PAVIS_OIDC_NAME: 'Example Ltd',
    PAVIS_OIDC_ROLES: 'admins:administrator,staff:editor',
  });
  const idp = identityProvider(Number(PORTS[engine]));
  beforeAll(() => idp.start(app.url));
  afterAll(() => idp.stop());

  let count = 0;
  /** Somebody whom only the provider knows. */
  const newcomer = (more: Partial<ProviderClaims> = {}): ProviderClaims => ({
    sub: `subject-${++count}`,
    email: `person${count}@staff.example`,
    email_verified: true,
    preferred_username: `person${count}`,
    groups: ['staff'],
    ...more,
  });
  const get = (path: string, cookie = '') =>
    fetch(app.url + path, {
      redirect: 'manual',
      headers: { cookie, 'x-forwarded-for': `198.51.100.${count % 250}` },
    });
  const cookieOf = (response: Response, name: string) =>
    response.headers
      .getSetCookie()
      .find((line) => line.startsWith(name))
      ?.split(';', 1)[0] ?? '';

  async function begin(query = '') {
    const started = await get(START + query);
    const cookie = cookieOf(started, 'pavis_single_sign_on');
    return { url: started.headers.get('location') ?? '', cookie };
  }
  const finish = async (back: string, cookie: string) => {
    const { pathname, search } = new URL(back);
    const finished = await get(pathname + search, cookie);
    const location = finished.headers.get('location');
    const session = cookieOf(finished, 'pavis_session');
    return { location, session, error: /error=(\w+)/.exec(location ?? '')?.[1] };
  };
  /** Signs in with the provider. */
  async function enter(person: ProviderClaims | undefined, query = '') {
    idp.person = person;
    const { url, cookie } = await begin(query);
    return finish(await idp.visit(url), cookie);
  }
  const readSession = async (cookie: string) =>
    (await app.http.get('/console/session', { headers: { cookie } })).json;
  const userOf = async ({ session }: { session: string }) => (await readSession(session)).user;
  const asBoss = async (method: string, path: string, body?: object) => {
    const { login, applicationPassword } = await makeUser(app.platform);
    const headers = basic(login, applicationPassword);
    return app.http.request(method, `/wp-json/svc/v1${path}`, { headers, ...(body && { body }) });
  };

  it('creates a user with the role of the provider, and finds them again by the identity', async () => {
    expect((await app.http.get('/console/sign-in')).json).toMatchObject({
      single_sign_on: { name: 'Example Ltd' },
    });
    const person = newcomer();
    const first = await enter(person, '?next=/admin/requests');
    expect(first.location).toBe('/admin/requests');
    const user = await userOf(first);
    expect(user).toMatchObject({
      login: person.preferred_username,
      email: person.email,
      role: 'editor',
    });
    // Another address and name at the provider: still the same user.
    const renamed = { ...person, email: 'renamed@staff.example', preferred_username: 'renamed' };
    const again = await userOf(await enter(renamed));
    expect(again).toMatchObject({ id: user.id, email: person.email });
    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select(['event', 'actor', 'details'])
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute();
    expect(events[0]).toMatchObject({ event: 'user_created', actor: 'single sign-on' });
    expect(events.map(({ event }) => event)).toContain('sign_in');
    expect(JSON.parse(events.at(-1)?.details ?? '')).toMatchObject({ method: 'single_sign_on' });
  });

  it('leaves the second factor to the provider', async () => {
    const person = newcomer();
    const user = await userOf(await enter(person));
    await app.platform.datastore.db
      .insertInto('passkeys')
      .values({
        ...{ user_id: user.id, credential_id: person.sub, public_key: 'x', transports: '[]' },
        ...{ name: 'Laptop', counter: 0, created_at: app.clock.now(), last_used_at: null },
      })
      .execute();
    expect(await userOf(await enter(person))).toMatchObject({ id: user.id });
  });

  it('sends PKCE, state and nonce, and leads nowhere but into the console', async () => {
    const { url } = await begin();
    const { searchParams } = new URL(url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    for (const name of ['code_challenge', 'state', 'nonce'])
      expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    const elsewhere = ['https://evil.example', '//evil.example', '/admin//evil.example'];
    // Characters that a Location header cannot have.
    const unsendable = ['/admin/\u20ac', '/admin/\n', '/admin/ ', '/admin/?a=\u0000'];
    // The cookies of five attempts have to fit into the headers of a request.
    const long = `/admin/?${'x'.repeat(300)}`;
    for (const next of [...elsewhere, ...unsendable, long])
      expect((await enter(newcomer(), `?next=${encodeURIComponent(next)}`)).location).toBe(
        '/admin/',
      );
  });

  it('changes the role with each sign-in, and refuses users without one', async () => {
    const person = newcomer();
    const user = await userOf(await enter(person));
    const promoted = await userOf(await enter({ ...person, groups: ['staff', 'admins'] }));
    expect(promoted).toMatchObject({ id: user.id, role: 'administrator' });
    await makeUser(app.platform);
    expect(await userOf(await enter(person))).toMatchObject({ id: user.id, role: 'editor' });
    const { error, session } = await enter({ ...person, groups: ['others'] });
    expect([error, session]).toEqual(['no_role', '']);
    const nobody = newcomer({ groups: [] });
    expect((await enter(nobody)).error).toBe('no_role');
    const found = await asBoss('GET', `/users?search=${nobody.preferred_username}`);
    expect(found.json).toEqual([]);
  });

  it('links a user by a verified email address only', async () => {
    const { id, email, login, password } = await makeUser(app.platform, 'editor');
    for (const wrong of [{ email_verified: false }, { email: `x${email}`, email_verified: false }])
      expect((await enter(newcomer({ email, ...wrong }))).error).toBe('email_not_verified');
    const person = newcomer({ email: email.toUpperCase() });
    expect(await userOf(await enter(person))).toMatchObject({ id, login });
    // The password still works, whether or not the provider does.
    await signIn(app.http, { login, password });
    // The address of someone who has left is given to another person.
    expect((await enter(newcomer({ email }))).error).toBe('other_identity');
  });

  it('does not link an address that the user has entered, until an administrator confirms it', async () => {
    const thief = await makeUser(app.platform, 'subscriber');
    const email = `victim-${thief.email}`;
    const changed = await app.http.request('PUT', '/wp-json/svc/v1/users/me', {
      headers: basic(thief.login, thief.applicationPassword),
      body: { email, current_password: thief.password },
    });
    expect(changed.status).toBe(200);
    const victim = newcomer({ email, groups: ['admins'] });
    expect((await enter(victim)).error).toBe('email_not_confirmed');
    const record = (await asBoss('GET', `/users/${thief.id}`)).json;
    expect(record).toMatchObject({ roles: ['subscriber'], email_confirmed: false });
    const saved = await asBoss('PUT', `/users/${thief.id}`, { roles: ['viewer'] });
    expect(saved.json.email_confirmed).toBe(false);
    expect((await enter(victim)).error).toBe('email_not_confirmed');
    const confirmed = await asBoss('PUT', `/users/${thief.id}`, { email });
    expect(confirmed.json.email_confirmed).toBe(true);
    expect(await userOf(await enter(victim))).toMatchObject({ id: thief.id });
  });

  it('unlinks an identity and ends its session when another user corrects the address', async () => {
    const ada = await makeUser(app.platform, 'editor');
    const bob = newcomer({ email: ada.email });
    const before = await enter(bob);
    expect(await userOf(before)).toMatchObject({ id: ada.id });
    const email = `right-${ada.email}`;
    const { json } = await asBoss('PUT', `/users/${ada.id}`, { email });
    expect(json).toMatchObject({ email, single_sign_on: false, sessions: 0 });
    expect((await readSession(before.session)).code).toBeDefined();
    expect((await userOf(await enter(bob))).id).not.toBe(ada.id);
    const owner = newcomer({ email });
    expect(await userOf(await enter(owner))).toMatchObject({ id: ada.id });
    // Users who change their own address keep their identity.
    const own = await app.http.request('PUT', '/wp-json/svc/v1/users/me', {
      headers: basic(ada.login, ada.applicationPassword),
      body: { email: `new-${email}`, current_password: ada.password },
    });
    expect(own.json).toMatchObject({ single_sign_on: true, sessions: 1 });
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select('body_text')
      .where('recipient', 'in', [ada.email, email])
      .orderBy('id')
      .execute();
    const told =
      /Single sign-on was unlinked from your account as well, and all\s+sessions were ended/;
    expect(mails.map(({ body_text: text }) => told.test(text ?? ''))).toEqual([true, false]);
    expect(await userOf(await enter(owner))).toMatchObject({ id: ada.id });
  });

  it('unlinks the identity of a user, so that another one can be linked', async () => {
    const { id, email, login } = await makeUser(app.platform, 'editor');
    const former = newcomer({ email });
    const { session } = await enter(former);
    const successor = newcomer({ email });
    expect((await enter(successor)).error).toBe('other_identity');
    expect((await asBoss('GET', `/users/${id}`)).json.single_sign_on).toBe(true);
    const unlink = () => asBoss('POST', `/users/${id}/unlink-single-sign-on`);
    const { status, json } = await unlink();
    expect([status, json.single_sign_on, json.sessions]).toEqual([200, false, 0]);
    expect((await readSession(session)).user).toBeUndefined();
    const mails = await app.platform.datastore.db
      .selectFrom('outbox_mails')
      .select(['kind', 'subject', 'body_text'])
      .where('recipient', '=', email)
      .execute();
    expect(mails).toEqual([
      {
        kind: 'account_changed',
        subject: 'Single sign-on was unlinked from your account',
        body_text: expect.stringMatching(/By: User\d+\s/),
      },
    ]);
    expect(await userOf(await enter(successor))).toMatchObject({ id, login });
    expect((await enter(former)).error).toBe('other_identity');
    const events = await app.platform.datastore.db
      .selectFrom('security_events')
      .select('event')
      .where('user_id', '=', id)
      .where('event', '=', 'single_sign_on_unlinked')
      .execute();
    expect(events).toHaveLength(1);
    const plain = await makeUser(app.platform, 'editor');
    const refused = await asBoss('POST', `/users/${plain.id}/unlink-single-sign-on`);
    expect([refused.status, refused.json.code]).toEqual([409, 'no_single_sign_on']);
  });

  it('uses the address that a sole administrator has entered once the command line has confirmed it', async () => {
    const { id, login, password, applicationPassword } = await makeUser(app.platform);
    const email = `sole${count}@staff.example`;
    const body = { email, current_password: password };
    const save = () =>
      app.http.request('PUT', `/wp-json/svc/v1/users/${id}`, {
        headers: basic(login, applicationPassword),
        body,
      });
    expect((await save()).status).toBe(200);
    expect((await save()).status).toBe(200);
    const person = newcomer({ email, groups: ['admins'] });
    expect((await enter(person)).error).toBe('email_not_confirmed');
    for (let n = 0; n < 2; n++) await confirmEmail(app.platform, login, 'command line (root)');
    expect(await userOf(await enter(person))).toMatchObject({ id });
    const events = await app.platform.datastore.db
      .selectFrom('user_events')
      .select(['action', 'actor'])
      .where('user_id', '=', id)
      .where('action', '=', 'address_confirmed')
      .execute();
    expect(events).toEqual([{ action: 'address_confirmed', actor: 'command line (root)' }]);
  });

  it('gives users of one name different logins', async () => {
    const preferred_username = 'same.name';
    const logins: string[] = [];
    for (let n = 0; n < 3; n++)
      logins.push((await userOf(await enter(newcomer({ preferred_username })))).login);
    expect(logins).toEqual(['same.name', 'same.name-2', 'same.name-3']);
  });

  it('creates one user for simultaneous first sign-ins', async () => {
    const person = newcomer();
    idp.person = person;
    const begun = await Promise.all([begin(), begin()]);
    const backs: string[] = [];
    for (const { url } of begun) backs.push(await idp.visit(url));
    const results = await Promise.all(
      begun.map(({ cookie }, index) => finish(backs[index] ?? '', cookie)),
    );
    const users = await Promise.all(results.map(userOf));
    expect(users[0].id).toBe(users[1].id);
  });

  it('rejects a response of another browser, a changed state, and a code that was used', async () => {
    idp.person = newcomer();
    const { url, cookie } = await begin();
    const back = await idp.visit(url);
    expect((await finish(back, '')).error).toBe('sign_in_expired');
    const changed = `${cookie.split('=', 1)[0]}=changed`;
    expect((await finish(back, changed)).error).toBe('sign_in_expired');
    const other = await begin();
    expect((await finish(back, other.cookie)).error).toBe('sign_in_expired');
    // The cookie of one attempt under the name of another.
    const swapped = `${cookie.split('=', 1)[0]}=${other.cookie.split('=')[1]}`;
    expect((await finish(back, swapped)).error).toBe('sign_in_failed');
    const forged = new URL(back);
    forged.searchParams.set('iss', 'https://evil.example');
    expect((await finish(forged.href, cookie)).error).toBe('sign_in_failed');
    expect((await finish(back, cookie)).error).toBeUndefined();
    expect((await finish(back, cookie)).error).toBe('sign_in_failed');
    app.clock.advance(10 * 60_000);
    expect((await finish(back, cookie)).error).toBe('sign_in_expired');
  });

  it('lets each of several tabs finish its own attempt, and keeps the cookies of the last five', async () => {
    idp.person = newcomer();
    const jar = new Map<string, string>();
    const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const open = async (url: string) => {
      const { pathname, search } = new URL(url, app.url);
      const response = await get(pathname + search, cookie());
      for (const line of response.headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split('; ');
        const [name = '', value = ''] = pair.split('=');
        if (attributes.includes('Max-Age=0')) jar.delete(name);
        else jar.set(name, value);
      }
      return response.headers.get('location') ?? '';
    };
    const pages: string[] = [];
    for (let tab = 0; tab < 7; tab++) pages.push(await open(START));
    expect([...jar.keys()]).toEqual(
      Array(5).fill(expect.stringMatching(/^pavis_single_sign_on_[\w-]{43}$/)),
    );
    const backs: string[] = [];
    for (const page of pages) backs.push(await idp.visit(page));
    expect(await open(backs[0] ?? '')).toBe('/admin/sign-in?error=sign_in_expired');
    for (const back of backs.slice(2)) expect(await open(back)).toBe('/admin/');
    expect([...jar.keys()].toSorted()).toEqual(['pavis_device', 'pavis_session']);
  });

  it('says that the provider refused', async () => {
    expect((await enter(undefined)).error).toBe('provider_refused');
  });

  it('also signs out of the provider', async () => {
    const { session } = await enter(newcomer());
    const { nonce } = await readSession(session);
    const { json } = await app.http.request('DELETE', '/console/session', {
      headers: { cookie: session, 'x-wp-nonce': nonce },
    });
    expect(json.signed_out).toBe(true);
    const url = new URL(json.sign_out_url);
    expect(url.origin).toBe(issuer);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${app.url}/admin/sign-in`);
    expect((await fetch(url)).status).toBe(200);
    const own = await signIn(app.http, await makeUser(app.platform));
    const plain = await app.http.request('DELETE', '/console/session', {
      headers: { cookie: own.cookie, 'x-wp-nonce': own.nonce },
    });
    expect(plain.json).toEqual({ signed_out: true });
  });

  it('leaves passwords working while the provider is away', async () => {
    const { url, cookie } = await begin();
    idp.person = newcomer();
    const back = await idp.visit(url);
    await idp.stop();
    expect((await finish(back, cookie)).error).toBe('provider_unavailable');
    // The metadata are read again after an hour.
    app.clock.advance(3_600_000);
    const away = await get(START);
    expect(away.headers.get('location')).toBe('/admin/sign-in?error=provider_unavailable');
    await signIn(app.http, await makeUser(app.platform));
    await idp.start(app.url);
    expect((await enter(newcomer())).error).toBeUndefined();
  });

  it('logs no token, code and email address', () => {
    expect(app.logged()).not.toMatch(/code=|id_token|staff\.example|eyJ/);
  });
});
