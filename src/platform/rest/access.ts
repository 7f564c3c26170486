import type { Caller, User } from './caller.ts';
import { hasCapability } from './capabilities.ts';
import {
  forbidden,
  invalidNonce,
  MissingScopeError,
  notLoggedIn,
  passwordExpired,
  secondFactorSetupRequired,
} from './errors.ts';
import { getRequiredCapability, listMethods, type RestRoute } from './route.ts';
import { getRequiredScope, hasScope } from './scopes.ts';

/** The caller as a route knows them. */
export const getUser = (
  { forSecondFactorSetup }: RestRoute,
  { user, lacksSecondFactor }: Caller,
): User | null => user ?? (forSecondFactorSetup && lacksSecondFactor) ?? null;

/**
 * @throws ApiError 403 `rest_cookie_invalid_nonce`; 401 or 403 `rest_forbidden`; 401 `rest_not_logged_in` on routes for
 * every user; 401 `incorrect_password` for an expired application password; 403 `rest_forbidden` for one that lacks a scope;
 * 403 `second_factor_setup_required`
 */
export function assertAccess(route: RestRoute, caller: Caller): void {
  if (route.access === 'public') return;
  const { badNonce, expiredAt, lacksSecondFactor } = caller;
  const user = getUser(route, caller);
  if (badNonce) throw invalidNonce();
  if (!user && lacksSecondFactor) throw secondFactorSetupRequired();
  if (!user && expiredAt !== undefined) throw passwordExpired(expiredAt);
  if (!user) throw route.access === 'user' ? notLoggedIn() : forbidden(401);
  if (!isPermitted(route, user)) throw forbidden(403);
  if (!isInScope(route, user)) throw new MissingScopeError(getRequiredScope(route));
}

function mayUse(route: RestRoute, caller: Caller): boolean {
  if (route.access === 'public') return true;
  const user = getUser(route, caller);
  return user !== null && isPermitted(route, user) && isInScope(route, user);
}

function isPermitted(route: RestRoute, user: User): boolean {
  const needed = getRequiredCapability(route);
  return needed === undefined || hasCapability(user, needed);
}

const isInScope = (route: RestRoute, user: User): boolean =>
  // Most callers have no limits.
  user.scopes === undefined || hasScope(user, getRequiredScope(route));

/** The `Allow` header of a path for this caller; empty if they may use no method. */
export function listAllowedMethods(routes: readonly RestRoute[], caller: Caller): string {
  if (caller.user || caller.lacksSecondFactor) return findAllowedMethods(routes, caller);
  let methods = allowedToAll.get(routes);
  if (methods === undefined) {
    methods = findAllowedMethods(routes, caller);
    allowedToAll.set(routes, methods);
  }
  return methods;
}

const allowedToAll = new WeakMap<readonly RestRoute[], string>();

function findAllowedMethods(routes: readonly RestRoute[], caller: Caller): string {
  const methods = new Set<string>();
  for (const route of routes)
    if (mayUse(route, caller)) for (const method of listMethods(route)) methods.add(method);
  return [...methods].join(', ');
}
