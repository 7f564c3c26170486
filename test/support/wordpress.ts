import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';

const SETTINGS = '/wp/v2/settings';
const ME = '/wp/v2/users/me';
const FORBIDDEN = 'Sorry, you are not allowed to do that.';
const toBasicHeader = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** Credentials of the users in the stand-in. */
export const WP = {
  admin: { authorization: toBasicHeader('wp-admin:LGZT xObW Qv35 g0dQ 16ZT 9e1G') },
  editor: { authorization: toBasicHeader('wp-editor:aaaa bbbb cccc dddd eeee ffff') },
  wrong: { authorization: toBasicHeader('wp-admin:wrong') },
  adminCookie: 'wordpress_logged_in_0123456789abcdef=admin%7C1795000000%7Ctoken%7Chmac',
  editorCookie: 'wordpress_logged_in_0123456789abcdef=editor%7C1795000000%7Ctoken%7Chmac',
  nonce: 'abcdef0123',
  renewed: '0123456789',
};

/** Responses of `users/me`. */
const PEOPLE = {
  admin: {
    id: 7,
    username: 'wp-admin',
    name: 'Ada Lovelace',
    email: 'Ada@WordPress.example',
    roles: ['administrator'],
    registered_date: '2024-02-29T12:00:00+00:00',
  },
  editor: {
    id: 8,
    username: 'wp-editor',
    name: 'wp-editor',
    email: 'ed@wordpress.example',
    roles: ['editor'],
    registered_date: '2025-01-01T00:00:00+00:00',
  },
};

export interface WordPressStandIn {
  /** Received permission checks and requests for the index. */
  asked: { url: string; headers: IncomingMessage['headers'] }[];
  /** Received requests to `users/me`. */
  askedWho: { url: string; headers: IncomingMessage['headers'] }[];
  /** Whether `users/me` is available. Some plugins disable it. */
  namesPeople: boolean;
  /** The `authentication` of the index. */
  authentication: object;
  /** Replaces the default responses if set. */
  instead: ((response: ServerResponse) => void) | undefined;
}

/** A server that responds to settings and users requests as WordPress does. */
export function useWordPress(port: number): WordPressStandIn {
  const standIn: WordPressStandIn = {
    asked: [],
    askedWho: [],
    namesPeople: true,
    authentication: [],
    instead: undefined,
  };
  const server = createServer((request, response) => {
    const { url = '', headers } = request;
    (url.includes(ME) ? standIn.askedWho : standIn.asked).push({ url, headers });
    if (standIn.instead) return standIn.instead(response);
    const say = (status: number, body: object, more: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...more })
        .end(JSON.stringify(body));
    const refuse = (status: number, code: string, message: string, more = {}) =>
      say(status, { code, message, data: { status } }, more);

    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const route = searchParams.get('rest_route') ?? pathname.replace('/wp-json', '');
    if (route === '/' && searchParams.get('_fields') === 'authentication')
      return say(200, { authentication: standIn.authentication });
    const isMe = route === ME && searchParams.get('context') === 'edit';
    if (!isMe && (route !== SETTINGS || searchParams.get('_fields') !== 'title'))
      return refuse(404, 'rest_no_route', 'No route was found matching the URL.');
    const nonce = headers['x-wp-nonce'];
    const users = new Map([
      [WP.admin.authorization, 'admin'],
      [WP.editor.authorization, 'editor'],
    ]);
    const sessions = new Map([
      [WP.adminCookie, 'admin'],
      [WP.editorCookie, 'editor'],
    ]);
    const byBasic = users.get(headers.authorization ?? '');
    // WordPress accepts only the signed-out nonce without a session; this stand-in accepts none.
    if (!byBasic && nonce !== undefined && (nonce !== WP.nonce || !headers.cookie))
      return refuse(403, 'rest_cookie_invalid_nonce', 'Cookie check failed');
    const user = byBasic ?? (nonce === undefined ? undefined : sessions.get(headers.cookie ?? ''));
    const more = !byBasic && nonce ? { 'x-wp-nonce': WP.renewed } : {};
    if (!user) return refuse(401, isMe ? 'rest_not_logged_in' : 'rest_forbidden', FORBIDDEN, more);
    if (isMe && !standIn.namesPeople) return refuse(403, 'rest_user_cannot_view', FORBIDDEN, more);
    if (isMe) return say(200, PEOPLE[user as keyof typeof PEOPLE], more);
    if (user === 'editor') return refuse(403, 'rest_forbidden', FORBIDDEN, more);
    return say(200, { title: 'A site' }, more);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return standIn;
}
