import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as passkeySchemas from '../../../../src/identity/users/passkeys/schemas.ts';
import type * as schemas from '../../../../src/identity/users/schemas.ts';
import type * as factorSchemas from '../../../../src/identity/users/second-factor/schemas.ts';
import { get, list, listAll } from '../../api/client.ts';
import type { Tone } from '../../components/badges.tsx';

/** Users and their application passwords (`/users`). */
export type User = Static<typeof schemas.UserRecord>;
export type CreatedUser = Static<typeof schemas.CreatedUser>;
export type PasswordReset = Static<typeof schemas.PasswordReset>;
export type ApplicationPassword = Static<typeof schemas.ApplicationPasswordRecord>;
export type ApplicationPasswordScope = Static<typeof schemas.ScopeRecord>;
export type Scope = ApplicationPasswordScope['scope'];
export type NewApplicationPassword = Static<typeof schemas.NewApplicationPassword>;
export type UserSession = Static<typeof schemas.SessionRecord>;
export type SecondFactor = Static<typeof factorSchemas.SecondFactorRecord>;
export type AuthenticatorAppSetup = Static<typeof factorSchemas.AuthenticatorAppSetup>;
export type RecoveryCodes = Static<typeof factorSchemas.RecoveryCodes>;
export type Passkey = Static<typeof passkeySchemas.PasskeyRecord>;
export type PasskeyRegistration = Static<typeof passkeySchemas.PasskeyRegistration>;
type UserEvent = Static<typeof schemas.UserEventRecord>;

export const USERS_PER_PAGE = 25;
export const ROLES = [
  { value: 'administrator', label: 'Administrator: everything here' },
  { value: 'editor', label: 'Editor: subject requests and banner texts' },
  { value: 'viewer', label: 'Viewer: reads, but sees no data subjects' },
  { value: 'subscriber', label: 'Subscriber: only their own account' },
] as const;
export const ROLE_TONES: Record<string, Tone> = { administrator: 'info' };

/** Minimum length of a password that a user chooses, in characters. */
export const getPasswordMinLength = (role: string | undefined): number =>
  role === 'administrator' ? 12 : 8;

/** Keys of the queries to refetch after a change of a user. */
export const STALE = [
  ['users'],
  ['user'],
  ['user-events'],
  ['application-passwords'],
  ['application-password-scopes'],
  ['user-sessions'],
  ['second-factor'],
];

export const usersQuery = (filters: {
  search: string | undefined;
  roles: string | undefined;
  page: number;
}) =>
  queryOptions({
    queryKey: ['users', filters],
    queryFn: () => list<User>('/users', { ...filters, per_page: USERS_PER_PAGE }),
    placeholderData: keepPreviousData,
  });

/** @param who an id, or `me` */
export const userQuery = (who: string) =>
  queryOptions({ queryKey: ['user', who], queryFn: () => get<User>(`/users/${who}`) });

export const userEventsQuery = (page: number) =>
  queryOptions({
    queryKey: ['user-events', page],
    queryFn: () => list<UserEvent>('/users/events', { page, per_page: USERS_PER_PAGE }),
    placeholderData: keepPreviousData,
  });

/** @param who an id, or `me` */
export const userSessionsQuery = (who: string) =>
  queryOptions({
    queryKey: ['user-sessions', who],
    queryFn: () => listAll<UserSession>(`/users/${who}/sessions`),
  });

/** @param who an id, or `me` */
export const applicationPasswordsQuery = (who: string) =>
  queryOptions({
    queryKey: ['application-passwords', who],
    queryFn: () => listAll<ApplicationPassword>(`/users/${who}/application-passwords`),
  });

/** @param who an id, or `me` */
export const applicationPasswordScopesQuery = (who: string) =>
  queryOptions({
    queryKey: ['application-password-scopes', who],
    queryFn: () => get<ApplicationPasswordScope[]>(`/users/${who}/application-password-scopes`),
  });

/** @param who an id, or `me` */
export const secondFactorQuery = (who: string) =>
  queryOptions({
    queryKey: ['second-factor', who],
    queryFn: () => get<SecondFactor>(`/users/${who}/second-factor`),
  });
