export { createBearerAuthenticator, getCustomer } from './authenticate.ts';
export {
  type CustomerView,
  readCustomerView,
  setLanguage,
  toCustomerPage,
} from './customer-page.ts';
export {
  hasCustomerInUse,
  isRunning,
  isSubscribed,
  usesRunningLicence,
} from './remaining/store.ts';
export { customerRecords } from './retention.ts';
export { issueCustomerToken, issueToken, revokeToken } from './service.ts';
export {
  type Customer,
  type CustomerSummary,
  endSessions,
  ensureCustomer,
  findCustomer,
  findCustomerByEmail,
  REVOKE_ALL_TOKENS,
  searchCustomers,
} from './store.ts';
