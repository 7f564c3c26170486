export { bearerCustomer } from './bearer.ts';
export { customerRecords } from './retention.ts';
export { issueCustomerToken } from './service.ts';
export { type Customer, ensureCustomer } from './store.ts';
