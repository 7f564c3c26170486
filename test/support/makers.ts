import { addApplicationPassword, createUser } from '../../src/identity/users/index.ts';
import { issueCustomerToken } from '../../src/licensing/customers/index.ts';
import { issueLicence } from '../../src/licensing/licences/index.ts';
import { NEVER } from '../../src/licensing/products/index.ts';
import type { Platform } from '../../src/platform/deps.ts';

type IssueRequest = Parameters<typeof issueLicence>[1];

let made = 0;

/** Issues a licence for tests: tier pro, three sites, no expiry, a new customer. */
export async function makeLicence(platform: Platform, request: Partial<IssueRequest> = {}) {
  const email = request.email ?? `customer-${++made}@example.com`;
  const issued = await issueLicence(
    platform,
    { tier: 'pro', mode: 'live', expiresAt: NEVER, ...request, email },
    'test',
  );
  return { key: issued.key, id: issued.licence.publicId, email };
}

/** Inserts more licences of a customer into the database, without keys. */
export async function makeMoreLicences(
  { datastore: { db } }: Platform,
  email: string,
  count: number,
): Promise<void> {
  const { id } = await db
    .selectFrom('customers')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  for (let from = 0; from < count; from += 1_000) {
    const rows = Array.from({ length: Math.min(1_000, count - from) }, () => ({
      public_id: `lic_many_${++made}`,
      customer_id: id,
      mode: 'live' as const,
      tier: 'pro' as const,
      sites_allowed: 3,
      grace_days: 0,
      development_sites_free: 0 as const,
      issued_at: 1,
      expires_at: NEVER,
    }));
    await db.insertInto('licences').values(rows).execute();
  }
}

/** The header of a signed-in customer. */
export async function createBearerHeader(
  platform: Platform,
  email: string,
): Promise<Record<string, string>> {
  const { token } = await issueCustomerToken(platform, email);
  return { authorization: `Bearer ${token}` };
}

type TestRole = 'administrator' | 'editor' | 'subscriber';

const known = new WeakMap<Platform, Map<TestRole, Promise<Record<string, string>>>>();

/**
 * The Basic header of a user with an application password; default: an administrator. Each call returns the same
 * user, because hashing a new password takes longer than most requests.
 */
export function basicAuth(
  platform: Platform,
  role: TestRole = 'administrator',
): Promise<Record<string, string>> {
  const users = known.get(platform) ?? new Map();
  known.set(platform, users);
  const user = users.get(role) ?? newBasicAuth(platform, role);
  users.set(role, user);
  return user;
}

/** Like `basicAuth`, for a new user. */
async function newBasicAuth(
  platform: Platform,
  role: TestRole = 'administrator',
): Promise<Record<string, string>> {
  const login = `${role}-${++made}`;
  await createUser(platform, { login, email: `${login}@example.com`, role }, 'test');
  const { password } = await addApplicationPassword(platform, login, 'test', 'test');
  return { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` };
}
