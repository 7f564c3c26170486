import { issueCustomerToken } from '../../src/licensing/customers/index.ts';
import { issueLicence, NEVER } from '../../src/licensing/licences/index.ts';
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
