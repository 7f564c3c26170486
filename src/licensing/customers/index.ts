export { bearerCustomer } from './bearer.ts';
export { ofCustomerWhoStays, usesLicence } from './remaining/store.ts';
export { customerRecords } from './retention.ts';
export { endToken, issueCustomerToken, issueTokenFor } from './service.ts';
export {
  type Customer,
  endSessions,
  ensureCustomer,
  findCustomer,
  findCustomerByEmail,
} from './store.ts';
