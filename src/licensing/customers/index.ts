export { createBearerAuthenticator } from './authenticate.ts';
export { hasCustomerInUse, usesRunningLicence } from './remaining/store.ts';
export { customerRecords } from './retention.ts';
export { issueCustomerToken, issueToken, revokeToken } from './service.ts';
export {
  type Customer,
  endSessions,
  ensureCustomer,
  findCustomer,
  findCustomerByEmail,
} from './store.ts';
