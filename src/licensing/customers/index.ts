export { bearerCustomer } from './bearer.ts';
export { issueCustomerToken } from './service.ts';
export { type Customer, ensureCustomer } from './store.ts';
