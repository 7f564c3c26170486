import type { Trx } from '../../platform/db/index.ts';
import type { Platform } from '../../platform/deps.ts';
import { DomainError, TakenError } from '../../platform/errors.ts';
import type { Role } from '../../platform/rest/capabilities.ts';
import { type Account, assignRole, createUser, findAccount, lockUsers } from '../users/index.ts';
import { SingleSignOnError } from './errors.ts';
import { findRole, type ProviderUser, toLogin } from './rules.ts';
import { findUserByIdentity, hasIdentity, saveIdentity } from './store.ts';

/** In logs. */
const ACTOR = 'single sign-on';
/** More users of one name do not sign in for the first time at once. */
const LOGINS_TRIED = 100;

/**
 * The account of a user whom the provider has authenticated: the one that is linked to this identity, or that has the
 * verified address, or a new one. Its role follows the provider with each sign-in, if roles are mapped.
 * @param roles the mapping; undefined if roles are managed here, and no users are created
 * @throws SingleSignOnError
 */
export async function resolveAccount(
  platform: Platform,
  person: ProviderUser,
  roles: readonly (readonly [value: string, role: Role])[] | undefined,
): Promise<Account> {
  const role = roles && findRole(roles, person.values);
  if (roles && !role) throw new SingleSignOnError('no_role');
  const known = await linkAccount(platform, person, role);
  if (known) return known;
  if (person.email === undefined) throw new SingleSignOnError('email_not_verified');
  if (!role) throw new SingleSignOnError('no_account');
  await createAccount(platform, { name: person.name, email: person.email, role });
  const created = await linkAccount(platform, person, role);
  if (!created) throw new SingleSignOnError('no_account');
  return created;
}

/** @returns undefined if no user has the identity or the verified address */
function linkAccount(
  { datastore, clock }: Platform,
  person: ProviderUser,
  role: Role | undefined,
): Promise<Account | undefined> {
  return datastore.transaction(async (trx) => {
    await lockUsers(trx);
    const at = clock.now();
    const id = await findUserByIdentity(trx, person);
    const account = id === undefined ? await findByEmail(trx, person) : await findAccount(trx, id);
    if (!account) return undefined;
    const { user } = account;
    if (role) {
      await assignRole(trx, user, role, { actor: ACTOR, at }).catch((error) => {
        if (!(error instanceof DomainError)) throw error;
        throw new SingleSignOnError('last_administrator', { user, cause: error });
      });
    }
    await saveIdentity(trx, user.id, person, at);
    return findAccount(trx, user.id);
  });
}

/** The account with the address that the provider has verified. */
async function findByEmail(
  trx: Trx,
  { email, issuer }: ProviderUser,
): Promise<Account | undefined> {
  if (email === undefined) return undefined;
  const account = await findAccount(trx, email);
  if (!account) return undefined;
  const { user } = account;
  // Users may enter any address: one who enters that of a colleague must not wait for them in this account.
  if (account.hasOwnEmailEntry) throw new SingleSignOnError('email_not_confirmed', { user });
  // Providers give the address of someone who has left to somebody else.
  if (await hasIdentity(trx, user.id, issuer))
    throw new SingleSignOnError('other_identity', { user });
  return account;
}

/** The generated password is discarded. */
async function createAccount(
  platform: Platform,
  { name, email, role }: { name: string; email: string; role: Role },
): Promise<void> {
  for (let number = 1; number <= LOGINS_TRIED; number++) {
    try {
      await createUser(platform, { login: toLogin(name, number), email, role }, ACTOR);
      return;
    } catch (error) {
      if (!(error instanceof TakenError)) throw error;
      // Another sign-in of the same user came first.
      if (await findAccount(platform.datastore.db, email)) return;
    }
  }
  throw new SingleSignOnError('no_account');
}
