export { deleteCustomer } from './customers.ts';
export { deskRoutes } from './routes.ts';
