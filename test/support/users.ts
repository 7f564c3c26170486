import { addApplicationPassword, createUser } from '../../src/identity/users/index.ts';
import type { Platform } from '../../src/platform/deps.ts';
import type { Role } from '../../src/platform/rest/capabilities.ts';
import type { HttpClient } from './client.ts';

let made = 0;

/** Creates a user with an application password. */
export async function makeUser(platform: Platform, role: Role = 'administrator') {
  const login = `User${++made}`;
  const email = `${login}@example.com`.toLowerCase();
  const { user, password } = await createUser(platform, { login, email, role }, 'test');
  const application = await addApplicationPassword(platform, login, 'tests', 'test');
  return { ...user, password, applicationPassword: application.password };
}

/** The HTTP Basic header. */
export const basic = (login: string, password: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

/** Signs in as a browser does. Returns the session cookie and the nonce. */
export async function signIn(
  http: HttpClient,
  { login, password }: { login: string; password: string },
): Promise<{ cookie: string; nonce: string }> {
  const { status, headers, json } = await http.post('/console/session', {
    body: { login, password },
  });
  if (status !== 200) throw new Error(`sign-in ended with ${status}`);
  return { cookie: headers.get('set-cookie')?.split(';', 1)[0] ?? '', nonce: json.nonce };
}
