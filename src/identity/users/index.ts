export { findUserByLogin, getUser } from './accounts.ts';
export { parseAuthorizationRequest, toSuccessUrl } from './application-passwords/authorization.ts';
export {
  addApplicationPassword,
  findFreeName,
  revokeApplicationPassword,
} from './application-passwords/service.ts';
export { createAuthenticate, readBasic } from './authenticate.ts';
export { confirmEmail } from './email-confirmation.ts';
export { UserDeletedError } from './errors.ts';
export { assignRole, lockUsers, openExternalSession } from './external-sign-in.ts';
export { unlinkSingleSignOn } from './identities/service.ts';
export { DEVICE_COOKIE } from './known-device.ts';
export { SignInLimits } from './limits/sign-in-limits.ts';
export { Assertion } from './passkeys/schemas.ts';
export {
  beginPasskeySignIn,
  CHALLENGE_COOKIE,
  readChallenge,
  signInWithPasskey,
} from './passkeys/sign-in.ts';
export { passwordResetRoutes } from './password-reset/routes.ts';
export { PENDING_COOKIE } from './pending-sign-in.ts';
export { recordMissingScope, recordRejectedCredential } from './rejected-credential.ts';
export {
  applicationPasswords,
  authenticatorApps,
  passkeys,
  passwordResets,
  userLog,
  userRecords,
  userSessions,
} from './retention.ts';
export { userRoutes } from './routes.ts';
export { identityKey, PASSWORD_MAX_LENGTH } from './rules.ts';
export { isSecondFactorRequired } from './second-factor/policy.ts';
export type { SignInScope } from './second-factor/scope.ts';
export { resetSecondFactor } from './second-factor/service.ts';
export { createSecondStep, SIGN_IN_EXPIRED, WRONG_CODE } from './second-step.ts';
export { createUser, listUsers, resetPassword, unlockUser } from './service.ts';
export {
  closeSession,
  createNonce,
  isNonce,
  resumeSession,
  SESSION_COOKIE,
  type Session,
} from './session.ts';
export { END_ALL_SESSIONS } from './sessions/store.ts';
export { createFirstAdministrator, createSetupToken, hasAdministrator } from './setup.ts';
export { createSignIn, describeLockout, type SignedIn, type TooManyFailures } from './sign-in.ts';
export { type Account, findAccount, findUserId, hasUsers } from './store.ts';
