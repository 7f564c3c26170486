export { createAuthenticate } from './authenticate.ts';
export { endedCookie, sessionCookie, sessionToken } from './cookie.ts';
export { userRecords } from './retention.ts';
export { ROLE_NAMES, type Role } from './roles.ts';
export { PASSWORD_MAX_LENGTH } from './rules.ts';
export {
  addApplicationPassword,
  createUser,
  listUsers,
  resetPassword,
  revokeApplicationPassword,
} from './service.ts';
export { closeSession, isNonce, nonceOf, resumeSession, type Session } from './session.ts';
export { createSignIn } from './sign-in.ts';
export { hasUsers } from './store.ts';
