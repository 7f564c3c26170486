import { issueCustomerToken } from '../../src/licensing/customers/index.ts';
import { issueLicence, NEVER } from '../../src/licensing/licences/index.ts';
import { addApplicationPassword, createUser } from '../../src/platform/auth/users/index.ts';
import type { Platform } from '../../src/platform/deps.ts';

type IssueRequest = Parameters<typeof issueLicence>[1];

let made = 0;

/** A licence to test with: tier pro, three sites, no end, a customer of its own. */
export async function makeLicence(platform: Platform, request: Partial<IssueRequest> = {}) {
  const email = request.email ?? `customer-${++made}@example.com`;
  const issued = await issueLicence(
    platform,
    { tier: 'pro', mode: 'live', expiresAt: NEVER, ...request, email },
    'test',
  );
  return { key: issued.key, id: issued.licence.publicId, email };
}

/** The header of a signed-in customer. */
export async function bearerOf(platform: Platform, email: string): Promise<Record<string, string>> {
  const { token } = await issueCustomerToken(platform, email);
  return { authorization: `Bearer ${token}` };
}

/** The header of a user who signs in with an application password; an administrator unless told otherwise. */
export async function basicAuth(
  platform: Platform,
  role: 'administrator' | 'editor' | 'subscriber' = 'administrator',
): Promise<Record<string, string>> {
  const login = `${role}-${++made}`;
  await createUser(platform, { login, email: `${login}@example.com`, role }, 'test');
  const { password } = await addApplicationPassword(platform, login, 'test', 'test');
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}
